#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "abi/interfaces.h"
#include "abi/layout.h"
#include "hook/hook_interface.h"
#include "hook/watch/program_monitor.h"
#include "monitor/build_monitor.h"
#include "wire/event_lines.h"

namespace trtscope::hook {

// One call of a build function of TensorRT's by the program: its records, its lines, and whether it is to stop.
class WatchedBuild {
 public:
  WatchedBuild(std::string id, const abi::Layout& layout, const std::string& path);

  const std::string& id() const { return id_; }
  BuildMonitor& monitor() { return monitor_; }
  EventLines& lines() { return lines_; }
  // The line that comes before all others.
  std::string opening() const;

  // The program's call, on its thread; `build` answers whether TensorRT did build. While it runs `config` has our
  // monitor, which passes everything on to the program's own.
  void run(void* config, const abi::Layout& layout, const std::function<bool()>& build);

  // A log line of TensorRT's belongs to the build whose thread says it, else to all that run.
  static void heard(std::int32_t severity, const char* message) noexcept;

 private:
  void hear(std::int32_t severity, const char* message) noexcept;
  Ending endingOf(bool built) const;

  const std::string id_;
  const std::uint64_t originNs_;
  const std::int64_t startedAtNs_;  // since 1970
  BuildMonitor monitor_;
  EventLines lines_;
  ProgramMonitor progress_;
  mutable std::mutex mutex_;  // guards errors_
  std::vector<std::string> errors_;
};

}  // namespace trtscope::hook
