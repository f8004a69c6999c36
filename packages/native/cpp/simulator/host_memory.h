#pragma once

#include <string>
#include <utility>

#include "simulator/object.h"

namespace trtscope::simulator {

class HostMemory final : public Object<HostMemory> {
 public:
  explicit HostMemory(std::string bytes) : bytes_(std::move(bytes)) {}
  static void* const* table();

 private:
  void* data() { return bytes_.data(); }
  std::size_t size() { return bytes_.size(); }

  std::string bytes_;
};

}  // namespace trtscope::simulator
