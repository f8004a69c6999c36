#pragma once

#include <atomic>
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
  explicit WatchedBuild(std::string id);

  const std::string& id() const { return id_; }
  BuildMonitor& monitor() { return monitor_; }
  EventLines& lines() { return lines_; }
  ProgramMonitor& progress() { return progress_; }
  // The line that comes before all others.
  std::string opening() const;

  // What builds. Once, the first time.
  void loaded(const std::string& edition, const std::string& version, const std::string& path);

  // For a program that gives TensorRT our monitor by itself, from now on, and says how the build ended; an empty
  // message is none. Only the first end counts, be it this one or run()'s.
  void begin();
  void end(bool built, const std::string& message);
  // The process ends: such a build will not be said to have ended.
  void leave();

  // The program's call, on its thread; `build` answers whether TensorRT did build. While it runs `config` has our
  // monitor, which passes everything on to the program's own; after begin() it has that already.
  void run(void* config, const abi::Layout& layout, const std::function<bool()>& build);

  // A log line of TensorRT's belongs to the build whose thread says it, else to all that run.
  static void heard(std::int32_t severity, const char* message) noexcept;

 private:
  void hear(std::int32_t severity, const char* message) noexcept;
  Ending endingOf(bool built, const std::string& message) const;

  const std::string id_;
  const std::uint64_t originNs_;
  const std::int64_t startedAtNs_;  // since 1970
  BuildMonitor monitor_;
  EventLines lines_;
  ProgramMonitor progress_;
  std::atomic<bool> loaded_{false};
  std::atomic<bool> begun_{false};
  mutable std::mutex mutex_;  // guards errors_
  std::vector<std::string> errors_;
};

}  // namespace trtscope::hook
