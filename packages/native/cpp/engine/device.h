#pragma once

#include <cstdint>

namespace trtscope {

// NVIDIA's driver, asked through libcuda.so.1 where there is one.

// How many GPUs it finds; 0 also where there is no driver.
std::int32_t deviceCount();

// Makes a GPU the one that this thread builds on. Throws BuildFailure (DEVICE_UNAVAILABLE).
void useDevice(std::int32_t index);

}  // namespace trtscope
