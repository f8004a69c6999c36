#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "abi/interfaces.h"
#include "monitor/build_monitor.h"
#include "monitor/progress_adaptor.h"

namespace trtscope {

// TensorRT's error recorder. Tells every error to a BuildMonitor as a log line with a code: TensorRT does not give to
// its logger what a recorder gets. Keeps the first with the place where it happened. Any thread. There may be errors
// after a success: they say nothing of the outcome.
class ErrorRecorder final : public abi::ErrorRecorder {
 public:
  struct Error {
    std::int32_t code;
    std::string description;
    std::string phasePath;
  };

  ErrorRecorder(BuildMonitor& monitor, const ProgressAdaptor& progress) : monitor_(monitor), progress_(progress) {}

  std::optional<Error> first() const;
  std::int64_t count() const noexcept;
  // Begins anew: what was reported so far did no harm.
  void forget() noexcept;

  std::int32_t getNbErrors() const noexcept override;
  std::int32_t getErrorCode(std::int32_t index) const noexcept override;
  const char* getErrorDesc(std::int32_t index) const noexcept override;
  bool hasOverflowed() const noexcept override;
  // Does nothing: what TensorRT no longer wants to see is still the reason why it failed.
  void clear() noexcept override {}
  bool reportError(std::int32_t code, const char* description) noexcept override;
  std::int32_t incRefCount() noexcept override { return 1; }
  std::int32_t decRefCount() noexcept override { return 1; }

 private:
  BuildMonitor& monitor_;
  const ProgressAdaptor& progress_;
  mutable std::mutex mutex_;
  std::optional<Error> first_;
  std::int64_t count_ = 0;
};

}  // namespace trtscope
