#include "wire/event_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace trtscope {

namespace {

// A string that grows past this is freed as one that glibc maps, which costs peak memory ever after.
constexpr std::size_t kMaxBytes = 64 * 1024;
// At once: the monitor's lock is held for them.
constexpr std::size_t kMaxRecords = 64;

constexpr std::array<std::string_view, 11> kTypes = {
    "phase.started",  "step.completed",   "phase.finished",   "log",   "tensorrt.loaded", "cancel.acknowledged",
    "budget.warning", "cancel.requested", "cancel.escalated", "quiet", "build.finished",
};
constexpr std::array<std::string_view, 2> kOrigins = {"tensorrt", "trtscope"};
constexpr std::array<std::string_view, 3> kAcknowledgers = {"step", "between", "exit"};
constexpr std::array<std::string_view, 2> kEscalations = {"terminate", "kill"};
constexpr std::array<std::string_view, 3> kOutcomes = {"built", "cancelled", "failed"};
constexpr std::array<std::string_view, 5> kSeverities = {"internal_error", "error", "warning", "info", "verbose"};

// Writes one JSON object, its braces included.
class Object {
 public:
  explicit Object(std::string& out) : out_(out) { out_ += '{'; }
  ~Object() { out_ += '}'; }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  template <typename Number>
  void number(std::string_view key, Number value) {
    char digits[24];
    name(key).append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
  }
  void string(std::string_view key, std::string_view value) { appendJsonString(name(key), value); }

  // For a nested value, which the caller appends.
  std::string& name(std::string_view key) {
    if (out_.back() != '{') out_ += ',';
    out_ += '"';
    out_ += key;
    return out_ += "\":";
  }

 private:
  std::string& out_;
};

template <std::size_t size>
std::string_view wordOf(const std::array<std::string_view, size>& words, std::size_t index) {
  return words[std::min(index, size - 1)];
}

void appendStarted(Object& line, const Record& record, const BuildMonitor& monitor) {
  line.number("phase", record.phase);
  const std::string_view parentName = monitor.parentText(record);
  if (record.parent != 0) {
    line.number("parent", record.parent);
  } else if (!parentName.empty()) {
    line.string("parentName", parentName);
  }
  line.string("name", monitor.text(record));
  if (record.steps > 0) line.number("steps", record.steps);
  line.number("thread", record.thread);
  line.string("origin", wordOf(kOrigins, static_cast<std::size_t>(record.origin)));
}

void appendStep(std::string& out, Object& line, const Record& record) {
  line.number("phase", record.phase);
  line.number("step", record.step);
  line.number("thread", record.thread);
  line.number("done", record.done);
  if (record.merged == 0) return;
  line.number("merged", record.merged);
  if (record.longestStep < 0) return;
  line.name("longest");
  Object longest(out);
  longest.number("step", record.longestStep);
  longest.number("forNs", record.longestNs);
}

void appendReason(std::string& out, const Record& record, const BuildMonitor& monitor) {
  Object reason(out);
  reason.string("source", monitor.text(record));
  reason.string("message", monitor.parentText(record));
  reason.number("requestedAtNs", record.requestedNs);
  if (!monitor.pathText(record).empty()) reason.string("detail", monitor.pathText(record));
}

void appendQuiet(Object& line, const Record& record) {
  if (record.phase != 0) line.number("phase", record.phase);
  line.number("forNs", record.quietNs);
  // It is this process that speaks.
  line.name("alive") += "true";
  if (record.step >= 0) line.number("cpu", record.step / 1000.0);
}

template <typename Word>
void appendList(std::string& out, const std::vector<Word>& words) {
  char separator = '[';
  for (const std::string_view word : words) {
    out += std::exchange(separator, ',');
    appendJsonString(out, word);
  }
  out += words.empty() ? "[]" : "]";
}

void appendError(std::string& out, const Ending& ending) {
  Object error(out);
  error.string("code", ending.errorCode);
  error.string("message", ending.errorMessage);
  if (ending.tensorrtCode >= 0) error.number("tensorrtCode", ending.tensorrtCode);
  if (ending.phasePath.empty()) return;
  std::vector<std::string_view> path;
  for (std::string_view rest = ending.phasePath;;) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    path.push_back(rest.substr(0, end));
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  appendList(error.name("phasePath"), path);
}

void appendCleanup(std::string& out, const Ending& ending) {
  Object cleanup(out);
  appendList(cleanup.name("temporariesRemoved"), ending.temporariesRemoved);
  if (ending.timingCacheSaved) cleanup.name("timingCacheSaved") += *ending.timingCacheSaved ? "true" : "false";
}

void appendFinished(std::string& out, Object& line, const BuildMonitor& monitor) {
  const Ending& ending = monitor.ending();
  line.string("outcome", wordOf(kOutcomes, static_cast<std::size_t>(ending.outcome)));
  if (!ending.enginePath.empty()) {
    line.name("engine");
    Object engine(out);
    engine.string("path", ending.enginePath);
    engine.number("bytes", ending.engineBytes);
  }
  if (!ending.errorCode.empty()) {
    line.name("error");
    appendError(out, ending);
  }
  if (!ending.temporariesRemoved.empty() || ending.timingCacheSaved) {
    line.name("cleanup");
    appendCleanup(out, ending);
  }
  const BuildMonitor::Totals totals = monitor.totals();
  {
    line.name("callbacks");
    Object callbacks(out);
    callbacks.number("count", totals.callbacks);
    callbacks.number("ns", totals.callbackNs);
  }
  line.number("peakMemoryBytes", totals.peakMemoryBytes);
}

}  // namespace

