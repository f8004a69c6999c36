#include "monitor/error_recorder.h"

namespace trtscope {
namespace {
constexpr std::int32_t kUnspecified = 1;  // an error code
constexpr std::uint8_t kError = 1;        // a log severity
}  // namespace

std::optional<ErrorRecorder::Error> ErrorRecorder::first() const {
  const std::lock_guard lock(mutex_);
  return first_;
}

std::int64_t ErrorRecorder::count() const noexcept {
  const std::lock_guard lock(mutex_);
  return count_;
}

void ErrorRecorder::forget() noexcept {
  const std::lock_guard lock(mutex_);
  first_.reset();
  count_ = 0;
}

std::int32_t ErrorRecorder::getNbErrors() const noexcept { return count() > 0 ? 1 : 0; }

std::int32_t ErrorRecorder::getErrorCode(std::int32_t index) const noexcept {
  const std::lock_guard lock(mutex_);
  return index == 0 && first_ ? first_->code : kUnspecified;
}

const char* ErrorRecorder::getErrorDesc(std::int32_t index) const noexcept {
  const std::lock_guard lock(mutex_);
  return index == 0 && first_ ? first_->description.c_str() : "";
}

bool ErrorRecorder::hasOverflowed() const noexcept { return count() > 1; }

bool ErrorRecorder::reportError(std::int32_t code, const char* description) noexcept {
  const std::string_view words = description == nullptr ? "" : description;
  monitor_.log(kError, words, Origin::kTensorrt, code);
  try {
    const std::lock_guard lock(mutex_);
    ++count_;
    if (!first_) first_ = Error{code, std::string(words), progress_.failurePath()};
  } catch (...) {}
  // Not fatal: whether to go on is TensorRT's own decision, as it is when nobody watches.
  return false;
}

}  // namespace trtscope
