#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/target_claim.h"

namespace trtscope {

// One file of a build on its way to its place, where at every instant are no bytes, the old ones or the whole new ones:
// written to a temporary beside it, synced, renamed. From claim() on no other build may replace it.
class Placement {
 public:
  // `tag` as in claimTarget().
  Placement(std::string target, std::string tag) : target_(std::move(target)), tag_(std::move(tag)) {}

  struct Answer {
    std::string holder;              // the process id of who has the target
    std::string fault;               // else why it cannot be taken; both "": it is ours
    std::vector<std::string> swept;  // temporaries of dead processes that were removed
  };
  // On the build's thread, as put() and release(). Throws BuildCancelled once abandoned.
  Answer claim();
  // Answers why it cannot be done, "" when it is; either way the target is free again. When `beforeRename` throws, it
  // is still ours. Throws BuildCancelled once abandoned.
  std::string put(std::string_view bytes, const std::function<void()>& beforeRename);
  // Frees the target without a change. Answers the temporary that was removed, "" when there was none.
  std::string release() noexcept;
  // On any thread: removes what is not in place yet, adds it to `removed`, and nothing is put in place any more.
  // Answers whether something is.
  bool abandon(std::vector<std::string>* removed = nullptr) noexcept;

 private:
  std::string removeTemporary() noexcept;

  const std::string target_;
  const std::string tag_;
  Descriptor file_;
  std::mutex mutex_;       // held for a claim, a rename or an unlink, never for a write
  std::string temporary_;  // "" while there is none
  bool abandoned_ = false;
  bool placed_ = false;
};

}  // namespace trtscope
