#pragma once

#include <string>
#include <vector>

#include "engine/build_objects.h"
#include "engine/placement.h"

namespace trtscope {

// The timing cache that builds share through a file, when the request names one. No fault of it fails a build: it is
// told to the log as a warning.

// Gives the config the file's cache, or an empty one.
void loadTimingCache(BuildObjects& objects);
// Whether this build has learnt something yet.
bool timingCacheHasGrown(const BuildObjects& objects);
// Adds what this build has learnt to what the file holds by now; answers whether that is in place. Builds that save to
// one file do so one after another. Throws BuildCancelled once the placement was abandoned.
bool saveTimingCache(BuildObjects& objects, Placement& placement);
// Says that temporaries of dead processes are gone.
void tellSwept(const std::vector<std::string>& swept, BuildMonitor& monitor);

}  // namespace trtscope
