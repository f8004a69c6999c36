#include "hook/watch/session.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fstream>

#include "engine/build_request.h"
#include "hook/watch/forked.h"
#include "monitor/kernel_facts.h"
#include "monitor/moment.h"

namespace trtscope::hook {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWelcome(250);
constexpr milliseconds kTold(100);
// At the end of the process: how long nobody may read, and how long a slow reader may take.
constexpr milliseconds kLastWords(1000);
constexpr int kMostLastWords = 5;
constexpr std::size_t kMaxOutgoing = 64 * 1024;
constexpr std::size_t kBatch = 512;
constexpr int kPauseMs = 5;
constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr const char* kEveryBuild = "*";

std::atomic<int> leastSevereWanted{3};

// Never destroyed: a thread of the program's may build while the process ends.
std::shared_ptr<Session>& ofProcess() {
  static auto* const one = new std::shared_ptr<Session>;
  return *one;
}
unsigned generationOfProcess = 0;

std::string valueOf(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string programName() {
  std::ifstream words("/proc/self/cmdline", std::ios::binary);
  std::string name;
  std::getline(words, name, '\0');
  return name;
}

std::string hello() {
  std::string line = R"({"v":1,"type":"hello","pid":)" + std::to_string(getpid()) + R"(,"program":)";
  appendJsonString(line, programName());
  return line + "}\n";
}

// Signals are the program's.
void startWithoutSignals(std::shared_ptr<Session> session, void (Session::*run)() noexcept) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([session = std::move(session), run] { (session.get()->*run)(); }).detach();
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

std::shared_ptr<Session> Session::ofThisProcess() noexcept {
  try {
    const Locked lock;
    std::shared_ptr<Session>& session = ofProcess();
    if (generationOfProcess != generation()) {
      // It is the parent's, with threads and locks that are not here: left as it is.
      static auto* const parents = new std::vector<std::shared_ptr<Session>>;
      parents->push_back(std::exchange(session, nullptr));
      generationOfProcess = generation();
    }
    if (session != nullptr) return session;
    std::unique_ptr<Channel> channel = Channel::open(valueOf("TRTSCOPE_SOCKET"));
    if (channel == nullptr) return nullptr;
    auto begun = std::make_shared<Session>(std::move(channel));
    startWithoutSignals(begun, &Session::run);
    static const int kFlushes = std::atexit([] {
      if (generationOfProcess == generation() && ofProcess() != nullptr) ofProcess()->flush();
    });
    (void)kFlushes;
    session = begun;
    return session;
  } catch (...) {
    return nullptr;
  }
}

std::shared_ptr<Session> Session::current() noexcept {
  const Locked lock;
  return generationOfProcess == generation() ? ofProcess() : nullptr;
}

void Session::forEachBuild(const std::function<void(WatchedBuild&)>& call) noexcept {
  try {
    const auto session = current();
    if (session == nullptr) return;
    const std::lock_guard lock(session->mutex_);
    for (const auto& build : session->builds_) call(*build);
  } catch (...) {}
}

int Session::leastSevere() noexcept { return leastSevereWanted.load(std::memory_order_relaxed); }

Session::Session(std::unique_ptr<Channel> channel) : channel_(std::move(channel)), said_(hello()) {}

void Session::notice(std::string_view sentence) {
  std::string line = R"({"type":"notice","message":)";
  appendJsonString(line, sentence);
  const std::lock_guard lock(mutex_);
  said_ += line + "}\n";
  silent_ = false;
  changed_.notify_all();
}

std::shared_ptr<WatchedBuild> Session::begin() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kWelcome, [&] { return welcome_ || gone_; });
  if (gone_) return nullptr;
  auto build = std::make_shared<WatchedBuild>(std::to_string(++count_));
  build->monitor().limit(limits_);
  if (cancelled_) build->monitor().cancel();
  said_ += build->opening();
  builds_.push_back(build);
  silent_ = false;
  changed_.notify_all();
  return build;
}

void Session::awaitTold(const WatchedBuild& build) noexcept {
  try {
    const auto isBuild = [&](const auto& other) { return other.get() == &build; };
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kTold, [&] {
      return gone_ || (std::ranges::none_of(builds_, isBuild) && std::ranges::none_of(ended_, isBuild));
    });
  } catch (...) {}
}

