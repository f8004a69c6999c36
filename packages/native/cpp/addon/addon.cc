#include <napi.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "addon/addon_build.h"

namespace trtscope {

namespace {

std::vector<std::string> wordsOf(const Napi::Value& value) {
  std::vector<std::string> words;
  const auto array = value.As<Napi::Array>();
  for (std::uint32_t i = 0; i < array.Length(); ++i) words.push_back(array.Get(i).As<Napi::String>().Utf8Value());
  return words;
}

// startBuild(words, onLines, onEnd): { cancel() }
Napi::Value startBuild(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsArray() || !info[1].IsFunction() || !info[2].IsFunction()) {
    throw Napi::TypeError::New(env, "startBuild takes an array of words and two functions.");
  }
  std::shared_ptr<AddonBuild> build;
  try {
    build = AddonBuild::start(env, BuildRequest::fromWords(wordsOf(info[0]), 0), info[1].As<Napi::Function>(),
                              info[2].As<Napi::Function>());
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::exception& fault) {
    throw Napi::Error::New(env, std::string("The build could not be started: ") + fault.what());
  }
  auto handle = Napi::Object::New(env);
  handle.Set("cancel", Napi::Function::New(env, [build](const Napi::CallbackInfo&) { build->cancel(); }));
  return handle;
}

// On process.exit(), an uncaught throw and a normal end. What does not end in time here is left to the guard of exit().
void settle(const Napi::CallbackInfo& info) {
  const auto& live = info.Env().GetInstanceData<AddonBuild::Environment>()->live;
  RunningBuilds::all().settle([&](const RunningBuild& build) {
    return std::any_of(live.begin(), live.end(), [&](const auto& own) { return &own->thread() == &build; });
  });
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  auto environment = std::make_unique<AddonBuild::Environment>();
  // Taken now: a test's fake clock may come later.
  environment->setTimeout = Napi::Persistent(env.Global().Get("setTimeout").As<Napi::Function>());
  env.SetInstanceData(environment.release());
  const auto process = env.Global().Get("process").As<Napi::Object>();
  process.Get("on").As<Napi::Function>().Call(process,
                                              {Napi::String::New(env, "exit"), Napi::Function::New(env, settle)});
  exports.Set("startBuild", Napi::Function::New(env, startBuild));
  return exports;
}

}  // namespace

}  // namespace trtscope

using trtscope::init;
NODE_API_MODULE(trtscope, init)
