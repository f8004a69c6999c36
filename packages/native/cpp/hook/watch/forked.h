#pragma once

#include <mutex>

namespace trtscope::hook {

// The one lock of all that this library keeps for the process. A fork waits for it, so that a child finds everything
// whole; what belongs to the parent is not the child's.
class Locked {
 public:
  Locked();

 private:
  std::lock_guard<std::mutex> lock_;
};

// Whether this is a child of the process in which `generation` was current.
unsigned generation() noexcept;

}  // namespace trtscope::hook
