// What TensorRT's libraries export, for the version TRTSCOPE_SIMULATED_VERSION: one file per library is compiled of
// this source, the rest they share.
#include <cstdint>

#include "simulator/builder.h"
#include "simulator/parser.h"

#define TRTSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

namespace trtscope::simulator {

const abi::Layout& layout() {
  static const abi::Layout kLayout = *abi::Layout::of(TRTSCOPE_SIMULATED_VERSION, abi::Maker::kSimulator);
  return kLayout;
}

}  // namespace trtscope::simulator

using namespace trtscope::simulator;

// By this cpp/abi/library.cc knows that it is not TensorRT.
TRTSCOPE_EXPORT const char trtscopeSimulator[] = "trtscope's simulator of TensorRT";

TRTSCOPE_EXPORT std::int32_t getInferLibVersion() noexcept { return TRTSCOPE_SIMULATED_VERSION; }

TRTSCOPE_EXPORT void* createInferBuilder_INTERNAL(void* logger, std::int32_t) noexcept { return Builder::make(logger); }

TRTSCOPE_EXPORT void* createNvOnnxParser_INTERNAL(void* network, void* logger, int) noexcept {
  return static_cast<Callee*>(std::make_unique<Parser>(Network::of(network), logger).release());
}
