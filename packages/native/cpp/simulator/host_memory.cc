#include "simulator/host_memory.h"

namespace trtscope::simulator {

void* const* HostMemory::table() {
  static const auto kTable = FunctionTable<Interface::kHostMemory>()
                                 .with<&HostMemory::data>(abi::Slot::kMemoryData)
                                 .with<&HostMemory::size>(abi::Slot::kMemorySize);
  return kTable.functions();
}

}  // namespace trtscope::simulator
