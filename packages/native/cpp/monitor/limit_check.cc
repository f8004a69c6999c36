#include "monitor/limit_check.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <utility>

#include "monitor/glob.h"

namespace trtscope {
namespace {

// Between two looks: how late a clock that was set is noticed, and from when the silence's share of the processor
// counts.
constexpr std::uint64_t kLongestNap = 1'000'000'000;
constexpr std::uint64_t kShortestNap = 1'000'000;

std::uint64_t partOf(std::uint64_t limitNs, double part) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(limitNs) * part));
}

// As core's formatDuration says it.
std::string durationText(std::uint64_t ns) {
  constexpr std::pair<const char*, double> kUnits[] = {{" h", 3.6e12}, {" min", 6e10}, {" s", 1e9}, {" ms", 1e6}};
  const auto value = static_cast<double>(ns);
  const auto* unit =
      std::find_if(std::begin(kUnits), std::end(kUnits) - 1, [&](auto one) { return value >= one.second; });
  char digits[32];
  const double rounded = std::round(value / unit->second * 100) / 100;
  char* end = std::to_chars(std::begin(digits), std::end(digits), rounded, std::chars_format::fixed).ptr;
  return std::string(digits, end) + unit->first;
}

// As Date.prototype.toISOString() says it.
std::string instantText(std::int64_t ms) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char second[32];
  std::strftime(second, sizeof(second), "%FT%T", &parts);
  char text[48];
  std::snprintf(text, sizeof(text), "%s.%03dZ", second, static_cast<int>(ms % 1000));
  return text;
}

Finding request(std::uint64_t timeNs, std::string source, std::string message, std::string detail) {
  Finding finding;
  finding.record.kind = RecordKind::kCancelRequested;
  finding.record.requestedNs = timeNs;
  finding.words = {std::move(source), std::move(message), std::move(detail)};
  return finding;
}

}  // namespace

std::uint64_t LimitCheck::look(const Moment& at, std::uint64_t timeNs, std::uint64_t heardNs, LivePhases& phases,
                               std::vector<Finding>& findings) {
  Sight sight{at, timeNs, findings, timeNs + kLongestNap};
  lookAtDeadline(sight);
  if (limits_.totalNs && isSpent(sight, "total", total_, 0, *limits_.totalNs)) {
    findings.push_back(
        request(timeNs, "budget", "the budget of " + durationText(*limits_.totalNs) + " is spent", "total"));
  }
  for (const Limits::Phase& budget : limits_.phases) expectNew(sight, budget.ns);
  if (limits_.stepNs) expectNew(sight, *limits_.stepNs);
  if (limits_.quietNs) expectNew(sight, *limits_.quietNs);
  phases.each([&](LivePhase& phase) { lookAtPhase(sight, phase); });
  lookAtSilence(sight, heardNs, phases);
  return sight.dueNs;
}

// Holds what has begun at `sinceNs` against a budget: warns, and answers true when it is to cancel, each once.
bool LimitCheck::isSpent(Sight& sight, const std::string& budget, BudgetUse& use, std::uint64_t sinceNs,
                         std::uint64_t limitNs) {
  if (use.sinceNs != sinceNs) use = {use.budget, sinceNs};
  const std::uint64_t usedNs = sight.timeNs - sinceNs;
  const std::uint64_t warnNs = partOf(limitNs, limits_.warnAt);
  const bool over = !use.spent && usedNs >= limitNs;
  if ((!use.warned && usedNs >= warnNs) || (over && !limits_.cancels)) {
    Finding warning;
    warning.record.kind = RecordKind::kBudgetWarning;
    warning.record.limitNs = limitNs;
    warning.record.usedNs = usedNs;
    warning.words.first = budget;
    sight.findings.push_back(std::move(warning));
    use.warned = true;
  }
  use.spent = use.spent || over;
  if (!use.spent) sight.dueNs = std::min(sight.dueNs, sinceNs + (use.warned ? limitNs : warnNs));
  return over && limits_.cancels;
}

