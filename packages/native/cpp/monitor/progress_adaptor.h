#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "abi/interfaces.h"
#include "monitor/build_monitor.h"

namespace trtscope {

// TensorRT's progress monitor, told on to a BuildMonitor. Any thread; outlives the build that it watches.
class ProgressAdaptor final : public abi::ProgressMonitor {
 public:
  explicit ProgressAdaptor(BuildMonitor& monitor) : monitor_(monitor) {}

  void phaseStart(const char* phaseName, const char* parentPhase, std::int32_t nbSteps) noexcept override;
  bool stepComplete(const char* phaseName, std::int32_t step) noexcept override;
  void phaseFinish(const char* phaseName) noexcept override;

  // TensorRT's first phase is to end `phase`, one of ours: TensorRT checks the network before it speaks.
  void endsWithFirst(std::uint32_t phase) noexcept { opening_.store(phase, std::memory_order_relaxed); }
  // Where TensorRT is, as BuildMonitor::livePath() says it, or was before it began to finish phases: it reports an
  // error when it has finished them all.
  std::string failurePath() const;
  // Whether TensorRT has been told to give the build up.
  bool saidNo() const noexcept { return saidNo_.load(std::memory_order_relaxed); }

 private:
  BuildMonitor& monitor_;
  mutable std::mutex mutex_;  // guards pathBefore_
  std::string pathBefore_;
  std::atomic<bool> finishing_{
      false};  // the last callback was a finish; relaxed, as all here: nothing is ordered by them
  std::atomic<std::uint32_t> opening_{0};
  std::atomic<bool> saidNo_{false};
};

}  // namespace trtscope