EventLines::EventLines(BuildMonitor& monitor, std::string build) : monitor_(monitor), build_(std::move(build)) {}

bool EventLines::drainTo(std::string& out, std::size_t limit) {
  const std::size_t mostBytes = out.size() + kMaxBytes;
  while (limit > 0) {
    if (next_ == batch_.size()) {
      more_ = monitor_.drain(batch_, std::min(limit, kMaxRecords));
      next_ = 0;
      if (batch_.empty()) return false;
    }
    for (; next_ < batch_.size() && limit > 0; --limit) {
      if (out.size() >= mostBytes) return true;
      append(out, batch_[next_++]);
    }
  }
  return more_ || next_ < batch_.size();
}

bool EventLines::finished() const { return finished_; }

void EventLines::append(std::string& out, const Record& record) {
  const bool first = seq_ == 0;
  // What is merged or left out counts: a reader sees the gap.
  seq_ += 1 + record.merged;
  if (leavesOutSteps_ && record.kind == RecordKind::kStepCompleted) return;
  {
    Object line(out);
    if (first) line.number("v", 1);
    line.string("type", wordOf(kTypes, static_cast<std::size_t>(record.kind)));
    line.string("build", build_);
    line.number("seq", seq_);
    line.number("timeNs", record.timeNs);
    switch (record.kind) {
      case RecordKind::kPhaseStarted: appendStarted(line, record, monitor_); break;
      case RecordKind::kStepCompleted: appendStep(out, line, record); break;
      case RecordKind::kPhaseFinished:
        line.number("phase", record.phase);
        line.number("done", record.done);
        break;
      case RecordKind::kLog:
        line.string("severity", wordOf(kSeverities, record.detail));
        line.string("message", monitor_.text(record));
        line.string("origin", wordOf(kOrigins, static_cast<std::size_t>(record.origin)));
        if (record.step >= 0) line.number("code", record.step);
        if (record.phase != 0) line.number("phase", record.phase);
        break;
      case RecordKind::kLoaded:
        line.string("edition", monitor_.text(record));
        line.string("version", monitor_.parentText(record));
        if (!monitor_.pathText(record).empty()) line.string("path", monitor_.pathText(record));
        break;
      case RecordKind::kAcknowledged:
        line.string("by", wordOf(kAcknowledgers, record.detail));
        if (record.phase != 0) line.number("phase", record.phase);
        if (record.step >= 0) line.number("step", record.step);
        break;
      case RecordKind::kBudgetWarning:
        line.string("budget", monitor_.text(record));
        line.number("limitNs", record.limitNs);
        line.number("usedNs", record.usedNs);
        break;
      case RecordKind::kCancelRequested:
        line.name("reason");
        appendReason(out, record, monitor_);
        break;
      case RecordKind::kCancelEscalated: line.string("to", wordOf(kEscalations, record.detail)); break;
      case RecordKind::kQuiet: appendQuiet(line, record); break;
      case RecordKind::kFinished:
        appendFinished(out, line, monitor_);
        finished_ = true;
        break;
    }
  }
  out += '\n';
}

}  // namespace trtscope
