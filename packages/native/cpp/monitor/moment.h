#pragma once

#include <cstdint>

namespace trtscope {

// What the clocks say at once; tests drive their own.
struct Moment {
  static constexpr std::uint64_t kNever = UINT64_MAX;

  std::uint64_t nowNs = 0;  // CLOCK_MONOTONIC
  std::int64_t wallMs = 0;  // since 1970
  std::uint64_t cpuNs = 0;  // that this process has used

  static Moment now() noexcept;
};

}  // namespace trtscope
