#include <gtest/gtest.h>

#include "observed.h"

namespace trtscope::test {
namespace {

std::string outline(const std::vector<Observed>& records) {
  std::string text;
  for (const Observed& record : records) {
    if (record.kind == RecordKind::kPhaseStarted) text += "+" + record.name + "(" + std::to_string(record.phase) + ") ";
    if (record.kind == RecordKind::kPhaseFinished) text += "-" + std::to_string(record.phase) + " ";
  }
  return text;
}

class MonitorOwnPhases : public testing::Test {
 protected:
  BuildMonitor monitor{0, nullptr};
};

TEST_F(MonitorOwnPhases, TheFirstBeginsWithTheBuildAndTheNextWhereTheLastOneEnded) {
  const std::uint32_t phase = monitor.beginOwn("start");
  monitor.endOwn(phase);
  monitor.endOwn(phase);
  monitor.beginOwn("parse");
  const auto records = observe(monitor);
  EXPECT_EQ(outline(records), "+start(1) -1 +parse(2) ");
  EXPECT_EQ(records[0].timeNs, 0u);
  EXPECT_EQ(records[0].origin, Origin::kTrtscope);
  EXPECT_GT(records[1].timeNs, 0u);
  EXPECT_EQ(records[2].timeNs, records[1].timeNs);
}

TEST_F(MonitorOwnPhases, OneThatFollowsTensorRtBeginsNow) {
  monitor.endOwn(monitor.beginOwn("configure"));
  monitor.coverTail(true);
  monitor.coverTail(false);
  const std::uint64_t before = monitor.elapsedNs();
  monitor.endOwn(monitor.beginOwn("write"));
  monitor.phaseStart("root", nullptr, 1);
  monitor.beginOwn("late");
  const auto records = observe(monitor);
  EXPECT_GE(records[2].timeNs, before);
  EXPECT_GE(records[5].timeNs, records[4].timeNs);
}

TEST_F(MonitorOwnPhases, AreNotFoundByTheirName) {
  monitor.beginOwn("parse");
  monitor.phaseStart("child", "parse", 1);
  monitor.step("parse", 0);
  monitor.phaseFinish("parse");
  const auto records = observe(monitor);
  EXPECT_EQ(records[1].parent, 0u);
  EXPECT_EQ(records[2].phase, 0u);
  EXPECT_EQ(records[3].phase, 0u);
}

TEST_F(MonitorOwnPhases, TheTailOpensWhenTheLastRootFinishes) {
  monitor.coverTail(true);
  monitor.phaseStart("root", nullptr, 1);
  monitor.phaseStart("other root", nullptr, 1);
  monitor.phaseFinish("root");
  monitor.phaseFinish("other root");
  monitor.coverTail(false);
  const auto records = observe(monitor);
  EXPECT_EQ(outline(records), "+root(1) +other root(2) -1 -2 +finish(3) -3 ");
  EXPECT_EQ(records[3].timeNs, records[4].timeNs) << "no unexplained time in between";
}

TEST_F(MonitorOwnPhases, TheTailClosesWhenAnotherRootStarts) {
  monitor.coverTail(true);
  monitor.phaseStart("root", nullptr, 1);
  monitor.phaseFinish("root");
  monitor.phaseStart("late root", nullptr, 1);
  monitor.phaseFinish("late root");
  monitor.finished(Ending{});
  EXPECT_EQ(outline(observe(monitor)), "+root(1) -1 +finish(2) -2 +late root(3) -3 +finish(4) -4 ");
}

TEST_F(MonitorOwnPhases, ThereIsNoTailUnlessAskedForNorAfterAChild) {
  monitor.phaseStart("root", nullptr, 1);
  monitor.phaseFinish("root");
  monitor.coverTail(true);
  monitor.phaseStart("root", nullptr, 1);
  monitor.phaseStart("child", "root", 1);
  monitor.phaseFinish("child");
  EXPECT_EQ(outline(observe(monitor)), "+root(1) -1 +root(2) +child(3) -3 ");
}

TEST_F(MonitorOwnPhases, TheLivePathEndsInTheNewestPhase) {
  EXPECT_EQ(monitor.livePath(), "");
  monitor.beginOwn("parse");
  EXPECT_EQ(monitor.livePath(), "parse");
  monitor.phaseStart("Building engine", nullptr, 6);
  monitor.phaseStart("Optimizing graph", "Building engine", 30);
  EXPECT_EQ(monitor.livePath(), "Building engine\nOptimizing graph");
}

TEST_F(MonitorOwnPhases, ALogKnowsTheInnermostPhase) {
  monitor.log(2, "before", Origin::kTensorrt);
  monitor.phaseStart("Building engine", nullptr, 6);
  monitor.log(1, "inside", Origin::kTensorrt, 4);
  const auto logs = observe(monitor, RecordKind::kLog);
  EXPECT_EQ(logs[0].phase, 0u);
  EXPECT_EQ(logs[1].phase, 1u);
  EXPECT_EQ(logs[1].step, 4);
  EXPECT_EQ(logs[1].name, "inside");
}

TEST_F(MonitorOwnPhases, AFloodOfLogLinesIsBoundedAndItsLossIsSaidOnce) {
  for (int i = 0; i < 100'000; ++i) monitor.log(4, "chatter", Origin::kTensorrt);
  monitor.log(1, "an error", Origin::kTensorrt);
  monitor.finished(Ending{});
  const auto logs = observe(monitor, RecordKind::kLog);
  ASSERT_EQ(logs.size(), BuildMonitor::kMaxWaitingLogs + 2);
  EXPECT_EQ(logs[BuildMonitor::kMaxWaitingLogs].name, "an error");
  EXPECT_EQ(logs.back().name, "95904 log lines were dropped because they came faster than they were read.");
  EXPECT_EQ(logs.back().origin, Origin::kTrtscope);
}

TEST_F(MonitorOwnPhases, AnEndlessMessageIsCutBetweenCharacters) {
  std::string message(16 * 1024 - 1, 'x');
  message += "ü and more";
  monitor.log(1, message, Origin::kTensorrt);
  EXPECT_EQ(observe(monitor)[0].name, std::string(16 * 1024 - 1, 'x') + "…");
}

TEST_F(MonitorOwnPhases, TheEndIsTheLastRecordAndCarriesTheTotals) {
  monitor.phaseStart("one", nullptr, 1);
  monitor.step("one", 0);
  monitor.phaseFinish("one");
  Ending ending;
  ending.outcome = Outcome::kBuilt;
  ending.enginePath = "/e";
  monitor.finished(ending);
  monitor.finished(Ending{});
  monitor.phaseStart("late", nullptr, 1);
  const auto records = observe(monitor);
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[3].detail, static_cast<std::uint8_t>(Outcome::kBuilt));
  EXPECT_EQ(monitor.ending().enginePath, "/e");
  EXPECT_EQ(monitor.totals().callbacks, 3u);
  EXPECT_GT(monitor.totals().callbackNs, 0u);
  EXPECT_GT(monitor.totals().peakMemoryBytes, 1'000'000u);
}

}  // namespace
}  // namespace trtscope::test
