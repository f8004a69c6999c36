#pragma once

#include <cstdint>

#include "abi/interfaces.h"
#include "abi/object.h"

namespace trtscope::abi {

// An input of a network, which owns it.
class Tensor : public Object {
 public:
  using Object::Object;

  const char* name() const { return call<const char*>(Slot::kTensorName); }
  // Extents of -1 are dynamic.
  Dims dimensions() const { return call<Dims>(Slot::kTensorDimensions); }
};

class Network : public OwnedObject {
 public:
  using OwnedObject::OwnedObject;

  std::int32_t layerCount() const { return call<std::int32_t>(Slot::kNetworkLayerCount); }
  std::int32_t inputCount() const { return call<std::int32_t>(Slot::kNetworkInputCount); }
  std::int32_t outputCount() const { return call<std::int32_t>(Slot::kNetworkOutputCount); }
  Tensor input(std::int32_t index) const { return {call<void*, std::int32_t>(Slot::kNetworkInput, index), layout()}; }
};

}  // namespace trtscope::abi
