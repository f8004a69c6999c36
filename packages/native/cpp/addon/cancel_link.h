#pragma once

#include <string>

#include "addon/cancel_tokens.h"

namespace trtscope {

// A way to cancel a builder process from any thread: a socket of its own, on which nobody else speaks. Closed when it
// goes.
class CancelLink final : public CancelTarget {
 public:
  // Throws std::system_error.
  explicit CancelLink(std::string token);
  ~CancelLink() override;
  CancelLink(const CancelLink&) = delete;
  CancelLink& operator=(const CancelLink&) = delete;

  // The builder's end, for a process that is started now, and gone from this one when it has been.
  int farEnd() const noexcept { return far_; }
  void closeFarEnd() noexcept;

  bool request(const CancelReason& reason) noexcept override;

 private:
  const std::string token_;
  int near_ = -1;
  int far_ = -1;
};

}  // namespace trtscope