// Looks again before the warning of what may begin at once is due; a late one of a hundredth is not too late.
void LimitCheck::expectNew(Sight& sight, std::uint64_t limitNs) const {
  const std::uint64_t napNs = partOf(limitNs, std::max(limits_.warnAt, 0.01));
  sight.dueNs = std::min(sight.dueNs, sight.timeNs + std::max(napNs, kShortestNap));
}

void LimitCheck::lookAtDeadline(Sight& sight) {
  if (!limits_.deadlineMs || deadlinePassed_) return;
  const std::int64_t leftMs = *limits_.deadlineMs - sight.at.wallMs;
  deadlinePassed_ = leftMs <= 0;
  if (deadlinePassed_) {
    const std::string instant = instantText(*limits_.deadlineMs);
    sight.findings.push_back(request(sight.timeNs, "deadline", "the deadline " + instant + " has passed", instant));
  } else if (leftMs < 1000) {
    sight.dueNs = std::min(sight.dueNs, sight.timeNs + static_cast<std::uint64_t>(leftMs) * 1'000'000);
  }
}

void LimitCheck::lookAtPhase(Sight& sight, LivePhase& phase) {
  if (!phase.looked) {
    for (std::size_t i = 0; i < limits_.phases.size(); ++i) {
      if (globMatches(limits_.phases[i].glob, phase.name)) phase.budgets.push_back({i});
    }
    phase.looked = true;
  }
  for (BudgetUse& use : phase.budgets) {
    const Limits::Phase& budget = limits_.phases[use.budget];
    const std::string name = "phase \"" + budget.glob + "\"";
    if (!isSpent(sight, name, use, phase.startedNs, budget.ns)) continue;
    const std::string words = "the phase \"" + phase.name + "\" has used up its budget of " + durationText(budget.ns);
    sight.findings.push_back(request(sight.timeNs, "budget", words, name));
  }
  if (phase.origin != Origin::kTensorrt) return;
  sight.inTensorrt = true;
  if (!limits_.stepNs || phase.children > 0) return;
  const std::uint64_t sinceNs = std::max(phase.lastNs, phase.childEndedNs);
  if (!isSpent(sight, "step", phase.stepBudget, sinceNs, *limits_.stepNs)) return;
  const std::string words = "the phase \"" + phase.name + "\" has made no step for " + durationText(*limits_.stepNs);
  sight.findings.push_back(request(sight.timeNs, "budget", words, "step"));
}

void LimitCheck::lookAtSilence(Sight& sight, std::uint64_t heardNs, LivePhases& phases) {
  if (quietSinceNs_ != heardNs) {
    quietSinceNs_ = heardNs;
    quietAtNs_ = heardNs + kFirstQuiet;
    quietBase_ = sight.at;
  }
  const LivePhase* newest = phases.newest();
  if (newest == nullptr) return;
  const std::uint64_t forNs = sight.timeNs - heardNs;
  if (sight.timeNs >= quietAtNs_) {
    Finding quiet;
    quiet.record.kind = RecordKind::kQuiet;
    quiet.record.phase = newest->id;
    quiet.record.quietNs = forNs;
    if (sight.at.nowNs > quietBase_.nowNs) {
      const auto usedNs = static_cast<double>(sight.at.cpuNs - quietBase_.cpuNs);
      const auto thousandths = 1000 * usedNs / static_cast<double>(sight.at.nowNs - quietBase_.nowNs);
      quiet.record.step = static_cast<std::int32_t>(std::lround(thousandths));
    }
    sight.findings.push_back(std::move(quiet));
    quietAtNs_ = sight.timeNs + std::min(forNs, kMostQuiet);
  }
  sight.dueNs = std::min(sight.dueNs, quietAtNs_);
  if (!limits_.quietNs || !sight.inTensorrt) return;
  if (!isSpent(sight, "quiet", silence_, heardNs, *limits_.quietNs)) return;
  const std::string words = "TensorRT has made no callback for " + durationText(*limits_.quietNs);
  sight.findings.push_back(request(sight.timeNs, "budget", words, "quiet"));
}

}  // namespace trtscope
