#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace trtscope {

// A build as exit sees it.
class RunningBuild {
 public:
  virtual ~RunningBuild() = default;
  virtual void cancel() noexcept = 0;
  // Removes what would be left half done. Nothing is put in place after it.
  virtual void abandon() noexcept = 0;

 private:
  friend class RunningBuilds;
  bool leaving_ = false;
  std::chrono::steady_clock::time_point leaveUntil_;
};

// Every build of the process whose thread may be inside TensorRT: the one global. Exit runs the static destructors of
// TensorRT's libraries, and a thread that is still inside them would crash.
class RunningBuilds {
 public:
  static RunningBuilds& all();

  void add(RunningBuild& build);
  void remove(RunningBuild& build) noexcept;

  // Cancels the builds that `chosen` picks and waits for their end, a second at most from the first time that one is
  // asked. Answers whether all have ended.
  bool settle(const std::function<bool(const RunningBuild&)>& chosen);
  // Makes exit() settle what runs then, before the destructors of every library that is loaded by now; what does not
  // end in time is abandoned, and the process leaves at once with the exit code that it was given.
  void guardExit() noexcept;

 private:
  static void atExit(int code, void* self);

  std::mutex mutex_;
  std::condition_variable removed_;
  std::vector<RunningBuild*> builds_;
};

}  // namespace trtscope
