#pragma once

#include <napi.h>

namespace trtscope {

// What JavaScript gets of processes.h.
void exportProcessFunctions(Napi::Env env, Napi::Object exports);

}  // namespace trtscope
