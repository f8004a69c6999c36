#pragma once

#include <cstdint>

namespace trtscope {

// CLOCK_MONOTONIC in nanoseconds.
std::uint64_t nowNs() noexcept;
// The kernel's id of the calling thread, asked for once a thread.
std::uint32_t threadId() noexcept;
// The largest resident size of this process since its exec.
std::uint64_t peakMemoryBytes() noexcept;

}  // namespace trtscope
