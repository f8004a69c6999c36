#pragma once

#include <atomic>

#include "abi/interfaces.h"
#include "monitor/progress_adaptor.h"

namespace trtscope::hook {

// Our progress monitor with the program's own behind it, which hears everything as it would without us. Either may stop
// the build.
class ProgramMonitor final : public abi::ProgressMonitor {
 public:
  explicit ProgramMonitor(BuildMonitor& monitor);

  // Before TensorRT calls; null where the program has none.
  void pass(abi::ProgressMonitor* programs) { programs_ = programs; }

  void phaseStart(const char* phaseName, const char* parentPhase, std::int32_t nbSteps) noexcept override;
  bool stepComplete(const char* phaseName, std::int32_t step) noexcept override;
  void phaseFinish(const char* phaseName) noexcept override;

  // See ProgressAdaptor.
  std::string failurePath() const { return ours_.failurePath(); }
  bool saidNo() const noexcept { return ours_.saidNo(); }

 private:
  bool isChild() const noexcept;

  BuildMonitor& monitor_;
  ProgressAdaptor ours_;
  abi::ProgressMonitor* programs_ = nullptr;
  std::atomic<bool> programStopped_{false};
  const unsigned generation_;
};

}  // namespace trtscope::hook
