#pragma once

#include <map>
#include <mutex>
#include <string>

#include "monitor/limits.h"

namespace trtscope {

// A build as those see it who know its token.
class CancelTarget {
 public:
  virtual ~CancelTarget() = default;
  // Any thread; does not block. Answers false when there is nothing left to cancel.
  virtual bool request(const CancelReason& reason) noexcept = 0;
};

// The builds of the process by their tokens, so that a thread can cancel one while the thread that began it is busy.
// Any thread.
class CancelTokens {
 public:
  static CancelTokens& all();

  void add(const std::string& token, CancelTarget& target);
  // After it the target is left alone.
  void remove(const std::string& token) noexcept;
  // Answers whether such a build runs, and has been asked.
  bool request(const std::string& token, const CancelReason& reason) noexcept;

 private:
  std::mutex mutex_;
  std::map<std::string, CancelTarget*> targets_;
};

}  // namespace trtscope
