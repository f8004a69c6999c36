#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "abi/interfaces.h"
#include "abi/layout.h"
#include "monitor/build_monitor.h"

namespace trtscope {

// TensorRT's logger in both of its forms, told on to a BuildMonitor. Any thread; must outlive all that TensorRT makes.
class LoggerAdaptor final : private abi::UnversionedLogger, private abi::VersionedLogger {
 public:
  // Lines less severe than `leastSevere` are dropped.
  LoggerAdaptor(BuildMonitor& monitor, std::int32_t leastSevere) : monitor_(monitor), leastSevere_(leastSevere) {}

  // The form that a layout wants, as createInferBuilder takes it.
  void* forLayout(const abi::Layout& layout);
  // The first kMaxKept lines of severity error or worse: sometimes only they say what was wrong.
  std::vector<std::string> errors() const;
  // The last warning, which may say why something had no effect; "" when there was none.
  std::string lastWarning() const;
  void forget() noexcept;

 private:
  static constexpr std::size_t kMaxKept = 32;

  void log(std::int32_t severity, const char* message) noexcept override;

  BuildMonitor& monitor_;
  const std::int32_t leastSevere_;
  mutable std::mutex mutex_;
  std::vector<std::string> errors_;
  std::string lastWarning_;
};

}  // namespace trtscope
