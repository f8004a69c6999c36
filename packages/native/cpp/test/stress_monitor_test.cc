#include <gtest/gtest.h>

#include <map>
#include <semaphore>
#include <thread>

#include "observed.h"

namespace trtscope::test {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 50;
constexpr std::uint32_t kStepsARound = 2498;
constexpr int kCallbacks = kThreads * kRounds * (static_cast<int>(kStepsARound) + 2);
static_assert(kCallbacks == 1'000'000);

// Eight threads share a root and use one name for phases of their own; a cancel falls into the middle.
void work(BuildMonitor& monitor, int thread) {
  for (int round = 0; round < kRounds; ++round) {
    monitor.phaseStart("Timing tactics", "Building engine", kStepsARound);
    for (std::uint32_t step = 0; step < kStepsARound; ++step) monitor.step("Timing tactics", static_cast<int>(step));
    if (thread == 0 && round == kRounds / 2) monitor.cancel();
    monitor.phaseFinish("Timing tactics");
  }
}

struct Tally {
  std::map<std::uint32_t, std::uint64_t> done;
  std::uint64_t steps = 0;
  std::uint64_t strays = 0;
  std::uint64_t starts = 0;
  std::uint64_t finishes = 0;
  std::uint64_t acknowledged = 0;
  std::uint64_t lastNs = 0;
  bool ordered = true;
  bool exact = true;
  bool ended = false;

  void add(const Record& record) {
    ordered = ordered && record.timeNs >= lastNs;
    lastNs = record.timeNs;
    strays += record.phase == 0 && record.kind == RecordKind::kStepCompleted;
    std::uint64_t& done_ = done[record.phase];
    if (record.kind == RecordKind::kStepCompleted) {
      done_ += 1 + record.merged;
      steps += 1 + record.merged;
      exact = exact && record.done == done_;
    } else if (record.kind == RecordKind::kPhaseFinished) {
      exact = exact && record.done == done_;
      ++finishes;
    } else {
      starts += record.kind == RecordKind::kPhaseStarted;
      acknowledged += record.kind == RecordKind::kAcknowledged;
      ended = ended || record.kind == RecordKind::kFinished;
    }
  }
};

// A fast consumer drains at every wake; a slow one reads ten records and then nothing until the threads are done.
Tally run(bool slow) {
  std::counting_semaphore<> wakes(0);
  std::binary_semaphore over(0);
  BuildMonitor monitor(0, [&] { wakes.release(); });
  Tally tally;
  std::thread consumer([&] {
    std::vector<Record> batch;
    const auto drain = [&](std::size_t limit) {
      const bool more = monitor.drain(batch, limit);
      for (const Record& record : batch) tally.add(record);
      return more;
    };
    if (slow) {
      wakes.acquire();
      drain(10);
      over.acquire();
    }
    while (!tally.ended) {
      while (drain(4096)) {}
      if (!tally.ended) wakes.acquire();
    }
  });
  monitor.phaseStart("Building engine", nullptr, 1);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) threads.emplace_back([&, thread] { work(monitor, thread); });
  for (std::thread& thread : threads) thread.join();
  monitor.phaseFinish("Building engine");
  EXPECT_FALSE(monitor.step("Building engine", 0));
  monitor.finished(Ending{});
  over.release();
  consumer.join();
  EXPECT_EQ(monitor.totals().callbacks, static_cast<std::uint64_t>(kCallbacks) + 3);
  return tally;
}

class MonitorStress : public testing::TestWithParam<bool> {};

TEST_P(MonitorStress, CountsAreExactWithAMillionCallbacksOfEightThreads) {
  const Tally tally = run(GetParam());
  EXPECT_EQ(tally.starts, static_cast<std::uint64_t>(kThreads * kRounds + 1));
  EXPECT_EQ(tally.finishes, tally.starts);
  EXPECT_EQ(tally.steps, kThreads * kRounds * kStepsARound + 1);
  EXPECT_EQ(tally.strays, 1u);
  EXPECT_EQ(tally.acknowledged, 1u);
  EXPECT_TRUE(tally.ordered);
  EXPECT_TRUE(tally.exact);
  for (const auto& [phase, done] : tally.done) {
    EXPECT_EQ(done, phase > 1 ? kStepsARound : 1 - phase) << "phase " << phase;
  }
}

INSTANTIATE_TEST_SUITE_P(Consumer, MonitorStress, testing::Values(false, true),
                         [](const auto& consumer) { return consumer.param ? "Slow" : "Fast"; });

}  // namespace
}  // namespace trtscope::test
