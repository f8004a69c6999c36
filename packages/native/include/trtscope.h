/*
 * Lets a program tell trtscope of its TensorRT builds by itself: in place of the preloaded hook, or where that cannot
 * be, as with a TensorRT that is linked statically. C99 and C++. Link with libtrtscope_monitor.so; nothing of
 * TensorRT's is needed here, and any version from 10.0 on, or TensorRT for RTX from 1.3 on, will do.
 *
 *   trtscope_monitor* monitor = trtscope_monitor_create(NULL, NULL);
 *   config->setProgressMonitor(reinterpret_cast<nvinfer1::IProgressMonitor*>(monitor));
 *   nvinfer1::IHostMemory* engine = builder->buildSerializedNetwork(*network, *config);
 *   trtscope_monitor_finish(monitor, engine != nullptr, NULL);
 *   config->setProgressMonitor(nullptr);
 *   trtscope_monitor_destroy(monitor);
 *
 * The monitor speaks to the trtscope that the environment names in TRTSCOPE_SOCKET: `trtscope run` sets it for its
 * command, `trtscope env` prints it for `trtscope watch`. Without one, or when that is gone, it is a monitor that tells
 * nobody; what trtscope_cancel does, it does all the same.
 *
 * Threads: every function may be called from any thread, but for trtscope_monitor_destroy, which must be the last.
 * Errors: none throws or ends the process. NULL for a monitor does nothing, and is not cancelled. Texts are UTF-8 that
 * end in NUL, are copied, and may be NULL, which says nothing.
 */
#ifndef TRTSCOPE_H
#define TRTSCOPE_H

#if defined(__GNUC__)
#define TRTSCOPE_API __attribute__((visibility("default")))
#else
#define TRTSCOPE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The monitor of one build. Its pointer is also that of an nvinfer1::IProgressMonitor, for IBuilderConfig's
 * setProgressMonitor. TensorRT does not own it.
 */
typedef struct trtscope_monitor trtscope_monitor;

/*
 * Begins to tell of a build, whose time starts now. The caller owns the monitor. The first one of a process waits for
 * what builds are limited to, at most a quarter of a second; later ones do not wait.
 *
 * edition: "tensorrt" or "tensorrt_rtx"; version: such as "10.13.3". For the record alone: either may be NULL, and then
 * neither is told.
 *
 * NULL when memory is short: a config without a monitor builds as well.
 */
TRTSCOPE_API trtscope_monitor* trtscope_monitor_create(const char* edition, const char* version);

/*
 * Says how the build ended, which TensorRT does not tell a monitor: built is not 0 when there is an engine. Otherwise
 * it was cancelled, if TensorRT was told to stop, or has failed, and message says why, such as the last line of
 * TensorRT's log. The first call counts. The process may end at once: what was said is sent before, unless it ends
 * without exit handlers.
 */
TRTSCOPE_API void trtscope_monitor_finish(trtscope_monitor* monitor, int built, const char* message);

/*
 * Asks the build to stop, for a reason that is put on record. TensorRT hears it at its next step and then answers no
 * engine. Returns at once. Safe while the build runs; not for signal handlers.
 */
TRTSCOPE_API void trtscope_cancel(trtscope_monitor* monitor, const char* reason);

/* Not 0 once the build is to stop, whoever asked: the program, a budget, or somebody at the other end. */
TRTSCOPE_API int trtscope_cancelled(const trtscope_monitor* monitor);

/*
 * Gives the monitor back. No config may have it any more that still builds. A build that was not finished has failed.
 */
TRTSCOPE_API void trtscope_monitor_destroy(trtscope_monitor* monitor);

#ifdef __cplusplus
}
#endif

#endif
