#include "monitor/build_monitor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "monitor/kernel_facts.h"
#include "monitor/limit_check.h"
#include "monitor/live_phases.h"
#include "monitor/record_queue.h"

namespace trtscope {

namespace {

constexpr std::size_t kMaxWordBytes = 16 * 1024;
constexpr std::size_t kMaxDrainedAtOnce = 1024;
constexpr std::uint8_t kWarning = 2;
constexpr std::chrono::microseconds kPatience(50);

std::string_view viewOf(const char* text) noexcept { return text == nullptr ? std::string_view() : text; }

// Cuts what no reader wants whole, so that a line stays far below the size that glibc maps.
std::string bounded(std::string_view text) {
  if (text.size() <= kMaxWordBytes) return std::string(text);
  std::size_t end = kMaxWordBytes;
  while (end > kMaxWordBytes - 4 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

struct BuildMonitor::State {
  State(std::uint64_t origin, std::function<void()> wakeConsumer)
      : originNs(origin), wake(std::move(wakeConsumer)), queue(kMaxWaiting) {}

  const std::uint64_t originNs;
  const std::function<void()> wake;
  std::function<void()> whenLoaded;
  // Release and acquire: who sees the request also sees what its author wrote before it.
  std::atomic<bool> cancelled{false};
  // A sum that nobody orders by: relaxed.
  std::atomic<std::uint64_t> callbackNs{0};

  std::mutex mutex;  // guards all down to `ending`
  RecordQueue queue;
  LivePhases phases;
  LimitCheck limits;
  std::vector<Finding> findings;
  std::size_t requests = 0;
  std::uint64_t heardNs = 0;  // the last callback, or beginning or end of a phase of ours
  std::uint64_t lastNs = 0;
  std::uint64_t callbacks = 0;
  std::uint64_t straySteps = 0;
  std::uint64_t strayFinishes = 0;
  RecordQueue::Place lastStrayStep;
  std::uint64_t logsDropped = 0;
  std::uint64_t peakMemory = 0;
  std::uint32_t tensorrtRoots = 0;
  std::uint32_t tail = 0;
  bool coversTail = false;
  std::optional<std::uint64_t> ownEndedNs = 0;  // when our last phase ended, unless TensorRT's time has begun since
  bool acknowledged = false;
  bool ended = false;
  Ending ending;

  std::vector<std::unique_ptr<Words>> drained;  // the consumer's alone, as is the next
  bool lacksSpare = false;

  std::uint64_t sinceOrigin(std::uint64_t now) const noexcept { return now > originNs ? now - originNs : 0; }

  // Contended, a few tries cost less than sleeping: the mutex is held for some tens of nanoseconds.
  void lock() noexcept {
    for (int tries = 0; tries < 100; ++tries) {
      if (mutex.try_lock()) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    mutex.lock();
  }

  // For all but TensorRT's threads: does not sleep on the mutex, since whoever then unlocks it has to wake this thread,
  // which takes the processor from a builder's thread in the middle of a callback.
  void lockPatiently() noexcept {
    while (!mutex.try_lock()) std::this_thread::sleep_for(kPatience);
  }

  // Runs `change` under the mutex with a time that never falls, unless the build has ended; wakes the consumer when its
  // queue has begun to fill. A fault loses what `change` was about.
  template <typename Change>
  void record(std::uint64_t now, Change change) noexcept {
    lock();
    recordLocked(now, std::move(change));
  }

  // Unlocks.
  template <typename Change>
  void recordLocked(std::uint64_t now, Change change) noexcept {
    bool filled = false;
    if (!ended) {
      const bool wasEmpty = queue.empty();
      try {
        lastNs = std::max(lastNs, sinceOrigin(now));
        change(lastNs);
      } catch (...) {}
      filled = wasEmpty && !queue.empty();
    }
    mutex.unlock();
    if (!filled || !wake) return;
    try {
      wake();
    } catch (...) {}
  }

  template <typename Change>
  void recordCallback(Change change) noexcept {
    const std::uint64_t began = nowNs();
    record(began, [&](std::uint64_t timeNs) {
      ++callbacks;
      heardNs = timeNs;
      change(timeNs);
    });
    callbackNs.fetch_add(nowNs() - began, std::memory_order_relaxed);
  }

  std::uint32_t start(std::string_view name, std::string_view parentName, std::int32_t steps, Origin origin,
                      std::uint64_t timeNs) {
    const std::uint32_t thread = threadId();
    LivePhase* parent = parentName.empty() ? nullptr : phases.find(parentName, thread);
    const bool root = origin == Origin::kTensorrt && parent == nullptr;
    if (root) endTail(timeNs);
    if (origin == Origin::kTensorrt) ownEndedNs.reset();
    auto words = std::make_unique<Words>(Words{bounded(name), bounded(parentName), {}});
    queue.reserve();
    LivePhase& phase = phases.open(name, parent, thread, origin);
    phase.startedNs = phase.lastNs = timeNs;
    tensorrtRoots += root;
    Record record;
    record.kind = RecordKind::kPhaseStarted;
    record.timeNs = timeNs;
    record.phase = phase.id;
    record.parent = phase.parent;
    record.thread = thread;
    record.steps = steps > 0 ? steps : -1;
    record.origin = origin;
    queue.push(record, std::move(words));
    return phase.id;
  }

  void finish(LivePhase& phase, std::uint64_t timeNs) {
    Record record;
    record.kind = RecordKind::kPhaseFinished;
    record.timeNs = timeNs;
    record.phase = phase.id;
    record.done = phase.done;
    record.thread = threadId();
    record.origin = phase.origin;
    const bool root = phase.origin == Origin::kTensorrt && phase.parent == 0;
    phases.close(phase, timeNs);
    if (record.origin == Origin::kTrtscope) ownEndedNs = timeNs;
    tensorrtRoots -= root;
    queue.push(record);
    if (root && tensorrtRoots == 0 && coversTail) tail = start("finish", {}, -1, Origin::kTrtscope, timeNs);
  }

  void endTail(std::uint64_t timeNs) {
    if (LivePhase* phase = phases.find(std::exchange(tail, 0))) finish(*phase, timeNs);
  }

  void acknowledge(std::uint64_t timeNs, AcknowledgedBy by, std::uint32_t phase, std::int32_t step) {
    if (acknowledged) return;
    Record record;
    record.kind = RecordKind::kAcknowledged;
    record.timeNs = timeNs;
    record.phase = phase;
    record.step = step;
    record.detail = static_cast<std::uint8_t>(by);
    queue.push(record);
    acknowledged = true;
  }

  void request(std::uint64_t timeNs, const CancelReason& reason) {
    Finding finding;
    finding.record.kind = RecordKind::kCancelRequested;
    finding.record.requestedNs = std::min(sinceOrigin(reason.askedAtNs), timeNs);
    finding.words = {bounded(reason.source), bounded(reason.message), bounded(reason.detail)};
    push(timeNs, std::move(finding));
  }

  void push(std::uint64_t timeNs, Finding finding) {
    if (finding.record.kind == RecordKind::kCancelRequested) {
      // Under the mutex: the answer to a request comes after it.
      cancelled.store(true, std::memory_order_release);
      if (++requests > kMaxRequests) return;
    }
    finding.record.timeNs = timeNs;
    queue.push(finding.record, std::make_unique<Words>(std::move(finding.words)));
  }

  void pushLog(std::uint64_t timeNs, std::uint8_t severity, std::string_view message, Origin origin,
               std::int32_t code) {
    const LivePhase* phase = phases.newest();
    Record record;
    record.kind = RecordKind::kLog;
    record.timeNs = timeNs;
    record.phase = phase == nullptr ? 0 : phase->id;
    record.step = code;
    record.origin = origin;
    record.detail = severity;
    queue.push(record, std::make_unique<Words>(Words{bounded(message), {}, {}}));
  }
};

BuildMonitor::BuildMonitor(std::uint64_t originNs, std::function<void()> wake)
    : state_(std::make_unique<State>(originNs, std::move(wake))) {}

BuildMonitor::~BuildMonitor() = default;

void BuildMonitor::phaseStart(const char* name, const char* parentName, std::int32_t steps) noexcept {
  state_->recordCallback(
      [&](std::uint64_t timeNs) { state_->start(viewOf(name), viewOf(parentName), steps, Origin::kTensorrt, timeNs); });
}

bool BuildMonitor::step(const char* name, std::int32_t step) noexcept {
  State& state = *state_;
  const bool stop = cancelRequested();
  state.recordCallback([&](std::uint64_t timeNs) {
    Record record;
    record.kind = RecordKind::kStepCompleted;
    record.timeNs = timeNs;
    record.thread = threadId();
    record.step = step;
    LivePhase* phase = state.phases.find(viewOf(name), record.thread);
    if (phase == nullptr) {
      record.done = ++state.straySteps;
      state.queue.pushStep(record, state.lastStrayStep);
    } else {
      record.phase = phase->id;
      record.done = ++phase->done;
      record.longestStep = step;
      record.longestNs = timeNs - std::exchange(phase->lastNs, timeNs);
      state.queue.pushStep(record, phase->lastStep);
    }
    if (stop) state.acknowledge(timeNs, AcknowledgedBy::kStep, record.phase, step);
  });
  return !stop;
}

void BuildMonitor::phaseFinish(const char* name) noexcept {
  State& state = *state_;
  state.recordCallback([&](std::uint64_t timeNs) {
    if (LivePhase* phase = state.phases.find(viewOf(name), threadId())) return state.finish(*phase, timeNs);
    Record record;
    record.kind = RecordKind::kPhaseFinished;
    record.timeNs = timeNs;
    record.done = ++state.strayFinishes;
    record.thread = threadId();
    state.queue.push(record);
  });
}

std::uint32_t BuildMonitor::beginOwn(std::string_view name) noexcept {
  std::uint32_t phase = 0;
  state_->record(nowNs(), [&](std::uint64_t timeNs) {
    state_->heardNs = timeNs;
    phase = state_->start(name, {}, -1, Origin::kTrtscope, state_->ownEndedNs.value_or(timeNs));
  });
  return phase;
}

void BuildMonitor::endOwn(std::uint32_t phase) noexcept {
  state_->record(nowNs(), [&](std::uint64_t timeNs) {
    state_->heardNs = timeNs;
    LivePhase* live = state_->phases.find(phase);
    if (live != nullptr && live->origin == Origin::kTrtscope) state_->finish(*live, timeNs);
  });
}

void BuildMonitor::coverTail(bool on) noexcept {
  state_->record(nowNs(), [&](std::uint64_t timeNs) {
    state_->coversTail = on;
    // What follows is TensorRT's time.
    if (on) state_->ownEndedNs.reset();
    if (!on) state_->endTail(timeNs);
  });
}

void BuildMonitor::log(std::uint8_t severity, std::string_view message, Origin origin, std::int32_t code) noexcept {
  State& state = *state_;
  state.record(nowNs(), [&](std::uint64_t timeNs) {
    const std::size_t room = severity > kWarning ? kMaxWaitingLogs : 2 * kMaxWaitingLogs;
    if (state.queue.waitingLogs() >= room) {
      ++state.logsDropped;
    } else {
      state.pushLog(timeNs, severity, message, origin, code);
    }
  });
}

void BuildMonitor::loaded(std::string_view edition, std::string_view version, std::string_view path) noexcept {
  state_->record(nowNs(), [&](std::uint64_t timeNs) {
    Record record;
    record.kind = RecordKind::kLoaded;
    record.timeNs = timeNs;
    state_->queue.push(record, std::make_unique<Words>(Words{bounded(edition), bounded(version), bounded(path)}));
  });
  if (!state_->whenLoaded) return;
  try {
    state_->whenLoaded();
  } catch (...) {}
}

void BuildMonitor::whenLoaded(std::function<void()> call) { state_->whenLoaded = std::move(call); }

void BuildMonitor::finished(const Ending& ending) noexcept {
  State& state = *state_;
  const std::uint64_t peakMemory = peakMemoryBytes();
  state.record(nowNs(), [&](std::uint64_t timeNs) {
    Record record;
    record.kind = RecordKind::kFinished;
    record.timeNs = timeNs;
    record.detail = static_cast<std::uint8_t>(ending.outcome);
    state.peakMemory = peakMemory;
    state.ending.outcome = ending.outcome;
    try {
      state.endTail(timeNs);
      if (state.logsDropped > 0) {
        const std::string count = std::to_string(state.logsDropped);
        state.pushLog(timeNs, kWarning, count + " log lines were dropped because they came faster than they were read.",
                      Origin::kTrtscope, -1);
      }
      state.ending = ending;
    } catch (...) {}
    state.queue.pushLast(record);
    state.ended = true;
  });
}

void BuildMonitor::cancel() noexcept { state_->cancelled.store(true, std::memory_order_release); }

void BuildMonitor::request(const CancelReason& reason) noexcept {
  state_->record(nowNs(), [&](std::uint64_t timeNs) { state_->request(timeNs, reason); });
  cancel();
}

bool BuildMonitor::cancelRequested() const noexcept { return state_->cancelled.load(std::memory_order_acquire); }

bool BuildMonitor::acknowledgeBetween() noexcept {
  if (!cancelRequested()) return false;
  state_->record(nowNs(), [&](std::uint64_t timeNs) { state_->acknowledge(timeNs, AcknowledgedBy::kBetween, 0, -1); });
  return true;
}

void BuildMonitor::escalated(Escalation to) noexcept {
  state_->record(nowNs(), [&](std::uint64_t timeNs) {
    Record record;
    record.kind = RecordKind::kCancelEscalated;
    record.timeNs = timeNs;
    record.detail = static_cast<std::uint8_t>(to);
    state_->queue.push(record);
  });
}

void BuildMonitor::acknowledgeExit() noexcept {
  state_->record(nowNs(), [&](std::uint64_t timeNs) { state_->acknowledge(timeNs, AcknowledgedBy::kExit, 0, -1); });
}

void BuildMonitor::limit(Limits limits) {
  const std::lock_guard lock(state_->mutex);
  state_->limits.watch(std::move(limits));
}

std::uint64_t BuildMonitor::checkLimits(const Moment& at) noexcept {
  State& state = *state_;
  std::uint64_t next = Moment::kNever;
  state.lockPatiently();
  state.recordLocked(at.nowNs, [&](std::uint64_t timeNs) {
    next = at.nowNs + 1'000'000'000;  // should memory be short now
    state.findings.clear();
    next = state.originNs + state.limits.look(at, timeNs, state.heardNs, state.phases, state.findings);
    for (Finding& finding : state.findings) state.push(timeNs, std::move(finding));
  });
  return next;
}

std::string BuildMonitor::livePath() const {
  const std::lock_guard lock(state_->mutex);
  std::string path;
  for (const LivePhase* phase = state_->phases.newest(); phase != nullptr; phase = state_->phases.find(phase->parent)) {
    path = path.empty() ? phase->name : phase->name + '\n' + path;
  }
  return path;
}

std::uint64_t BuildMonitor::elapsedNs() const noexcept { return state_->sinceOrigin(nowNs()); }

bool BuildMonitor::drain(std::vector<Record>& out, std::size_t limit) {
  out.clear();
  limit = std::min(limit, kMaxDrainedAtOnce);
  out.reserve(limit);
  std::vector<std::unique_ptr<Words>>& words = state_->drained;
  words.clear();
  words.reserve(limit);
  RecordQueue::Block spare = state_->lacksSpare ? RecordQueue::makeBlock() : nullptr;
  state_->lockPatiently();
  const std::lock_guard lock(state_->mutex, std::adopt_lock);
  if (spare != nullptr) state_->queue.keepSpare(std::move(spare));
  state_->queue.drain(out, words, limit);
  state_->lacksSpare = state_->queue.lacksSpare();
  return !state_->queue.empty();
}

std::string_view BuildMonitor::text(const Record& record) const noexcept {
  return record.text == Record::kNoText ? std::string_view() : state_->drained[record.text]->first;
}

std::string_view BuildMonitor::parentText(const Record& record) const noexcept {
  return record.text == Record::kNoText ? std::string_view() : state_->drained[record.text]->second;
}

std::string_view BuildMonitor::pathText(const Record& record) const noexcept {
  return record.text == Record::kNoText ? std::string_view() : state_->drained[record.text]->third;
}

const Ending& BuildMonitor::ending() const noexcept { return state_->ending; }

BuildMonitor::Totals BuildMonitor::totals() const noexcept {
  const std::lock_guard lock(state_->mutex);
  return {state_->callbacks, state_->callbackNs.load(std::memory_order_relaxed), state_->peakMemory};
}

}  // namespace trtscope
