#include <gtest/gtest.h>

#include <map>

#include "monitor/record_queue.h"
#include "observed.h"

namespace trtscope::test {
namespace {

Record stepOf(std::uint32_t phase, std::int32_t step, std::uint64_t durationNs = 0) {
  Record record;
  record.phase = phase;
  record.step = step;
  record.done = static_cast<std::uint64_t>(step) + 1;
  record.longestStep = step;
  record.longestNs = durationNs;
  return record;
}

std::vector<Record> drained(RecordQueue& queue) {
  std::vector<Record> records;
  std::vector<std::unique_ptr<Words>> words;
  queue.drain(records, words, SIZE_MAX);
  return records;
}

TEST(RecordQueue, FoldsThePhasesWaitingStepIntoItsNextPastTheBound) {
  RecordQueue queue(2);
  RecordQueue::Place first;
  RecordQueue::Place second;
  queue.pushStep(stepOf(1, 0, 5), first);
  queue.pushStep(stepOf(2, 0, 5), second);
  queue.pushStep(stepOf(1, 1, 9), first);
  queue.pushStep(stepOf(1, 2, 7), first);
  const auto records = drained(queue);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].phase, 2u) << "the merged step stands where its last one happened";
  EXPECT_EQ(records[1].done, 3u);
  EXPECT_EQ(records[1].merged, 2u);
  EXPECT_EQ(records[1].longestStep, 1);
  EXPECT_EQ(records[1].longestNs, 9u);
}

TEST(RecordQueue, DoesNotFoldIntoAStepThatWasDrained) {
  RecordQueue queue(1);
  RecordQueue::Place first;
  RecordQueue::Place second;
  queue.pushStep(stepOf(1, 0), first);
  drained(queue);
  queue.pushStep(stepOf(2, 0), second);
  queue.pushStep(stepOf(1, 1), first);
  const auto records = drained(queue);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[1].phase, 1u);
  EXPECT_EQ(records[1].merged, 0u);
}

TEST(RecordQueue, NeverFoldsStartsAndFinishes) {
  RecordQueue queue(1);
  for (int i = 0; i < 5000; ++i) {
    Record record;
    record.kind = i % 2 == 0 ? RecordKind::kPhaseStarted : RecordKind::kPhaseFinished;
    queue.push(record);
  }
  EXPECT_EQ(drained(queue).size(), 5000u);
}

TEST(RecordQueue, DrainsInOrderAndWithWordsUpToTheLimit) {
  RecordQueue queue(10);
  for (int i = 0; i < 3; ++i) {
    Record record;
    record.kind = RecordKind::kLog;
    queue.push(record, std::make_unique<Words>(Words{std::to_string(i), {}, {}}));
  }
  EXPECT_EQ(queue.waitingLogs(), 3u);
  std::vector<Record> records;
  std::vector<std::unique_ptr<Words>> words;
  queue.drain(records, words, 2);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(words[records[1].text]->first, "1");
  EXPECT_FALSE(queue.empty());
  EXPECT_EQ(queue.waitingLogs(), 1u);
}

TEST(MonitorMerging, KeepsCountsExactAndMemoryBoundedWhenNobodyReads) {
  constexpr int kSteps = 1'000'000;
  BuildMonitor monitor(0, nullptr);
  monitor.phaseStart("one", nullptr, kSteps);
  monitor.phaseStart("two", "one", kSteps);
  for (int step = 0; step < kSteps / 2; ++step) {
    monitor.step("one", step);
    monitor.step("two", step);
  }
  monitor.phaseFinish("two");
  monitor.phaseFinish("one");
  std::map<std::uint32_t, std::uint64_t> told;
  std::uint64_t lastNs = 0;
  std::size_t waited = 0;
  for (const Observed& record : observe(monitor)) {
    ++waited;
    EXPECT_GE(record.timeNs, lastNs);
    lastNs = record.timeNs;
    if (record.kind == RecordKind::kStepCompleted) {
      told[record.phase] += 1 + record.merged;
      EXPECT_EQ(record.done, told[record.phase]);
    } else if (record.kind == RecordKind::kPhaseFinished) {
      EXPECT_EQ(record.done, static_cast<std::uint64_t>(kSteps / 2));
    }
  }
  EXPECT_EQ(told[1], static_cast<std::uint64_t>(kSteps / 2));
  EXPECT_EQ(told[2], static_cast<std::uint64_t>(kSteps / 2));
  EXPECT_LE(waited, BuildMonitor::kMaxWaiting + 4);
}

TEST(MonitorMerging, MeasuresAStepFromThePhasesPreviousStepOrItsStart) {
  BuildMonitor monitor(0, nullptr);
  monitor.phaseStart("one", nullptr, 2);
  monitor.step("one", 0);
  monitor.step("one", 1);
  const auto records = observe(monitor);
  EXPECT_EQ(records[1].longestNs, records[1].timeNs - records[0].timeNs);
  EXPECT_EQ(records[2].longestNs, records[2].timeNs - records[1].timeNs);
}

}  // namespace
}  // namespace trtscope::test
