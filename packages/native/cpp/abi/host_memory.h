#pragma once

#include <cstddef>
#include <string_view>

#include "abi/object.h"

namespace trtscope::abi {

// Bytes that TensorRT made: an engine, a timing cache.
class HostMemory : public OwnedObject {
 public:
  using OwnedObject::OwnedObject;

  std::string_view bytes() const {
    return {static_cast<const char*>(call<void*>(Slot::kMemoryData)), call<std::size_t>(Slot::kMemorySize)};
  }
};

}  // namespace trtscope::abi
