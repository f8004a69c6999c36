#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "abi/interfaces.h"
#include "hook/watch/watched_build.h"

namespace trtscope::hook {

// The monitor of include/trtscope.h: one build that the program tells of itself, and ends. Any thread.
class GivenMonitor final : public abi::ProgressMonitor {
 public:
  // Begins the build, where anybody listens.
  GivenMonitor();
  // A build that has not ended has failed. No thread may be inside.
  ~GivenMonitor() noexcept override;

  // The build of a program's monitor, if that is one of these and has not ended: it is told of already. Once for each.
  static std::shared_ptr<WatchedBuild> takeBuildOf(abi::ProgressMonitor* monitor);

  void loaded(const std::string& edition, const std::string& version);
  void finish(bool built, const std::string& message);
  void cancel(const std::string& reason);
  bool isCancelled() const noexcept;

  void phaseStart(const char* phaseName, const char* parentPhase, std::int32_t nbSteps) noexcept override;
  bool stepComplete(const char* phaseName, std::int32_t step) noexcept override;
  void phaseFinish(const char* phaseName) noexcept override;

 private:
  // Null when nobody listens, and in a child of the process that began it.
  WatchedBuild* build() const noexcept;

  const unsigned generation_;
  std::shared_ptr<WatchedBuild> build_;
  std::atomic<bool> cancelled_{false};  // by the program
  std::atomic<bool> finished_{false};
  bool taken_ = false;  // under Locked
};

}  // namespace trtscope::hook
