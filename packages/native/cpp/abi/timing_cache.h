#pragma once

#include "abi/host_memory.h"

namespace trtscope::abi {

class TimingCache : public OwnedObject {
 public:
  using OwnedObject::OwnedObject;

  HostMemory serialize() const { return {call<void*>(Slot::kCacheSerialize), layout()}; }
  // Takes what `other`, a cache of TensorRT's, has. False when they do not fit.
  bool combine(const void* other) const { return call<bool, const void*, bool>(Slot::kCacheCombine, other, false); }
};

}  // namespace trtscope::abi
