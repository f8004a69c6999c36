// What LD_PRELOAD brings into every process of a watched command: plain C on the oldest functions of libc alone, so
// that programs of any libc start with it. It stands in front of the functions that make TensorRT's objects, linked or
// looked up with dlsym, and does nothing else until one is called: then it loads the library that watches.
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hook/hook_interface.h"
#include "hook/preload/loaded_objects.h"

#define EXPORTED __attribute__((visibility("default")))

typedef void* (*Dlsym)(void* handle, const char* name);
typedef void* (*Dlopen)(const char* path, int flags);
typedef void* (*Create)(void* logger, int32_t version);
typedef void* (*CreateRefitter)(void* engine, void* logger, int32_t version);

enum { kBuilder, kRuntime, kRefitter, kKinds };
static const char* const kNames[kKinds] = {"createInferBuilder_INTERNAL", "createInferRuntime_INTERNAL",
                                           "createInferRefitter_INTERNAL"};

static Dlsym realDlsym(void) {
  static Dlsym real;
  Dlsym known = __atomic_load_n(&real, __ATOMIC_RELAXED);
  if (known == NULL) {
    known = (Dlsym)nextSymbol(kNames, "dlsym");
    __atomic_store_n(&real, known, __ATOMIC_RELAXED);
  }
  return known;
}

static bool isWatched(void) {
  const char* socket = getenv("TRTSCOPE_SOCKET");
  return socket != NULL && *socket != 0;
}

static const TrtscopeWatcher* load(void) {
  LoadedObject self;
  LoadedObject programs;
  char path[4096];
  const Dlopen open = (Dlopen)nextSymbol(kNames, "dlopen");
  if (!isWatched() || open == NULL || realDlsym() == NULL || !objectAt(kNames, &self)) return NULL;
  const TrtscopeWatcher* (*get)(void) = NULL;
  // One that the program uses itself, with trtscope.h: it must know what that has been told.
  if (definersOf("trtscopeWatcher", kNames, NULL, &programs) > 0) {
    *(void**)&get = symbolIn(&programs, "trtscopeWatcher");
    return get();
  }
  const char* name = strrchr(self.path, '/');
  const int folder = name == NULL ? 0 : (int)(name - self.path) + 1;
  if (snprintf(path, sizeof(path), "%.*slibtrtscope_monitor.so", folder, self.path) >= (int)sizeof(path)) return NULL;
  void* library = open(path, RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) *(void**)&get = realDlsym()(library, "trtscopeWatcher");
  if (get != NULL) return get();
  dprintf(2, "trtscope: %s cannot be loaded, so this process is not watched\n", path);
  return NULL;
}

