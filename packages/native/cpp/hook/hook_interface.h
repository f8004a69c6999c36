#ifndef TRTSCOPE_HOOK_INTERFACE_H
#define TRTSCOPE_HOOK_INTERFACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Between the preloaded library and the one that watches, which it loads when TensorRT is first used: both in C, so
// that the former needs nothing of C++.

// A TensorRT library of the program's. Its texts and functions stay as long as it is loaded.
typedef struct {
  const char* path;
  int32_t (*version)(void);  // getInferLibVersion, or null
  int32_t isSimulator;
  void* create;  // the function of this library that the program has called
} TrtscopeLibrary;

// Each answers what the program's call is to answer: an object of TensorRT's, or null where TensorRT gave none.
typedef struct {
  void* (*createBuilder)(const TrtscopeLibrary* library, void* logger, int32_t version);
  void* (*createRuntime)(const TrtscopeLibrary* library, void* logger, int32_t version);
  void* (*createRefitter)(const TrtscopeLibrary* library, void* engine, void* logger, int32_t version);
  // One sentence about why a program is not watched.
  void (*pass)(const char* sentence);
} TrtscopeWatcher;

// Of libtrtscope_monitor.so.
const TrtscopeWatcher* trtscopeWatcher(void);

#ifdef __cplusplus
}
#endif

#endif
