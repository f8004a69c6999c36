#include "hook/watch/watched_build.h"

#include <cstdlib>
#include <ctime>
#include <utility>

#include "abi/object.h"
#include "hook/watch/forked.h"
#include "hook/watch/session.h"
#include "monitor/kernel_facts.h"

namespace trtscope::hook {
namespace {

constexpr std::int32_t kError = 1;
constexpr std::size_t kMaxKept = 32;
constexpr std::int64_t kSecond = 1'000'000'000;

thread_local WatchedBuild* ofThisThread = nullptr;
thread_local unsigned generationOfThisThread = 0;

std::int64_t wallClockNs() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

}  // namespace

WatchedBuild::WatchedBuild(std::string id)
    : id_(std::move(id)),
      originNs_(nowNs()),
      startedAtNs_(wallClockNs()),
      monitor_(originNs_, {}),
      lines_(monitor_, id_),
      progress_(monitor_) {}

void WatchedBuild::loaded(const std::string& edition, const std::string& version, const std::string& path) {
  if (!loaded_.exchange(true)) monitor_.loaded(edition, version, path);
}

void WatchedBuild::begin() {
  begun_ = true;
  monitor_.coverTail(true);
}

void WatchedBuild::end(bool built, const std::string& message) {
  monitor_.coverTail(false);
  monitor_.finished(endingOf(built, message));
}

std::string WatchedBuild::opening() const {
  std::string line = R"({"type":"build","build":")" + id_ + R"(","originNs":")" + std::to_string(originNs_) +
                     R"(","startedAt":[)" + std::to_string(startedAtNs_ / kSecond) + "," +
                     std::to_string(startedAtNs_ % kSecond) + "]";
  if (const char* parent = std::getenv("TRACEPARENT"); parent != nullptr) {
    appendJsonString(line += R"(,"traceparent":)", parent);
  }
  return line + "}\n";
}

void WatchedBuild::leave() {
  if (begun_) end(false, "the program ended before it said how its build ended");
}

void WatchedBuild::run(void* config, const abi::Layout& layout, const std::function<bool()>& build) {
  void* settings = static_cast<void**>(config)[1];
  const int getMonitor = layout.slot(abi::Slot::kConfigGetMonitor);
  const int setMonitor = layout.slot(abi::Slot::kConfigSetMonitor);
  auto* const programs = abi::callVirtual<abi::ProgressMonitor*>(settings, getMonitor);
  if (!begun_) {
    progress_.pass(programs);
    abi::callVirtual<void, abi::ProgressMonitor*>(settings, setMonitor, &progress_);
  }
  WatchedBuild* const outer = std::exchange(ofThisThread, this);
  generationOfThisThread = generation();
  monitor_.coverTail(true);
  const bool built = build();
  ofThisThread = outer;
  // A program that changed its monitor meanwhile keeps the new one.
  if (abi::callVirtual<abi::ProgressMonitor*>(settings, getMonitor) == &progress_) {
    abi::callVirtual<void, abi::ProgressMonitor*>(settings, setMonitor, programs);
  }
  if (generationOfThisThread != generation()) return;
  end(built, {});
}

Ending WatchedBuild::endingOf(bool built, const std::string& message) const {
  Ending ending;
  if (built) {
    ending.outcome = Outcome::kBuilt;
    return ending;
  }
  if (progress_.saidNo()) {
    ending.outcome = Outcome::kCancelled;
    return ending;
  }
  ending.errorCode = "BUILD_FAILED";
  ending.phasePath = progress_.failurePath();
  if (!message.empty()) {
    ending.errorMessage = message;
    return ending;
  }
  const std::lock_guard lock(mutex_);
  ending.errorMessage = "TensorRT cannot build the program's network";
  ending.errorMessage += errors_.empty() ? ", and does not say why." : ": " + errors_.front() + ".";
  return ending;
}

void WatchedBuild::heard(std::int32_t severity, const char* message) noexcept {
  if (message == nullptr || severity < 0) return;
  if (ofThisThread != nullptr) {
    if (generationOfThisThread == generation()) ofThisThread->hear(severity, message);
    return;
  }
  Session::forEachBuild([&](WatchedBuild& build) { build.hear(severity, message); });
}

void WatchedBuild::hear(std::int32_t severity, const char* message) noexcept {
  if (severity <= Session::leastSevere()) {
    monitor_.log(static_cast<std::uint8_t>(severity), message, Origin::kTensorrt);
  }
  if (severity > kError) return;
  try {
    const std::lock_guard lock(mutex_);
    if (errors_.size() < kMaxKept) errors_.emplace_back(message);
  } catch (...) {}
}

}  // namespace trtscope::hook
