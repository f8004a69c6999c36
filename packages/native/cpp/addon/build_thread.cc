#include "addon/build_thread.h"

#include <utility>

namespace trtscope {

std::shared_ptr<BuildThread> BuildThread::start(BuildRequest request, std::function<void()> wake) {
  const std::shared_ptr<BuildThread> build(new BuildThread(std::move(request), std::move(wake)));
  RunningBuilds::all().add(*build);
  try {
    build->thread_ = std::thread([build] { build->run(); });
  } catch (...) {
    RunningBuilds::all().remove(*build);
    throw;
  }
  return build;
}

BuildThread::BuildThread(BuildRequest request, std::function<void()> wake)
    : wake_(std::move(wake)),
      monitor_(request.originNs,
               [this] {
                 if (armed_.exchange(false)) wakeConsumer();
               }),
      lines_(monitor_, request.build),
      engine_(std::move(request), monitor_) {
  monitor_.whenLoaded([] { RunningBuilds::all().guardExit(); });
}

void BuildThread::run() noexcept {
  engine_.run();
  RunningBuilds::all().remove(*this);
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
  // Libraries that TensorRT has loaded since come before it then.
  RunningBuilds::all().guardExit();
  thread_.detach();
}

}  // namespace trtscope
