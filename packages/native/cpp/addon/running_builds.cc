#include "addon/running_builds.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace trtscope {

namespace {

constexpr std::chrono::seconds kGrace(1);

}  // namespace

RunningBuilds& RunningBuilds::all() {
  // Never destroyed: threads may outlast the static objects of this library.
  static RunningBuilds* const builds = new RunningBuilds();
  return *builds;
}

void RunningBuilds::add(RunningBuild& build) {
  const std::lock_guard lock(mutex_);
  builds_.push_back(&build);
}

void RunningBuilds::remove(RunningBuild& build) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(builds_, &build);
  removed_.notify_all();
}

bool RunningBuilds::settle(const std::function<bool(const RunningBuild&)>& chosen) {
  std::unique_lock lock(mutex_);
  for (;;) {
    auto until = std::chrono::steady_clock::time_point::min();
    for (RunningBuild* build : builds_) {
      if (!chosen(*build)) continue;
      if (!build->leaving_) {
        build->leaving_ = true;
        build->leaveUntil_ = std::chrono::steady_clock::now() + kGrace;
        build->cancel();
      }
      until = std::max(until, build->leaveUntil_);
    }
    if (until == std::chrono::steady_clock::time_point::min()) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
    removed_.wait_until(lock, until);
  }
}

void RunningBuilds::guardExit() noexcept { on_exit(&RunningBuilds::atExit, this); }

void RunningBuilds::atExit(int code, void* self) {
  auto& builds = *static_cast<RunningBuilds*>(self);
  if (builds.settle([](const RunningBuild&) { return true; })) return;
  {
    const std::lock_guard lock(builds.mutex_);
    for (RunningBuild* build : builds.builds_) build->abandon();
  }
  _exit(code);
}

}  // namespace trtscope
