#pragma once

#include "abi/layout.h"

namespace trtscope::hook {

// A program's logger, in front of which ours stands: whatever TensorRT says goes to the program's as it would without
// us, and then to the builds that run. One for each logger and for good, since TensorRT keeps the first that it is
// given and complains about any other.
class ProgramLogger {
 public:
  // What to give to TensorRT in place of the program's logger, which may be null.
  static void* standIn(void* logger, const abi::Layout& layout);
  // The same, but for a logger that TensorRT has not been given a stand-in for, the program's own.
  static void* known(void* logger);
  // The program's logger that a stand-in stands for; any other is answered as it is.
  static void* original(void* logger);
};

}  // namespace trtscope::hook
