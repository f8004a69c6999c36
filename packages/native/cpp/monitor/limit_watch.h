#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "monitor/build_monitor.h"

namespace trtscope {

// Checks the limits of every build of this process, on one thread of its own that begins with the first build and then
// stays. Any thread. For a process that has no thread to spare for it.
class LimitWatch {
 public:
  static LimitWatch& all();

  // Throws what std::thread throws, and then does not watch.
  void add(BuildMonitor& monitor);
  // After it the monitor is left alone. Waits for a check that is under way.
  void remove(BuildMonitor& monitor) noexcept;

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<BuildMonitor*> monitors_;
  bool running_ = false;
};

}  // namespace trtscope
