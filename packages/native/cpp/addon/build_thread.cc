#include "addon/build_thread.h"

#include <utility>

#include "monitor/limit_watch.h"

namespace trtscope {

std::shared_ptr<BuildThread> BuildThread::start(BuildRequest request, std::string token, std::function<void()> wake) {
  const std::shared_ptr<BuildThread> build(new BuildThread(std::move(request), std::move(token), std::move(wake)));
  try {
    build->list();
    build->thread_ = std::thread([build] { build->run(); });
  } catch (...) {
    build->unlist();
    throw;
  }
  return build;
}

BuildThread::BuildThread(BuildRequest request, std::string token, std::function<void()> wake)
    : token_(std::move(token)),
      wake_(std::move(wake)),
      monitor_(request.originNs,
               [this] {
                 if (armed_.exchange(false)) wakeConsumer();
               }),
      lines_(monitor_, request.build),
      engine_(std::move(request), monitor_) {
  monitor_.whenLoaded([] { RunningBuilds::all().guardExit(); });
}

void BuildThread::list() {
  RunningBuilds::all().add(*this);
  CancelTokens::all().add(token_, *this);
  LimitWatch::all().add(monitor_);
}

void BuildThread::unlist() noexcept {
  LimitWatch::all().remove(monitor_);
  CancelTokens::all().remove(token_);
  RunningBuilds::all().remove(*this);
}

bool BuildThread::request(const CancelReason& reason) noexcept {
  monitor_.request(reason);
  return true;
}

void BuildThread::run() noexcept {
  engine_.run();
  unlist();
  ended_.store(true, std::memory_order_release);
  wakeConsumer();
}

void BuildThread::wakeConsumer() {
  const std::lock_guard lock(wakeMutex_);
  if (wake_) wake_();
}

void BuildThread::leave() {
  cancel();
  {
    const std::lock_guard lock(wakeMutex_);
    wake_ = nullptr;
  }
  // The destructors of a library that is still being loaded would come before the guard.
  if (!engine_.hasLoaded()) {
    RunningBuilds::all().settle([this](const RunningBuild& build) { return &build == this; });
  }
  // Libraries that TensorRT has loaded since come before it then.
  RunningBuilds::all().guardExit();
  thread_.detach();
}

}  // namespace trtscope
