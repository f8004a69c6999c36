#pragma once

#include <cstdint>

#include "abi/interfaces.h"
#include "abi/object.h"

namespace trtscope::abi {

enum class ProfileSelector : std::int32_t { kMin = 0, kOpt = 1, kMax = 2 };

// Shapes that an engine is built for. The builder owns it.
class Profile : public Object {
 public:
  using Object::Object;

  bool setDimensions(const char* input, ProfileSelector selector, const Dims& dims) const {
    return call<bool, const char*, ProfileSelector, const Dims*>(Slot::kProfileSetDimensions, input, selector, &dims);
  }
};

}  // namespace trtscope::abi
