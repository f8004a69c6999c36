#pragma once

#include <atomic>
#include <string>

#include "engine/build_request.h"
#include "engine/placement.h"
#include "monitor/build_monitor.h"

namespace trtscope {

struct BuildObjects;

// One build, from taking the target to the engine in place: start, load, parse, configure, build, write, each but the
// build a phase of ours. Every end, also a fault, is told to the monitor as `finished`, once, before TensorRT's objects
// are freed (that takes 30-60 ms) and after whatever was beside the targets is gone.
class EngineBuild {
 public:
  EngineBuild(BuildRequest request, BuildMonitor& monitor);

  // On the calling thread, for as long as the build takes. Does not throw.
  void run() noexcept;
  // From any thread: whether TensorRT's libraries are loaded, and those that it loads itself to make a builder.
  bool hasLoaded() const noexcept { return loaded_.load(std::memory_order_acquire); }
  // For a control thread that is about to leave the process: removes what the build has beside its targets; after it
  // nothing is renamed into place any more. Answers true when the engine was in place already.
  bool abandon() noexcept;
  // The same, and unless the engine was in place it tells the monitor that the build has been ended so.
  bool stop(Escalation to) noexcept;

 private:
  Ending attempt(BuildObjects& objects);
  void takeTarget();
  void build(BuildObjects& objects);
  void write(BuildObjects& objects);
  bool keepTimingCache(BuildObjects& objects) noexcept;
  template <class Work>
  void inPhase(const char* name, Work work);
  template <class Work>
  void inPhase(std::uint32_t phase, Work work);
  void stopIfCancelled();

  BuildRequest request_;
  BuildMonitor& monitor_;
  Placement engine_;
  Placement timingCache_;
  std::atomic<bool> loaded_{false};
};

}  // namespace trtscope
