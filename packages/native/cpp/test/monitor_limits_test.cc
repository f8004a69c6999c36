#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "monitor/glob.h"
#include "observed.h"

namespace trtscope::test {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
// So far off that the clock which callbacks read stands still: it is as late as the latest look says.
constexpr std::uint64_t kOrigin = 1ull << 62;

// A build whose time the test drives.
class Watched {
 public:
  explicit Watched(const Limits& limits) : monitor(kOrigin, nullptr) { monitor.limit(limits); }

  // Looks at that second, and answers at which one to look again.
  double lookAt(double second) {
    at_.nowNs = kOrigin + std::llround(second * 1e9);
    const std::uint64_t next = monitor.checkLimits(at_);
    return next == Moment::kNever ? -1 : static_cast<double>(next - kOrigin) / 1e9;
  }
  // Looks whenever it wants to, until that second.
  void runTo(double second) {
    for (double next = lookAt(now()); next >= 0 && next < second;) next = lookAt(next);
    lookAt(second);
  }
  double now() const { return at_.nowNs == 0 ? 0 : static_cast<double>(at_.nowNs - kOrigin) / 1e9; }
  void setWall(std::int64_t ms) { at_.wallMs = ms; }
  void use(double cpuSeconds) { at_.cpuNs += std::llround(cpuSeconds * 1e9); }

  // What there is to tell since the last call, a line each.
  std::string news() {
    std::string text;
    for (const Observed& one : observe(monitor)) {
      const std::string at = std::to_string(std::llround(static_cast<double>(one.timeNs) / 1e6)) + " ms: ";
      if (one.kind == RecordKind::kBudgetWarning) {
        const auto percent = std::llround(100 * static_cast<double>(one.usedNs) / static_cast<double>(one.limitNs));
        text += at + one.name + " " + std::to_string(percent) + " %\n";
      } else if (one.kind == RecordKind::kCancelRequested) {
        text += at + one.name + ": " + one.parentName + " (" + one.third + ")\n";
      }
    }
    return text;
  }

  BuildMonitor monitor;

