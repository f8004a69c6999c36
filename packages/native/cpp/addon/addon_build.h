#pragma once

#include <napi.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "addon/build_thread.h"
#include "addon/cancel_link.h"

namespace trtscope {

// JavaScript's side of a build: takes its lines over to JavaScript's thread, on which all of this runs.
//
// A wake costs a builder thread some microseconds. So while records keep coming a timer takes them over, and only the
// first record after a pause wakes JavaScript.
class AddonBuild : public std::enable_shared_from_this<AddonBuild> {
 public:
  // Owns the builds of one environment, the ways to cancel those in other processes, and what they share.
  struct Environment {
    Napi::FunctionReference setTimeout;
    std::vector<std::shared_ptr<AddonBuild>> live;
    std::map<std::string, CancelLink> links;
    bool settles = false;  // when the process exits
  };

  // `onLines` gets JSON lines; `onEnd` is called once, after the last of them and after the thread has been joined.
  static std::shared_ptr<AddonBuild> start(Napi::Env env, BuildRequest request, std::string token,
                                           Napi::Function onLines, Napi::Function onEnd);

  void cancel() noexcept { thread_->cancel(); }
  BuildThread& thread() noexcept { return *thread_; }

 private:
  explicit AddonBuild(Napi::Env env) : env_(env) { text_.reserve(96 * 1024); }

  struct Delivery {
    bool any = false;
    bool more = false;
    bool threw = false;
  };
  void turn();
  Delivery deliver();
  void turnAgainIn(double milliseconds);
  void end();
  // Added after the thread-safe function, so run before that one's own: whoever wakes then finds JavaScript gone.
  static void leave(void* self);

  Napi::Env env_;
  std::shared_ptr<BuildThread> thread_;
  napi_threadsafe_function wake_ = nullptr;
  Napi::FunctionReference turn_;
  Napi::FunctionReference onLines_;
  Napi::FunctionReference onEnd_;
  std::string text_;
};

}  // namespace trtscope
