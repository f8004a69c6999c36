#include "addon/addon_build.h"

#include <utility>

namespace trtscope {

namespace {

// Of one turn of the event loop; small enough that parsing them keeps others waiting for some milliseconds only.
constexpr int kBatches = 8;
constexpr std::size_t kBatchRecords = 128;
constexpr double kPauseMs = 8;

// With napi_call_function and not Napi's Call, which aborts the process when the environment is being terminated.
bool call(Napi::Env env, const Napi::FunctionReference& function, std::initializer_list<napi_value> words) {
  return napi_call_function(env, env.Undefined(), function.Value(), words.size(), words.begin(), nullptr) == napi_ok;
}

// What a callback of the caller threw is an uncaught exception. Left pending, Node would swallow it.
void throwUncaught(Napi::Env env) {
  bool pending = false;
  napi_value thrown = nullptr;
  napi_is_exception_pending(env, &pending);
  if (pending && napi_get_and_clear_last_exception(env, &thrown) == napi_ok) napi_fatal_exception(env, thrown);
}

}  // namespace

std::shared_ptr<AddonBuild> AddonBuild::start(Napi::Env env, BuildRequest request, std::string token,
                                              Napi::Function onLines, Napi::Function onEnd) {
  const std::shared_ptr<AddonBuild> build(new AddonBuild(env));
  const auto turn = Napi::Function::New(env, [build](const Napi::CallbackInfo&) { build->turn(); });
  build->turn_ = Napi::Persistent(turn);
  build->onLines_ = Napi::Persistent(onLines);
  build->onEnd_ = Napi::Persistent(onEnd);
  napi_threadsafe_function wake = nullptr;
  const napi_status status = napi_create_threadsafe_function(
      env, turn, nullptr, Napi::String::New(env, "trtscope build"), 0, 1, nullptr, nullptr, nullptr, nullptr, &wake);
  if (status != napi_ok) throw Napi::Error::New(env, "Node could not make a thread-safe function for the build.");
  build->wake_ = wake;
  try {
    build->thread_ = BuildThread::start(std::move(request), std::move(token), [wake] {
      napi_call_threadsafe_function(wake, nullptr, napi_tsfn_nonblocking);
    });
  } catch (...) {
    napi_release_threadsafe_function(wake, napi_tsfn_abort);
    throw;
  }
  env.GetInstanceData<Environment>()->live.push_back(build);
  napi_add_env_cleanup_hook(env, &AddonBuild::leave, build.get());
  return build;
}

void AddonBuild::turn() {
  if (wake_ == nullptr) return;
  // Read before draining: nothing comes after what is drained then.
  const bool ended = thread_->ended();
  Delivery delivery = deliver();
  if (!delivery.any) {
    thread_->arm(true);
    delivery = deliver();
    if (delivery.any) thread_->arm(false);
  }
  if (delivery.threw) throwUncaught(env_);
  if (delivery.more || delivery.threw) {
    turnAgainIn(0);
  } else if (ended) {
    end();
  } else if (delivery.any) {
    turnAgainIn(kPauseMs);
  }
}

AddonBuild::Delivery AddonBuild::deliver() {
  Delivery delivery{.more = true};
  for (int batch = 0; batch < kBatches && delivery.more && !delivery.threw; ++batch) {
    text_.clear();
    delivery.more = thread_->lines().drainTo(text_, kBatchRecords);
    if (text_.empty()) break;
    delivery.any = true;
    napi_value lines = nullptr;
    delivery.threw =
        napi_create_string_utf8(env_, text_.data(), text_.size(), &lines) != napi_ok || !call(env_, onLines_, {lines});
  }
  return delivery;
}

void AddonBuild::turnAgainIn(double milliseconds) {
  napi_value delay = nullptr;
  if (napi_create_double(env_, milliseconds, &delay) != napi_ok) return;
  call(env_, env_.GetInstanceData<Environment>()->setTimeout, {turn_.Value(), delay});
}

void AddonBuild::end() {
  const std::shared_ptr<AddonBuild> self = shared_from_this();
  thread_->join();
  napi_remove_env_cleanup_hook(env_, &AddonBuild::leave, this);
  std::erase(env_.GetInstanceData<Environment>()->live, self);
  napi_release_threadsafe_function(std::exchange(wake_, nullptr), napi_tsfn_release);
  if (!call(env_, onEnd_, {})) throwUncaught(env_);
  turn_.Reset();
  onLines_.Reset();
  onEnd_.Reset();
}

void AddonBuild::leave(void* self) { static_cast<AddonBuild*>(self)->thread_->leave(); }

}  // namespace trtscope
