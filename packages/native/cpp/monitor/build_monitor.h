#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/limits.h"
#include "monitor/moment.h"
#include "monitor/record.h"

namespace trtscope {

// What one build does, heard from any thread, kept in order, handed on in batches.
//
// Threads: phaseStart, step, phaseFinish and log may be called from any thread at once and are noexcept: a fault of
// ours loses a record, never a build. They hold one mutex for the length of a push and do no I/O. drain() belongs to
// one consumer thread. cancel() is one atomic store, callable from anywhere.
//
// Memory: at most kMaxWaiting step records wait; past that the waiting step of a phase folds into its next one (counts
// stay exact). With kMaxWaitingLogs lines waiting those below a warning are dropped, with twice as many every line; how
// many is said once, at the end. Buffers stay under 128 KiB each: larger ones raise glibc's mmap threshold.
class BuildMonitor {
 public:
  static constexpr std::size_t kMaxWaiting = 65536;
  static constexpr std::size_t kMaxWaitingLogs = 4096;
  static constexpr std::size_t kMaxRequests = 64;

  // originNs: CLOCK_MONOTONIC at the build's beginning. wake: called (outside the mutex) when the queue goes from empty
  // to not empty; must be noexcept in effect, cheap and callable from any thread.
  BuildMonitor(std::uint64_t originNs, std::function<void()> wake);
  ~BuildMonitor();
  BuildMonitor(const BuildMonitor&) = delete;
  BuildMonitor& operator=(const BuildMonitor&) = delete;

  // TensorRT's callbacks. `steps` <= 0 means none announced. step() answers whether to go on.
  void phaseStart(const char* name, const char* parentName, std::int32_t steps) noexcept;
  bool step(const char* name, std::int32_t step) noexcept;
  void phaseFinish(const char* name) noexcept;

  // Our own phases. beginOwn answers the phase's id. It begins where our last one ended, the first one with the build:
  // a thread that had to wait for a processor in between leaves no time unexplained.
  std::uint32_t beginOwn(std::string_view name) noexcept;
  void endOwn(std::uint32_t phase) noexcept;
  // From now on the silence after the last TensorRT root is a phase of ours: opened when the last live root finishes,
  // closed when another root starts or coverTail(false) is called.
  void coverTail(bool on) noexcept;

  void log(std::uint8_t severity, std::string_view message, Origin origin, std::int32_t code = -1) noexcept;
  void loaded(std::string_view edition, std::string_view version, std::string_view path) noexcept;
  // To be called at the end of loaded(), on its thread. Set before the build begins.
  void whenLoaded(std::function<void()> call);
  // The last record. Adds callbacks and peak memory itself.
  void finished(const Ending& ending) noexcept;

  // Whoever asks has the request on record.
  void cancel() noexcept;
  // Puts the request on record too; no more than kMaxRequests are.
  void request(const CancelReason& reason) noexcept;
  bool cancelRequested() const noexcept;
  // For the gaps between our phases: answers whether a cancel was asked for, and records the acknowledgement once.
  bool acknowledgeBetween() noexcept;
  // The build is ended from outside, or is about to be.
  void escalated(Escalation to) noexcept;
  void acknowledgeExit() noexcept;

  // What it was limited to before counts no more. Any thread.
  void limit(Limits limits);
  // Any one thread at a time: requests a cancel for each limit that is passed, records warnings and silences, and
  // answers at which CLOCK_MONOTONIC to call it again, Moment::kNever after the end.
  std::uint64_t checkLimits(const Moment& at) noexcept;

  // Names of the live phases, innermost last, joined with '\n': where a failure happened.
  std::string livePath() const;

  std::uint64_t elapsedNs() const noexcept;

  // Moves at most `limit` waiting records (and at most 1,024) to `out` (cleared first); answers whether more wait.
  // Texts stay valid until the next drain.
  bool drain(std::vector<Record>& out, std::size_t limit);
  // The words of a record, as Words of monitor/record_queue.h has them.
  std::string_view text(const Record& record) const noexcept;
  std::string_view parentText(const Record& record) const noexcept;
  std::string_view pathText(const Record& record) const noexcept;
  // How the build ended: valid once the finished record was drained.
  const Ending& ending() const noexcept;

  struct Totals {
    std::uint64_t callbacks;
    std::uint64_t callbackNs;
    std::uint64_t peakMemoryBytes;
  };
  Totals totals() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trtscope
