#pragma once

#include <string>
#include <vector>

#include "abi/interfaces.h"
#include "simulator/object.h"

namespace trtscope::simulator {

class Profile final : public Object<Profile> {
 public:
  static void* const* table();

  // As "setDimensions image 0 1x3x224x224".
  const std::vector<std::string>& calls() const { return calls_; }

 private:
  bool setDimensions(const char* input, std::int32_t selector, const abi::Dims* dims);

  std::vector<std::string> calls_;
};

}  // namespace trtscope::simulator
