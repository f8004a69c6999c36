#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace trtscope {

// Puts files in place so that at every instant a target is absent, the old bytes or the whole new bytes: written to a
// temporary beside the target (`.NAME.PID.trtscope-tmp`), synced, renamed.
class Placement {
 public:
  // On the build's thread. Answers why it cannot be done, "" when it is. When `beforeRename` throws, the temporary is
  // gone. Throws BuildCancelled once abandoned.
  std::string put(const std::string& target, std::string_view bytes, const std::function<void()>& beforeRename);
  // On any thread: removes what is not in place yet, and nothing is put in place any more. Answers whether something
  // is.
  bool abandon() noexcept;

 private:
  void removeTemporary() noexcept;

  std::mutex mutex_;       // held for a rename or an unlink, never for a write
  std::string temporary_;  // "" while there is none
  bool abandoned_ = false;
  bool placed_ = false;
};

}  // namespace trtscope
