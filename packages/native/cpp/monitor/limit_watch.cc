#include "monitor/limit_watch.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace trtscope {

LimitWatch& LimitWatch::all() {
  // Never destroyed: its thread outlasts the static objects of this library.
  static LimitWatch* const watch = new LimitWatch();
  return *watch;
}

void LimitWatch::add(BuildMonitor& monitor) {
  const std::lock_guard lock(mutex_);
  monitors_.reserve(monitors_.size() + 1);
  if (!running_) std::thread([this] { run(); }).detach();
  running_ = true;
  monitors_.push_back(&monitor);
  changed_.notify_one();
}

void LimitWatch::remove(BuildMonitor& monitor) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(monitors_, &monitor);
}

void LimitWatch::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const Moment now = Moment::now();
    std::uint64_t next = Moment::kNever;
    for (BuildMonitor* monitor : monitors_) next = std::min(next, monitor->checkLimits(now));
    if (next == Moment::kNever) {
      changed_.wait(lock);
    } else {
      // What std::chrono calls steady is CLOCK_MONOTONIC.
      changed_.wait_until(lock, std::chrono::steady_clock::time_point(std::chrono::nanoseconds(next)));
    }
  }
}

}  // namespace trtscope
