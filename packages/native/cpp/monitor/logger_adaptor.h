#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "abi/layout.h"
#include "monitor/build_monitor.h"

namespace trtscope {

// TensorRT's log lines of one build, told on to its BuildMonitor. Made on the build's thread, outlives all that
// TensorRT makes there. A line belongs to the build whose thread says it; one from a thread of TensorRT's own to all
// that run.
class LoggerAdaptor {
 public:
  // Lines less severe than `leastSevere` are dropped.
  LoggerAdaptor(BuildMonitor& monitor, std::int32_t leastSevere);
  ~LoggerAdaptor();
  LoggerAdaptor(const LoggerAdaptor&) = delete;
  LoggerAdaptor& operator=(const LoggerAdaptor&) = delete;

  // The logger for createInferBuilder, in the form that a layout wants: one for the whole process and for good, since
  // TensorRT keeps the first that it is given for all builders.
  static void* forLayout(const abi::Layout& layout);

  // The first kMaxKept lines of severity error or worse: sometimes only they say what was wrong.
  std::vector<std::string> errors() const;
  // The last warning, which may say why something had no effect; "" when there was none.
  std::string lastWarning() const;
  void forget() noexcept;

  void log(std::int32_t severity, const char* message) noexcept;

 private:
  static constexpr std::size_t kMaxKept = 32;

  BuildMonitor& monitor_;
  const std::int32_t leastSevere_;
  mutable std::mutex mutex_;
  std::vector<std::string> errors_;
  std::string lastWarning_;
};

}  // namespace trtscope