 private:
  Moment at_{.nowNs = kOrigin};
};

Limits total(std::uint64_t ns) {
  Limits limits;
  limits.totalNs = ns;
  return limits;
}

Limits phases(std::vector<Limits::Phase> budgets) {
  Limits limits;
  limits.phases = std::move(budgets);
  return limits;
}

Limits steps(std::uint64_t ns) {
  Limits limits;
  limits.stepNs = ns;
  return limits;
}

TEST(LimitCheck, WarnsOnceMoreOfASpentBudgetThatDoesNotCancel) {
  Limits limits = total(10 * kSecond);
  limits.cancels = false;
  Watched build(limits);
  build.runTo(30);
  EXPECT_EQ(build.news(), "8000 ms: total 80 %\n10000 ms: total 100 %\n");
  EXPECT_FALSE(build.monitor.cancelRequested());
}

TEST(LimitCheck, WarnsOfATotalBudgetAndThenCancels) {
  Watched build(total(10 * kSecond));
  build.runTo(7.999);
  EXPECT_EQ(build.news(), "");
  EXPECT_DOUBLE_EQ(build.lookAt(7.999), 8);
  build.runTo(20);
  EXPECT_EQ(build.news(), "8000 ms: total 80 %\n10000 ms: budget: the budget of 10 s is spent (total)\n");
  EXPECT_TRUE(build.monitor.cancelRequested());
  EXPECT_FALSE(build.monitor.step("one", 0));
}

TEST(LimitCheck, WarnsWhereItIsToldTo) {
  Limits limits = total(10 * kSecond);
  limits.warnAt = 0;
  Watched early(limits);
  early.runTo(0.001);
  EXPECT_EQ(early.news(), "0 ms: total 0 %\n");
  limits.warnAt = 1;
  Watched late(limits);
  late.runTo(11);
  EXPECT_EQ(late.news(), "10000 ms: total 100 %\n10000 ms: budget: the budget of 10 s is spent (total)\n");
}

TEST(LimitCheck, SaysOnceWhatALateLookFinds) {
  Watched build(total(10 * kSecond));
  build.lookAt(25);
  build.lookAt(26);
  EXPECT_EQ(build.news(), "25000 ms: total 250 %\n25000 ms: budget: the budget of 10 s is spent (total)\n");
}

TEST(LimitCheck, GoesByTheWallClockForADeadlineAlsoWhenItIsSet) {
  Limits limits;
  limits.deadlineMs = 1'893'456'000'250;
  Watched build(limits);
  build.setWall(*limits.deadlineMs - 5000);
  EXPECT_DOUBLE_EQ(build.lookAt(0), 1) << "a clock may be set";
  build.setWall(*limits.deadlineMs - 60'000);
  build.lookAt(5.5);
  EXPECT_EQ(build.news(), "") << "it was set back";
  build.setWall(*limits.deadlineMs - 300);
  EXPECT_DOUBLE_EQ(build.lookAt(6), 6.3);
  build.setWall(*limits.deadlineMs);
  build.lookAt(6.3);
  build.setWall(0);
  build.runTo(9);
  EXPECT_EQ(build.news(),
            "6300 ms: deadline: the deadline 2030-01-01T00:00:00.250Z has passed (2030-01-01T00:00:00.250Z)\n");
}

TEST(LimitCheck, GivesEachOccurrenceOfAPhaseItsBudget) {
  Watched build(phases({{"Timing *", 2 * kSecond}, {"Timing graph nodes", 4 * kSecond}}));
  build.monitor.phaseStart("Timing graph nodes", nullptr, 9);
  build.runTo(1.9);
  build.monitor.phaseFinish("Timing graph nodes");
  build.monitor.phaseStart("Timing graph nodes", nullptr, 9);
  EXPECT_EQ(build.news(), "1600 ms: phase \"Timing *\" 80 %\n");
  build.runTo(10);
  EXPECT_EQ(build.news(),
            "3500 ms: phase \"Timing *\" 80 %\n"
            "3900 ms: budget: the phase \"Timing graph nodes\" has used up its budget of 2 s (phase \"Timing *\")\n"
            "5100 ms: phase \"Timing graph nodes\" 80 %\n"
            "5900 ms: budget: the phase \"Timing graph nodes\" has used up its budget of 4 s "
            "(phase \"Timing graph nodes\")\n");
}

TEST(LimitCheck, WatchesOurOwnPhasesByTheirNamesToo) {
  Watched build(phases({{"par?e", kSecond}}));
  const std::uint32_t phase = build.monitor.beginOwn("parse");
  build.runTo(0.9);
  EXPECT_EQ(build.news(), "800 ms: phase \"par?e\" 80 %\n");
  build.monitor.endOwn(phase);
  build.runTo(5);
  EXPECT_EQ(build.news(), "");
}

TEST(LimitCheck, LooksAgainBeforeAPhaseThatBeginsMeanwhileCouldBeDue) {
  Watched build(phases({{"*", kSecond / 2}}));
  EXPECT_DOUBLE_EQ(build.lookAt(1), 1.4);
  Watched hasty(phases({{"*", 1000}}));
  EXPECT_DOUBLE_EQ(hasty.lookAt(1), 1.001) << "but not all the time";
}

TEST(LimitCheck, CountsAStepFromTheLastStepOrTheEndOfAChild) {
  Watched build(steps(kSecond));
  build.monitor.phaseStart("outer", nullptr, 3);
  build.runTo(0.9);
  EXPECT_EQ(build.news(), "800 ms: step 80 %\n");
  build.monitor.step("outer", 0);
  build.monitor.phaseStart("inner", "outer", 1);
  build.runTo(1.6);
  build.monitor.step("inner", 0);
  build.runTo(2);
  build.monitor.phaseFinish("inner");
  build.runTo(2.7);
  EXPECT_EQ(build.news(), "");
  build.runTo(5);
  EXPECT_EQ(build.news(), "2800 ms: step 80 %\n3000 ms: budget: the phase \"outer\" has made no step for 1 s (step)\n");
}

TEST(LimitCheck, CountsNoStepsOfOurOwnPhases) {
  Watched build(steps(kSecond));
  build.monitor.beginOwn("parse");
  build.runTo(5);
  EXPECT_EQ(build.news(), "");
}

TEST(LimitCheck, CountsSilenceOnlyWhileAPhaseOfTensorrtIsLive) {
  Limits limits;
  limits.quietNs = 2 * kSecond;
  Watched build(limits);
  build.monitor.beginOwn("parse");
  build.runTo(5);
  build.monitor.phaseStart("one", nullptr, 1);
  build.runTo(6);
  build.monitor.step("Nobody", 0);
  build.monitor.log(3, "words", Origin::kTensorrt);
  build.runTo(7.5);
  EXPECT_EQ(build.news(), "");
  build.runTo(9);
  EXPECT_EQ(build.news(), "7600 ms: quiet 80 %\n8000 ms: budget: TensorRT has made no callback for 2 s (quiet)\n");
}

TEST(LimitCheck, IsAnsweredWithNoMoreRequestsThanAreKept) {
  std::vector<Limits::Phase> budgets(BuildMonitor::kMaxRequests, {"*", kSecond});
  Watched build(phases(budgets));
  build.monitor.phaseStart("one", nullptr, 1);
  build.monitor.phaseStart("two", nullptr, 1);
  build.runTo(2);
  EXPECT_EQ(observe(build.monitor, RecordKind::kCancelRequested).size(), BuildMonitor::kMaxRequests);
}

TEST(LimitCheck, EndsWithTheBuild) {
  Watched build(total(kSecond));
  build.monitor.finished(Ending{});
  EXPECT_DOUBLE_EQ(build.lookAt(2), -1);
  EXPECT_EQ(build.news(), "");
  EXPECT_FALSE(build.monitor.cancelRequested());
}

TEST(LimitCheck, NamesDurationsAsPeopleDo) {
  const std::pair<std::uint64_t, const char*> named[] = {
      {500'000, "0.5 ms"},      {1'234'567'000, "1.23 s"},  {90 * kSecond, "1.5 min"},
      {300 * kSecond, "5 min"}, {8100 * kSecond, "2.25 h"}, {8'640'000 * kSecond, "2400 h"},
  };
  for (const auto& [ns, name] : named) {
    Watched build(total(ns));
    build.lookAt(static_cast<double>(ns) / 1e9);
    EXPECT_NE(build.news().find("the budget of " + std::string(name) + " is spent"), std::string::npos) << name;
  }
}

// Seconds of silence and shares of a processor.
std::string quietOf(Watched& build) {
  std::string text;
  for (const Observed& one : observe(build.monitor, RecordKind::kQuiet)) {
    text += std::to_string(one.quietNs / kSecond) + " s in " + std::to_string(one.phase) + ", cpu " +
            std::to_string(one.step) + "\n";
  }
  return text;
}

TEST(Quiet, IsToldAfterThreeSecondsAndThenAtGrowingIntervals) {
  Watched build(Limits{});
  build.monitor.phaseStart("one", nullptr, 9);
  std::string told;
  for (int second = 1; second <= 200; ++second) {
    build.use(2);
    build.lookAt(second);
    told += quietOf(build);
  }
  EXPECT_EQ(told,
            "3 s in 1, cpu 2000\n6 s in 1, cpu 2000\n12 s in 1, cpu 2000\n24 s in 1, cpu 2000\n48 s in 1, cpu 2000\n"
            "96 s in 1, cpu 2000\n156 s in 1, cpu 2000\n");
  build.monitor.step("one", 0);
  build.lookAt(200.1);
  build.runTo(204);
  EXPECT_EQ(quietOf(build), "3 s in 1, cpu 0\n") << "a callback begins anew";
}

TEST(Quiet, IsToldOfOurOwnPhasesToo) {
  Watched build(Limits{});
  build.runTo(5);
  EXPECT_EQ(quietOf(build), "") << "nothing has begun";
  build.monitor.beginOwn("parse");
  build.runTo(9);
  EXPECT_EQ(quietOf(build), "3 s in 1, cpu 0\n");
}

TEST(Glob, MatchesTheWholeNameByCharacters) {
  EXPECT_TRUE(globMatches("Timing *", "Timing graph nodes"));
  EXPECT_TRUE(globMatches("*", ""));
  EXPECT_TRUE(globMatches("*a*b?", "xaxbxbü"));
  EXPECT_TRUE(globMatches("?", "形"));
  EXPECT_TRUE(globMatches("a[.]*+", "a[.]\n+"));
  EXPECT_FALSE(globMatches("Timing", "Timing graph nodes"));
  EXPECT_FALSE(globMatches("?", "ab"));
  EXPECT_FALSE(globMatches("*??b", "übx"));
  EXPECT_FALSE(globMatches("", "a"));
}

}  // namespace
}  // namespace trtscope::test
