#include "addon/process_functions.h"

#include <exception>

#include "addon/processes.h"

namespace trtscope {
namespace {

int numberOf(const Napi::Value& value) { return value.As<Napi::Number>().Int32Value(); }

// signalTree(pid, signal, started?): how many processes have got it.
Napi::Value signalTreeOf(const Napi::CallbackInfo& info) {
  try {
    const std::string started = info[2].IsString() ? info[2].As<Napi::String>().Utf8Value() : "";
    const std::size_t count = signalTree(numberOf(info[0]), numberOf(info[1]), started);
    return Napi::Number::New(info.Env(), static_cast<double>(count));
  } catch (const std::exception& fault) {
    throw Napi::Error::New(info.Env(), std::string("The processes of this machine cannot be listed: ") + fault.what());
  }
}

// peerOf(fd): { user, process, started } | undefined
Napi::Value peerOfSocket(const Napi::CallbackInfo& info) {
  uid_t user = 0;
  pid_t process = 0;
  if (!peerOf(numberOf(info[0]), user, process)) return info.Env().Undefined();
  auto peer = Napi::Object::New(info.Env());
  peer.Set("user", Napi::Number::New(info.Env(), user));
  peer.Set("process", Napi::Number::New(info.Env(), process));
  peer.Set("started", Napi::String::New(info.Env(), startOf(process)));
  return peer;
}

}  // namespace

void exportProcessFunctions(Napi::Env env, Napi::Object exports) {
  exports.Set("becomeSubreaper", Napi::Function::New(env, [](const Napi::CallbackInfo& info) -> Napi::Value {
                return Napi::Boolean::New(info.Env(), becomeSubreaper());
              }));
  exports.Set("limitFiles", Napi::Function::New(env, [](const Napi::CallbackInfo& info) -> Napi::Value {
                const auto before = limitFiles(static_cast<std::size_t>(info[0].As<Napi::Number>().Int64Value()));
                return Napi::Number::New(info.Env(), static_cast<double>(before));
              }));
  exports.Set("signalTree", Napi::Function::New(env, signalTreeOf));
  exports.Set("reapAdopted",
              Napi::Function::New(env, [](const Napi::CallbackInfo& info) { reapAdopted(numberOf(info[0])); }));
  exports.Set("peerOf", Napi::Function::New(env, peerOfSocket));
  exports.Set("noteSenders",
              Napi::Function::New(env, [](const Napi::CallbackInfo& info) { noteSenders(numberOf(info[0])); }));
  exports.Set("cameFromTerminal", Napi::Function::New(env, [](const Napi::CallbackInfo& info) -> Napi::Value {
                return Napi::Boolean::New(info.Env(), cameFromTerminal(numberOf(info[0])));
              }));
}

}  // namespace trtscope
