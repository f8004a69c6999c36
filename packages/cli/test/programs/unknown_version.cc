// A simulator of TensorRT 10.13 that tells another version. Compiled with cpp/simulator and cpp/abi.
#include <cstdint>

#define TRTSCOPE_SIMULATED_VERSION 101303
#define getInferLibVersion simulatedVersion
#include "simulator/library/entry_points.cc"
#undef getInferLibVersion

TRTSCOPE_EXPORT std::int32_t getInferLibVersion() noexcept { return 109900; }
