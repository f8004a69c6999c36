#pragma once

// Enumerators by the name that NVIDIA's API has for them, with their values in the columns of slot_list.h:
//
//   TensorRT 10  |  TensorRT-RTX 1.3, 1.4  |  TensorRT-RTX 1.5-1.7  |  TensorRT 11
//
// -1: it has none. test/abi compares every value with NVIDIA's headers.
#define TRTSCOPE_BUILDER_FLAGS(VALUE)                 \
  VALUE(FP16, 0, 0, -1, -1)                           \
  VALUE(INT8, 1, 1, -1, -1)                           \
  VALUE(DEBUG, 2, 2, 2, 2)                            \
  VALUE(GPU_FALLBACK, 3, 3, 3, 3)                     \
  VALUE(REFIT, 4, 4, 4, 4)                            \
  VALUE(DISABLE_TIMING_CACHE, 5, 5, 5, 5)             \
  VALUE(TF32, 6, 6, 6, 6)                             \
  VALUE(SPARSE_WEIGHTS, 7, 7, 7, 7)                   \
  VALUE(SAFETY_SCOPE, 8, 8, 8, 8)                     \
  VALUE(OBEY_PRECISION_CONSTRAINTS, 9, 9, -1, -1)     \
  VALUE(PREFER_PRECISION_CONSTRAINTS, 10, 10, -1, -1) \
  VALUE(DIRECT_IO, 11, 11, 11, 11)                    \
  VALUE(REJECT_EMPTY_ALGORITHMS, 12, 12, -1, -1)      \
  VALUE(VERSION_COMPATIBLE, 13, 13, 12, 12)           \
  VALUE(EXCLUDE_LEAN_RUNTIME, 14, 14, 13, 13)         \
  VALUE(FP8, 15, 15, -1, -1)                          \
  VALUE(ERROR_ON_TIMING_CACHE_MISS, 16, 16, 15, 15)   \
  VALUE(BF16, 17, 17, -1, -1)                         \
  VALUE(DISABLE_COMPILATION_CACHE, 18, 18, 17, 17)    \
  VALUE(STRIP_PLAN, 19, 19, 18, 18)                   \
  VALUE(REFIT_IDENTICAL, 20, 20, 19, 19)              \
  VALUE(WEIGHT_STREAMING, 21, 21, 20, 20)             \
  VALUE(INT4, 22, 22, -1, -1)                         \
  VALUE(REFIT_INDIVIDUAL, 23, 23, 22, 22)             \
  VALUE(STRICT_NANS, 24, 24, 23, 23)                  \
  VALUE(MONITOR_MEMORY, 25, 25, 24, 24)               \
  VALUE(FP4, 26, 26, -1, -1)                          \
  VALUE(EDITABLE_TIMING_CACHE, 27, 27, 26, 26)        \
  VALUE(DISTRIBUTIVE_INDEPENDENCE, 28, 28, 27, 27)    \
  VALUE(REQUIRE_USER_ALLOCATION, -1, -1, 28, -1)

#define TRTSCOPE_MEMORY_POOLS(VALUE)  \
  VALUE(WORKSPACE, 0, 0, 0, 0)        \
  VALUE(DLA_MANAGED_SRAM, 1, 1, 1, 1) \
  VALUE(DLA_LOCAL_DRAM, 2, 2, 2, 2)   \
  VALUE(DLA_GLOBAL_DRAM, 3, 3, 3, 3)  \
  VALUE(TACTIC_DRAM, 4, 4, 4, 4)      \
  VALUE(TACTIC_SHARED_MEMORY, 5, 5, 5, 5)

#define TRTSCOPE_HARDWARE_COMPATIBILITY_LEVELS(VALUE) \
  VALUE(NONE, 0, 0, 0, 0)                             \
  VALUE(AMPERE_PLUS, 1, 1, 1, 1)                      \
  VALUE(SAME_COMPUTE_CAPABILITY, 2, 2, 2, 2)

#define TRTSCOPE_PROFILING_VERBOSITIES(VALUE) \
  VALUE(LAYER_NAMES_ONLY, 0, 0, 0, 0)         \
  VALUE(NONE, 1, 1, 1, 1)                     \
  VALUE(DETAILED, 2, 2, 2, 2)

#define TRTSCOPE_NETWORK_FLAGS(VALUE) VALUE(STRONGLY_TYPED, 1, 1, 0, 0)
