#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "observed.h"

namespace trtscope::test {
namespace {

class MonitorIdentity : public testing::Test {
 protected:
  BuildMonitor monitor{0, nullptr};

  template <typename Call>
  void onAnotherThread(Call call) {
    std::thread(call).join();
  }
};

TEST_F(MonitorIdentity, EveryOccurrenceOfANameGetsAnIdOfItsOwn) {
  for (int i = 0; i < 3; ++i) {
    monitor.phaseStart("Computing reformatting costs", nullptr, 1);
    monitor.step("Computing reformatting costs", 0);
    monitor.phaseFinish("Computing reformatting costs");
  }
  const auto records = observe(monitor);
  ASSERT_EQ(records.size(), 9u);
  for (std::uint32_t i = 0; i < 9; ++i) EXPECT_EQ(records[i].phase, i / 3 + 1);
}

TEST_F(MonitorIdentity, APhaseIsNestedInTheLivePhaseThatItNames) {
  monitor.phaseStart("Building engine", nullptr, 6);
  monitor.phaseStart("Timing tactics", "Building engine", 3);
  const auto records = observe(monitor);
  EXPECT_EQ(records[0].parent, 0u);
  EXPECT_EQ(records[1].parent, 1u);
  EXPECT_EQ(records[1].steps, 3);
}

TEST_F(MonitorIdentity, AnUnknownParentMakesARootThatKeepsTheName) {
  monitor.phaseStart("Timing tactics", "Nobody", 3);
  const auto records = observe(monitor);
  EXPECT_EQ(records[0].parent, 0u);
  EXPECT_EQ(records[0].parentName, "Nobody");
}

TEST_F(MonitorIdentity, NamesAreComparedByContentNotByAddress) {
  std::string name = "one";
  monitor.phaseStart(name.c_str(), nullptr, 1);
  name = "two";
  monitor.phaseStart(name.c_str(), nullptr, 1);
  monitor.step(std::string("one").c_str(), 0);
  EXPECT_EQ(observe(monitor, RecordKind::kStepCompleted)[0].phase, 1u);
}

TEST_F(MonitorIdentity, AStepBelongsToItsPhaseAlsoWhileAChildIsOpen) {
  monitor.phaseStart("Computing profile costs", nullptr, 5);
  monitor.phaseStart("Determining refit engines", "Computing profile costs", 1);
  monitor.step("Computing profile costs", 3);
  const auto steps = observe(monitor, RecordKind::kStepCompleted);
  EXPECT_EQ(steps[0].phase, 1u);
  EXPECT_EQ(steps[0].done, 1u);
}

TEST_F(MonitorIdentity, TheSameThreadComesBeforeTheNewest) {
  monitor.phaseStart("Timing", nullptr, 2);
  onAnotherThread([&] { monitor.phaseStart("Timing", nullptr, 2); });
  monitor.step("Timing", 0);
  monitor.phaseStart("child", "Timing", 1);
  monitor.phaseFinish("Timing");
  const auto records = observe(monitor);
  EXPECT_EQ(records[2].phase, 1u);
  EXPECT_EQ(records[3].parent, 1u);
  EXPECT_EQ(records[4].phase, 1u);
}

TEST_F(MonitorIdentity, WithoutOneOfTheSameThreadTheNewestIsMeant) {
  monitor.phaseStart("Timing", nullptr, 2);
  onAnotherThread([&] { monitor.phaseStart("Timing", nullptr, 2); });
  onAnotherThread([&] { monitor.step("Timing", 0); });
  onAnotherThread([&] { monitor.phaseFinish("Timing"); });
  onAnotherThread([&] { monitor.step("Timing", 1); });
  const auto records = observe(monitor);
  EXPECT_EQ(records[2].phase, 2u);
  EXPECT_EQ(records[3].phase, 2u);
  EXPECT_EQ(records[4].phase, 1u);
}

TEST_F(MonitorIdentity, OfTwoOnOneThreadTheNewerIsMeantAndFinishedFirst) {
  monitor.phaseStart("Timing", nullptr, 2);
  monitor.phaseStart("Timing", "Timing", 2);
  monitor.step("Timing", 0);
  monitor.phaseFinish("Timing");
  monitor.step("Timing", 0);
  const auto records = observe(monitor);
  EXPECT_EQ(records[1].parent, 1u);
  EXPECT_EQ(records[2].phase, 2u);
  EXPECT_EQ(records[3].phase, 2u);
  EXPECT_EQ(records[4].phase, 1u);
}

TEST_F(MonitorIdentity, StraysAreCountedByKindAndBelongToNoPhase) {
  monitor.step("Nobody", 0);
  monitor.phaseFinish("Nobody");
  monitor.step("Nobody", 1);
  monitor.phaseStart(nullptr, nullptr, 0);
  monitor.step(nullptr, 0);
  const auto records = observe(monitor);
  EXPECT_EQ(records[0].phase, 0u);
  EXPECT_EQ(records[0].done, 1u);
  EXPECT_EQ(records[1].done, 1u);
  EXPECT_EQ(records[2].done, 2u);
  EXPECT_EQ(records[3].phase, 1u) << "a null name is the empty name";
  EXPECT_EQ(records[4].phase, 1u);
}

TEST_F(MonitorIdentity, AFinishIsAuthoritativeWhateverTheStepsSay) {
  monitor.phaseStart("Building engine", nullptr, 6);
  for (int step = 0; step < 5; ++step) monitor.step("Building engine", step);
  monitor.phaseFinish("Building engine");
  monitor.step("Building engine", 5);
  const auto records = observe(monitor);
  EXPECT_EQ(records[6].done, 5u);
  EXPECT_EQ(records[7].phase, 0u);
}

TEST_F(MonitorIdentity, ManyLivePhasesDoNotMakeAStepSlow) {
  constexpr int kPhases = 20'000;
  for (int i = 0; i < kPhases; ++i) monitor.phaseStart("same", nullptr, 1);
  for (int i = 0; i < kPhases; ++i) monitor.phaseStart(("phase " + std::to_string(i)).c_str(), "same", 1);
  // Generous: a search through all of them would take minutes under a sanitizer.
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < kPhases; ++i) monitor.step("same", i);
  for (int i = 0; i < kPhases; ++i) monitor.phaseFinish(("phase " + std::to_string(i)).c_str());
  for (int i = 0; i < kPhases; ++i) monitor.phaseFinish("same");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
  EXPECT_EQ(monitor.livePath(), "");
}

TEST_F(MonitorIdentity, TimesNeverFallAndThreadsAreKernelIds) {
  monitor.phaseStart("Building engine", nullptr, 2);
  onAnotherThread([&] { monitor.step("Building engine", 0); });
  monitor.phaseFinish("Building engine");
  const auto records = observe(monitor);
  EXPECT_LE(records[0].timeNs, records[1].timeNs);
  EXPECT_LE(records[1].timeNs, records[2].timeNs);
  EXPECT_EQ(records[0].thread, records[2].thread);
  EXPECT_NE(records[0].thread, records[1].thread);
}

}  // namespace
}  // namespace trtscope::test
