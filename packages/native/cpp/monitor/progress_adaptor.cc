#include "monitor/progress_adaptor.h"

namespace trtscope {

void ProgressAdaptor::phaseStart(const char* phaseName, const char* parentPhase, std::int32_t nbSteps) noexcept {
  if (opening_.load(std::memory_order_relaxed) != 0) monitor_.endOwn(opening_.exchange(0, std::memory_order_relaxed));
  finishing_.store(false, std::memory_order_relaxed);
  monitor_.phaseStart(phaseName, parentPhase, nbSteps);
}

bool ProgressAdaptor::stepComplete(const char* phaseName, std::int32_t step) noexcept {
  // Reading first keeps the cache line shared: steps come from many threads.
  if (finishing_.load(std::memory_order_relaxed)) finishing_.store(false, std::memory_order_relaxed);
  if (monitor_.step(phaseName, step)) return true;
  saidNo_.store(true, std::memory_order_relaxed);
  return false;
}

void ProgressAdaptor::phaseFinish(const char* phaseName) noexcept {
  if (!finishing_.exchange(true, std::memory_order_relaxed)) {
    try {
      std::string path = monitor_.livePath();
      const std::lock_guard lock(mutex_);
      pathBefore_ = std::move(path);
    } catch (...) {}
  }
  monitor_.phaseFinish(phaseName);
}

std::string ProgressAdaptor::failurePath() const {
  if (!finishing_.load(std::memory_order_relaxed)) return monitor_.livePath();
  const std::lock_guard lock(mutex_);
  return pathBefore_;
}

}  // namespace trtscope
