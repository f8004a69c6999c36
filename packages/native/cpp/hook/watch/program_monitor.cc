#include "hook/watch/program_monitor.h"

#include "hook/watch/forked.h"

namespace trtscope::hook {

ProgramMonitor::ProgramMonitor(BuildMonitor& monitor) : monitor_(monitor), ours_(monitor), generation_(generation()) {}

// A child that goes on with its parent's build: what we keep of it is the parent's, and may be locked for good.
bool ProgramMonitor::isChild() const noexcept { return generation_ != generation(); }

void ProgramMonitor::phaseStart(const char* phaseName, const char* parentPhase, std::int32_t nbSteps) noexcept {
  if (!isChild()) ours_.phaseStart(phaseName, parentPhase, nbSteps);
  if (programs_ != nullptr) programs_->phaseStart(phaseName, parentPhase, nbSteps);
}

bool ProgramMonitor::stepComplete(const char* phaseName, std::int32_t step) noexcept {
  const bool programGoesOn = programs_ == nullptr || programs_->stepComplete(phaseName, step);
  if (isChild()) return programGoesOn;
  if (!programGoesOn && !programStopped_.exchange(true, std::memory_order_relaxed)) {
    monitor_.request({"program", "the program's own progress monitor stopped the build", {}});
  }
  return ours_.stepComplete(phaseName, step) && programGoesOn;
}

void ProgramMonitor::phaseFinish(const char* phaseName) noexcept {
  if (!isChild()) ours_.phaseFinish(phaseName);
  if (programs_ != nullptr) programs_->phaseFinish(phaseName);
}

}  // namespace trtscope::hook
