#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trtscope {

// How long a build may take, as Budget of packages/core/src/build.ts and a deadline say it.
struct Limits {
  struct Phase {
    std::string glob;
    std::uint64_t ns;
  };

  std::optional<std::int64_t> deadlineMs;  // wall clock, since 1970
  std::optional<std::uint64_t> totalNs;
  std::vector<Phase> phases;
  std::optional<std::uint64_t> stepNs;
  std::optional<std::uint64_t> quietNs;
  double warnAt = 0.8;
  bool cancels = true;  // when a budget is spent; else it is warned of once more
};

// Why a build is to stop: CancelReason of packages/core/src/events.ts. An empty detail is none.
struct CancelReason {
  std::string source;
  std::string message;
  std::string detail;
  std::uint64_t askedAtNs = UINT64_MAX;  // CLOCK_MONOTONIC; not later than when it is recorded
};

}  // namespace trtscope