void Session::flush() noexcept {
  try {
    std::unique_lock lock(mutex_);
    for (const auto& build : builds_) build->leave();
    std::uint64_t before = 0;
    for (int waits = 0; waits < kMostLastWords; ++waits) {
      if (changed_.wait_for(lock, kLastWords, [&] { return silent_ || gone_; })) return;
      if (sent_ == std::exchange(before, sent_)) return;
    }
  } catch (...) {}
}

void Session::run() noexcept {
  for (;;) {
    try {
      const bool more = speak();
      listen();
      const std::uint64_t dueNs = checkLimits();
      if (rest() || more) continue;
      const std::uint64_t now = nowNs();
      const std::uint64_t leftMs = dueNs > now ? (dueNs - now) / kMillisecond + 1 : 0;
      channel_->wait(!outgoing_.empty(), static_cast<int>(std::min<std::uint64_t>(leftMs, kPauseMs)));
    } catch (...) {
      // Memory is short, or what came makes no sense.
      disarm();
    }
  }
}

bool Session::speak() {
  std::vector<std::shared_ptr<WatchedBuild>> builds;
  {
    const std::lock_guard lock(mutex_);
    if (outgoing_.size() < kMaxOutgoing) outgoing_ += std::exchange(said_, {});
    builds = builds_;
  }
  bool more = false;
  for (const auto& build : builds) {
    if (outgoing_.size() < kMaxOutgoing) more = build->lines().drainTo(outgoing_, kBatch) || more;
    if (gone_) outgoing_.clear();
    if (!build->lines().finished()) continue;
    const std::lock_guard lock(mutex_);
    std::erase(builds_, build);
    ended_.push_back(build);
  }
  const std::size_t waiting = outgoing_.size();
  if (!channel_->send(outgoing_)) disarm();
  sent_ += waiting - outgoing_.size();
  if (outgoing_.empty()) {
    const std::lock_guard lock(mutex_);
    ended_.clear();
    changed_.notify_all();
  }
  return more && outgoing_.empty();
}

void Session::listen() {
  if (gone_) return;
  incoming_.clear();
  const bool there = channel_->receive(incoming_);
  frames_.feed(incoming_);
  for (Frame frame; frames_.next(frame);) obey(frame);
  if (!there) disarm();
}

void Session::obey(const Frame& frame) {
  const std::lock_guard lock(mutex_);
  if (frame.empty()) return;
  if (frame[0] == "welcome") {
    const BuildRequest request = BuildRequest::fromWords(frame, 1);
    limits_ = request.limits;
    leastSevereWanted.store(request.logSeverity, std::memory_order_relaxed);
    welcome_ = true;
    for (const auto& build : builds_) build->monitor().limit(limits_);
    changed_.notify_all();
  } else if (frame[0] == "cancel" && frame.size() == 2) {
    const bool every = frame[1] == kEveryBuild;
    cancelled_ = cancelled_ || every;
    for (const auto& build : builds_) {
      if (every || build->id() == frame[1]) build->monitor().cancel();
    }
  }
}

std::uint64_t Session::checkLimits() {
  std::uint64_t dueNs = Moment::kNever;
  const std::lock_guard lock(mutex_);
  for (const auto& build : builds_) dueNs = std::min(dueNs, build->monitor().checkLimits(Moment::now()));
  return dueNs;
}

// Waits while there is nothing to do; answers whether it did.
bool Session::rest() {
  std::unique_lock lock(mutex_);
  const auto busy = [&] { return !builds_.empty() || !said_.empty(); };
  if (busy() || !outgoing_.empty()) return false;
  silent_ = true;
  changed_.notify_all();
  changed_.wait(lock, busy);
  return true;
}

void Session::disarm() {
  const std::lock_guard lock(mutex_);
  if (!gone_) {
    for (const auto& build : builds_) build->monitor().limit({});
  }
  gone_ = true;
  said_.clear();
  outgoing_.clear();
  changed_.notify_all();
}

}  // namespace trtscope::hook