// A thread that comes while another one loads it waits for that, but not for ever: it may itself be what the other
// waits for.
static const TrtscopeWatcher* watcher(void) {
  enum { kUntried, kTrying, kTried };
  static int state = kUntried;
  static const TrtscopeWatcher* loaded;
  const struct timespec millisecond = {0, 1000000};
  int before = kUntried;
  if (__atomic_compare_exchange_n(&state, &before, kTrying, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    loaded = load();
    __atomic_store_n(&state, kTried, __ATOMIC_RELEASE);
    return loaded;
  }
  for (int waits = 0; before != kTried && waits < 1000; ++waits) {
    nanosleep(&millisecond, NULL);
    before = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
  }
  return before == kTried ? loaded : NULL;
}

static TrtscopeLibrary libraryOf(void* create) {
  LoadedObject object;
  TrtscopeLibrary library = {"", NULL, 0, create};
  if (!objectAt(create, &object)) return library;
  library.path = object.path;
  *(void**)&library.version = symbolIn(&object, "getInferLibVersion");
  library.isSimulator = symbolIn(&object, "trtscopeSimulator") != NULL;
  return library;
}

static void* make(int kind, void* create, void* engine, void* logger, int32_t version) {
  const TrtscopeWatcher* watching = watcher();
  if (watching == NULL) {
    return kind == kRefitter ? ((CreateRefitter)create)(engine, logger, version) : ((Create)create)(logger, version);
  }
  const TrtscopeLibrary library = libraryOf(create);
  switch (kind) {
    case kBuilder: return watching->createBuilder(&library, logger, version);
    case kRuntime: return watching->createRuntime(&library, logger, version);
    default: return watching->createRefitter(&library, engine, logger, version);
  }
}

// For a program that is linked with TensorRT: whose function it meant is found by what it says it needs.
static void* makeOfCaller(int kind, const void* caller, void* engine, void* logger, int32_t version) {
  LoadedObject object;
  const int definers = definersOf(kNames[kind], kNames, caller, &object);
  if (definers == 0) return NULL;
  void* create = symbolIn(&object, kNames[kind]);
  if (definers == 1) return make(kind, create, engine, logger, version);
  const TrtscopeWatcher* watching = watcher();
  if (watching != NULL && kind == kBuilder) {
    watching->pass("It has several TensorRT libraries, and which one it means cannot be told.");
  }
  return kind == kRefitter ? ((CreateRefitter)create)(engine, logger, version) : ((Create)create)(logger, version);
}

EXPORTED void* createInferBuilder_INTERNAL(void* logger, int32_t version) {
  return makeOfCaller(kBuilder, __builtin_return_address(0), NULL, logger, version);
}

EXPORTED void* createInferRuntime_INTERNAL(void* logger, int32_t version) {
  return makeOfCaller(kRuntime, __builtin_return_address(0), NULL, logger, version);
}

EXPORTED void* createInferRefitter_INTERNAL(void* engine, void* logger, int32_t version) {
  return makeOfCaller(kRefitter, __builtin_return_address(0), engine, logger, version);
}

// What dlsym answers instead of a function of TensorRT's: it knows which one it stands for. A process that has more
// TensorRT libraries than this looks the rest up as if we were not there.
enum { kMaxLibraries = 4 };
static void* meant[kKinds][kMaxLibraries];

#define STANDS_FOR(place)                                                       \
  static void* builderOf##place(void* logger, int32_t version) {                \
    return make(kBuilder, meant[kBuilder][place], NULL, logger, version);       \
  }                                                                             \
  static void* runtimeOf##place(void* logger, int32_t version) {                \
    return make(kRuntime, meant[kRuntime][place], NULL, logger, version);       \
  }                                                                             \
  static void* refitterOf##place(void* engine, void* logger, int32_t version) { \
    return make(kRefitter, meant[kRefitter][place], engine, logger, version);   \
  }
STANDS_FOR(0)
STANDS_FOR(1)
STANDS_FOR(2)
STANDS_FOR(3)

static void* const kStandIns[kKinds][kMaxLibraries] = {
    {(void*)builderOf0, (void*)builderOf1, (void*)builderOf2, (void*)builderOf3},
    {(void*)runtimeOf0, (void*)runtimeOf1, (void*)runtimeOf2, (void*)runtimeOf3},
    {(void*)refitterOf0, (void*)refitterOf1, (void*)refitterOf2, (void*)refitterOf3},
};

static bool isOurs(int kind, const void* function) {
  void* const ours[kKinds] = {(void*)createInferBuilder_INTERNAL, (void*)createInferRuntime_INTERNAL,
                              (void*)createInferRefitter_INTERNAL};
  return function == ours[kind];
}

static void* standInFor(int kind, void* function) {
  if (function == NULL || isOurs(kind, function)) return function;
  for (int place = 0; place < kMaxLibraries; ++place) {
    void* taken = NULL;
    if (__atomic_compare_exchange_n(&meant[kind][place], &taken, function, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
        taken == function) {
      return kStandIns[kind][place];
    }
  }
  return function;
}

static int kindOf(const char* name) {
  for (int kind = 0; kind < kKinds; ++kind) {
    if (strcmp(name, kNames[kind]) == 0) return kind;
  }
  return kKinds;
}

// Where the name is none of ours, the real one must see our caller's return address: it decides by it what RTLD_NEXT
// is. So the last call has to be a jump, which the build checks.
EXPORTED void* dlsym(void* restrict handle, const char* restrict name) {
  const Dlsym real = realDlsym();
  if (handle != RTLD_DEFAULT && handle != RTLD_NEXT && strncmp(name, "createInfer", 11) == 0) {
    const int kind = kindOf(name);
    if (kind != kKinds && isWatched()) return standInFor(kind, real(handle, name));
  }
  return real(handle, name);
}
