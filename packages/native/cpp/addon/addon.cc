#include <napi.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "addon/addon_build.h"
#include "addon/process_functions.h"

namespace trtscope {

namespace {

std::string textOf(const Napi::Value& value) { return value.As<Napi::String>().Utf8Value(); }

std::vector<std::string> wordsOf(const Napi::Value& value) {
  std::vector<std::string> words;
  const auto array = value.As<Napi::Array>();
  for (std::uint32_t i = 0; i < array.Length(); ++i) words.push_back(textOf(array.Get(i)));
  return words;
}

// On process.exit(), an uncaught throw and a normal end. What does not end in time here is left to the guard of exit().
void settle(const Napi::CallbackInfo& info) {
  const auto& live = info.Env().GetInstanceData<AddonBuild::Environment>()->live;
  RunningBuilds::all().settle([&](const RunningBuild& build) {
    return std::any_of(live.begin(), live.end(), [&](const auto& own) { return &own->thread() == &build; });
  });
}

void settleAtExit(Napi::Env env) {
  bool& settles = env.GetInstanceData<AddonBuild::Environment>()->settles;
  if (std::exchange(settles, true)) return;
  const auto process = env.Global().Get("process").As<Napi::Object>();
  process.Get("on").As<Napi::Function>().Call(process,
                                              {Napi::String::New(env, "exit"), Napi::Function::New(env, settle)});
}

// startBuild(token, words, onLines, onEnd): { cancel() }
Napi::Value startBuild(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsString() || !info[1].IsArray() || !info[2].IsFunction() || !info[3].IsFunction()) {
    throw Napi::TypeError::New(env, "startBuild takes a token, an array of words and two functions.");
  }
  settleAtExit(env);
  std::shared_ptr<AddonBuild> build;
  try {
    build = AddonBuild::start(env, BuildRequest::fromWords(wordsOf(info[1]), 0), textOf(info[0]),
                              info[2].As<Napi::Function>(), info[3].As<Napi::Function>());
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::exception& fault) {
    throw Napi::Error::New(env, std::string("The build could not be started: ") + fault.what());
  }
  auto handle = Napi::Object::New(env);
  handle.Set("cancel", Napi::Function::New(env, [build](const Napi::CallbackInfo&) { build->cancel(); }));
  return handle;
}

std::map<std::string, CancelLink>& linksOf(Napi::Env env) {
  return env.GetInstanceData<AddonBuild::Environment>()->links;
}

// openCancelLink(token): what the builder is to have as file descriptor 4. Until closeFarEnd(token).
Napi::Value openCancelLink(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::string token = textOf(info[0]);
  try {
    return Napi::Number::New(env, linksOf(env).try_emplace(token, token).first->second.farEnd());
  } catch (const std::exception& fault) {
    throw Napi::Error::New(env, std::string("No way to cancel the builder could be opened: ") + fault.what() + ".");
  }
}

void closeFarEnd(const Napi::CallbackInfo& info) {
  const auto link = linksOf(info.Env()).find(textOf(info[0]));
  if (link != linksOf(info.Env()).end()) link->second.closeFarEnd();
}

void closeCancelLink(const Napi::CallbackInfo& info) { linksOf(info.Env()).erase(textOf(info[0])); }

// cancelByToken(token, source, message, detail): whether such a build runs, on whatever thread it was begun.
Napi::Value cancelByToken(const Napi::CallbackInfo& info) {
  const bool asked = CancelTokens::all().request(textOf(info[0]), {textOf(info[1]), textOf(info[2]), textOf(info[3])});
  return Napi::Boolean::New(info.Env(), asked);
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  auto environment = std::make_unique<AddonBuild::Environment>();
  // Taken now: a test's fake clock may come later.
  environment->setTimeout = Napi::Persistent(env.Global().Get("setTimeout").As<Napi::Function>());
  env.SetInstanceData(environment.release());
  exports.Set("startBuild", Napi::Function::New(env, startBuild));
  exports.Set("openCancelLink", Napi::Function::New(env, openCancelLink));
  exports.Set("closeFarEnd", Napi::Function::New(env, closeFarEnd));
  exports.Set("closeCancelLink", Napi::Function::New(env, closeCancelLink));
  exports.Set("cancelByToken", Napi::Function::New(env, cancelByToken));
  exportProcessFunctions(env, exports);
  return exports;
}

}  // namespace

}  // namespace trtscope

using trtscope::init;
NODE_API_MODULE(trtscope, init)
