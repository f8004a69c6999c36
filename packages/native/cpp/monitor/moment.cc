#include "monitor/moment.h"

#include <time.h>

#include "monitor/kernel_facts.h"

namespace trtscope {
namespace {

std::uint64_t nanosecondsOf(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

Moment Moment::now() noexcept {
  return {trtscope::nowNs(), static_cast<std::int64_t>(nanosecondsOf(CLOCK_REALTIME) / 1'000'000),
          nanosecondsOf(CLOCK_PROCESS_CPUTIME_ID)};
}

}  // namespace trtscope
