#pragma once

#include <cstdint>
#include <ctime>

#include "builder/event_writer.h"
#include "engine/engine_build.h"
#include "monitor/moment.h"

namespace trtscope {

// How a builder that is asked to stop comes to its end: it waits a grace for TensorRT, then leaves, and should even
// that take a grace, a timer of the kernel's kills it. For the control thread.
class Ladder {
 public:
  Ladder(EngineBuild& build, EventWriter& writer, std::uint64_t graceNs);
  ~Ladder();
  Ladder(const Ladder&) = delete;
  Ladder& operator=(const Ladder&) = delete;

  // A cancel has been asked for; without a grace it goes right to the end. Only the first call does anything.
  void begin();
  // Goes up a rung.
  void climb();
  // Whoever started us is gone, or somebody wants us to: removes what is half done. Answers true when it is too late.
  bool abandon();

  // The CLOCK_MONOTONIC at which to climb() or, once it leaves, to leave().
  std::uint64_t dueNs() const { return dueNs_; }
  bool leaves() const { return rung_ > Rung::kAsked; }
  // Returns the process's exit code, or does not return.
  int leave() const;

 private:
  enum class Rung { kNone, kAsked, kTerminated, kKilled };

  void depart(Rung rung, bool inPlace);
  void killAt(std::uint64_t timeNs) const;

  EngineBuild& build_;
  EventWriter& writer_;
  const std::uint64_t graceNs_;
  Rung rung_ = Rung::kNone;
  std::uint64_t dueNs_ = Moment::kNever;
  timer_t killer_{};
};

}  // namespace trtscope
