#include "simulator/function_table.h"

#include <cstdio>
#include <cstdlib>

namespace trtscope::simulator {
namespace {

const char* nameOf(Interface interface) {
  switch (interface) {
    case Interface::kBuilder: return "VBuilder";
    case Interface::kBuilderConfig: return "VBuilderConfig";
    case Interface::kNetwork: return "VNetworkDefinition";
    case Interface::kTensor: return "VTensor";
    case Interface::kProfile: return "VOptimizationProfile";
    case Interface::kHostMemory: return "VHostMemory";
    case Interface::kTimingCache: return "VTimingCache";
    case Interface::kParser: return "IParser";
    case Interface::kParserError: return "IParserError";
    case Interface::kHandle: return "an object's own table";
  }
  return "";
}

}  // namespace

void refuseSlot(Interface interface, int slot) noexcept {
  std::fprintf(stderr, "%s has no function in slot %d of %s.\n", layout().title().c_str(), slot, nameOf(interface));
  std::abort();
}

}  // namespace trtscope::simulator
