#include "monitor/logger_adaptor.h"

namespace trtscope {
namespace {
constexpr std::int32_t kError = 1;
constexpr std::int32_t kWarning = 2;
}  // namespace

void* LoggerAdaptor::forLayout(const abi::Layout& layout) {
  if (layout.loggerIsVersioned()) return static_cast<abi::VersionedLogger*>(this);
  return static_cast<abi::UnversionedLogger*>(this);
}

std::vector<std::string> LoggerAdaptor::errors() const {
  const std::lock_guard lock(mutex_);
  return errors_;
}

std::string LoggerAdaptor::lastWarning() const {
  const std::lock_guard lock(mutex_);
  return lastWarning_;
}

void LoggerAdaptor::forget() noexcept {
  const std::lock_guard lock(mutex_);
  errors_.clear();
  lastWarning_.clear();
}

void LoggerAdaptor::log(std::int32_t severity, const char* message) noexcept {
  if (message == nullptr || severity < 0) return;
  if (severity <= leastSevere_) monitor_.log(static_cast<std::uint8_t>(severity), message, Origin::kTensorrt);
  if (severity > kWarning) return;
  try {
    const std::lock_guard lock(mutex_);
    if (severity == kWarning) {
      lastWarning_ = message;
    } else if (errors_.size() < kMaxKept) {
      errors_.emplace_back(message);
    }
  } catch (...) {}
}

}  // namespace trtscope
