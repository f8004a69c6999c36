#include "monitor/logger_adaptor.h"

#include "abi/interfaces.h"

namespace trtscope {
namespace {

constexpr std::int32_t kError = 1;
constexpr std::int32_t kWarning = 2;

thread_local LoggerAdaptor* ofThisThread = nullptr;

// What TensorRT is given, in both of its forms.
class SharedLogger final : public abi::UnversionedLogger, public abi::VersionedLogger {
 public:
  // Never destroyed: TensorRT may speak while the process ends.
  static SharedLogger& instance() {
    static auto* const logger = new SharedLogger;
    return *logger;
  }

  void add(LoggerAdaptor* adaptor) {
    const std::lock_guard lock(mutex_);
    running_.push_back(adaptor);
  }
  void remove(LoggerAdaptor* adaptor) {
    const std::lock_guard lock(mutex_);
    std::erase(running_, adaptor);
  }

  void log(std::int32_t severity, const char* message) noexcept override {
    if (ofThisThread != nullptr) return ofThisThread->log(severity, message);
    const std::lock_guard lock(mutex_);
    for (LoggerAdaptor* adaptor : running_) adaptor->log(severity, message);
  }

 private:
  std::mutex mutex_;
  std::vector<LoggerAdaptor*> running_;
};

}  // namespace

LoggerAdaptor::LoggerAdaptor(BuildMonitor& monitor, std::int32_t leastSevere)
    : monitor_(monitor), leastSevere_(leastSevere) {
  SharedLogger::instance().add(this);
  ofThisThread = this;
}

LoggerAdaptor::~LoggerAdaptor() {
  ofThisThread = nullptr;
  SharedLogger::instance().remove(this);
}

void* LoggerAdaptor::forLayout(const abi::Layout& layout) {
  SharedLogger& logger = SharedLogger::instance();
  if (layout.loggerIsVersioned()) return static_cast<abi::VersionedLogger*>(&logger);
  return static_cast<abi::UnversionedLogger*>(&logger);
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
