#pragma once

#include "engine/build_objects.h"

namespace trtscope {

// Gives the config the request's profiles, after checking them against the model's inputs: TensorRT says little of what
// is wrong with one. Throws BuildFailure (SHAPES_INVALID).
void addProfiles(BuildObjects& objects);

}  // namespace trtscope
