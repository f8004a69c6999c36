#pragma once

#include "engine/build_objects.h"
#include "engine/placement.h"

namespace trtscope {

// The timing cache that builds share through a file, when the request names one. No fault of it fails a build: it is
// told to the log as a warning.

// Gives the config the file's cache, or an empty one.
void loadTimingCache(BuildObjects& objects);
// Adds what this build has learnt to what the file holds by now.
void saveTimingCache(BuildObjects& objects, Placement& placement);

}  // namespace trtscope
