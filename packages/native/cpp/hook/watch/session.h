#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "hook/watch/channel.h"
#include "hook/watch/watched_build.h"
#include "monitor/limits.h"
#include "wire/frames.h"

namespace trtscope::hook {

// This process's talk with trtscope, on a thread of its own: the builds' lines go up, limits and cancels come down.
// When trtscope is gone the builds go on, unlimited and unheard.
class Session {
 public:
  // Null: nobody listens. A child process has its own, from its first builder on.
  static std::shared_ptr<Session> ofThisProcess() noexcept;
  // Only if it has been begun.
  static std::shared_ptr<Session> current() noexcept;
  static void forEachBuild(const std::function<void(WatchedBuild&)>& call) noexcept;
  // Of the log lines that trtscope wants.
  static int leastSevere() noexcept;

  explicit Session(std::unique_ptr<Channel> channel);

  // One sentence for the user.
  void notice(std::string_view sentence);
  // A build is about to run; waits a moment for what it is limited to.
  std::shared_ptr<WatchedBuild> begin();
  // A build has ended, and its program may leave at once, without a word: waits a moment until it has been told.
  void awaitTold(const WatchedBuild& build) noexcept;
  // At the end of the process: returns when all is said, or nobody reads any more.
  void flush() noexcept;

 private:
  void run() noexcept;
  // True while there is more to say.
  bool speak();
  void listen();
  void obey(const Frame& frame);
  std::uint64_t checkLimits();
  bool rest();
  // Nobody is there any more.
  void disarm();

  std::unique_ptr<Channel> channel_;  // the thread's alone, as are the next three
  std::string outgoing_;
  std::atomic<std::uint64_t> sent_{0};  // bytes, for whoever waits for the last of them
  std::string incoming_;
  FrameReader frames_;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::string said_;
  std::vector<std::shared_ptr<WatchedBuild>> builds_;
  std::vector<std::shared_ptr<WatchedBuild>> ended_;  // their last lines wait to be sent
  bool welcome_ = false;
  std::atomic<bool> gone_ = false;
  bool cancelled_ = false;  // every build, also those to come
  bool silent_ = false;     // nothing waits to be said
  Limits limits_;
  unsigned count_ = 0;
};

}  // namespace trtscope::hook
