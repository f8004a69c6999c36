#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "addon/cancel_tokens.h"
#include "addon/running_builds.h"
#include "engine/engine_build.h"
#include "monitor/build_monitor.h"
#include "wire/event_lines.h"

namespace trtscope {

// One build on a thread of its own. Shared by that thread and JavaScript's, since either may be the last to go.
class BuildThread : public RunningBuild, private CancelTarget {
 public:
  // `wake` is called from any thread, under a mutex; after leave() never again. Throws what std::thread throws.
  static std::shared_ptr<BuildThread> start(BuildRequest request, std::string token, std::function<void()> wake);

  // Whether the next record wakes JavaScript. What came before arming has to be drained once more.
  void arm(bool armed) noexcept { armed_.store(armed); }
  EventLines& lines() noexcept { return lines_; }
  // Once ended: the thread is past all of TensorRT, and every record waits in lines().
  bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
  void join() { thread_.join(); }
  // JavaScript is going away: cancels, wakes nobody any more and leaves the thread to itself.
  void leave();

  void cancel() noexcept override { monitor_.cancel(); }
  void abandon() noexcept override { engine_.abandon(); }

 private:
  BuildThread(BuildRequest request, std::string token, std::function<void()> wake);
  // Puts it in, and takes it out of, what finds it from elsewhere.
  void list();
  void unlist() noexcept;
  void run() noexcept;
  bool request(const CancelReason& reason) noexcept override;
  void wakeConsumer();

  const std::string token_;
  std::mutex wakeMutex_;
  std::function<void()> wake_;  // empty once JavaScript has left
  // Sequentially consistent: whoever pushes after the drain that follows arm() sees it, in the order of the queue's
  // mutex.
  std::atomic<bool> armed_{true};
  std::atomic<bool> ended_{false};
  BuildMonitor monitor_;
  EventLines lines_;
  EngineBuild engine_;
  std::thread thread_;
};

}  // namespace trtscope
