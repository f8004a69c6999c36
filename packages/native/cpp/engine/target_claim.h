#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/descriptor.h"

namespace trtscope {

// A try to become the only one that replaces a file. Whoever does has an empty temporary beside it, named
// `.NAME.PID.TAG.trtscope-tmp` and locked by flock: the lock ends with its process, however that ends. A temporary
// that nobody has locked is what a dead process left, and goes with the next claim.
struct Claim {
  Descriptor file;                 // open exactly when the target was taken
  std::string temporary;           // its path
  std::string holder;              // else the process id of who has the target
  std::string fault;               // else why it cannot be taken
  std::vector<std::string> swept;  // what dead processes had left
};

// `tag`: up to 13 small letters and digits that no other build of this process id has ever had, so that whoever knows a
// temporary's name may remove it when its process is gone. May wait for half a second. Any thread.
Claim claimTarget(const std::string& target, std::string_view tag);

}  // namespace trtscope
