#pragma once

#include <string>

#include "abi/layout.h"

namespace trtscope::hook {

// Gives an object of TensorRT's, by a copy of its table of virtual functions, functions of ours in place of some: of a
// builder those that build and getLogger, of the others getLogger, which has to answer the program's own.
void watchBuilder(void* builder, const abi::Layout& layout, const std::string& path);
void watchRuntime(void* runtime, const abi::Layout& layout);
void watchRefitter(void* refitter, const abi::Layout& layout);

}  // namespace trtscope::hook
