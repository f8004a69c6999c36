#include "addon/cancel_tokens.h"

namespace trtscope {

CancelTokens& CancelTokens::all() {
  // Never destroyed: threads may outlast the static objects of this library.
  static CancelTokens* const tokens = new CancelTokens();
  return *tokens;
}

void CancelTokens::add(const std::string& token, CancelTarget& target) {
  const std::lock_guard lock(mutex_);
  targets_[token] = &target;
}

void CancelTokens::remove(const std::string& token) noexcept {
  const std::lock_guard lock(mutex_);
  targets_.erase(token);
}

bool CancelTokens::request(const std::string& token, const CancelReason& reason) noexcept {
  const std::lock_guard lock(mutex_);
  const auto target = targets_.find(token);
  return target != targets_.end() && target->second->request(reason);
}

}  // namespace trtscope
