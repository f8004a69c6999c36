#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>

#include "observed.h"

namespace trtscope::test {
namespace {

TEST(MonitorCancel, IsLatchedForEveryThreadAndPhase) {
  BuildMonitor monitor(0, nullptr);
  monitor.phaseStart("one", nullptr, 9);
  EXPECT_TRUE(monitor.step("one", 0));
  monitor.cancel();
  EXPECT_FALSE(monitor.step("one", 1));
  EXPECT_FALSE(monitor.step("Nobody", 0));
  bool elsewhere = true;
  std::thread([&] { elsewhere = monitor.step("one", 2); }).join();
  EXPECT_FALSE(elsewhere);
  EXPECT_TRUE(monitor.cancelRequested());
}

TEST(MonitorCancel, IsKeptWhenAskedForBetweenStepsAndAnsweredByTheNext) {
  BuildMonitor monitor(0, nullptr);
  monitor.cancel();
  monitor.phaseStart("one", nullptr, 9);
  monitor.phaseFinish("one");
  monitor.phaseStart("two", nullptr, 9);
  EXPECT_FALSE(monitor.step("two", 0));
}

TEST(MonitorCancel, ThatIsToBeOnRecordSaysWhyAndWhenItWasAskedFor) {
  BuildMonitor monitor(1000, nullptr);
  monitor.phaseStart("one", nullptr, 9);
  monitor.request({"call", "first", "detail", 1500});
  monitor.request({"call", "second", "", 10});
  monitor.request({"call", "third", ""});
  EXPECT_FALSE(monitor.step("one", 0));
  const auto all = observe(monitor);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[1].kind, RecordKind::kCancelRequested);
  EXPECT_EQ(all[1].name + all[1].parentName + all[1].third, "callfirstdetail");
  EXPECT_EQ(all[1].requestedNs, 500u);
  EXPECT_EQ(all[2].requestedNs, 0u) << "before the build began";
  EXPECT_EQ(all[3].requestedNs, all[3].timeNs);
  EXPECT_EQ(all[5].kind, RecordKind::kAcknowledged);
}

TEST(MonitorCancel, KeepsNoMoreRequestsOnRecordThanAnybodyReads) {
  BuildMonitor monitor(0, nullptr);
  for (std::size_t i = 0; i < 3 * BuildMonitor::kMaxRequests; ++i) monitor.request({"call", std::to_string(i), ""});
  EXPECT_EQ(observe(monitor).size(), BuildMonitor::kMaxRequests);
}

TEST(MonitorCancel, IsAcknowledgedOnceByTheFirstNo) {
  BuildMonitor monitor(0, nullptr);
  monitor.phaseStart("one", nullptr, 9);
  monitor.cancel();
  monitor.step("one", 4);
  monitor.step("one", 5);
  EXPECT_TRUE(monitor.acknowledgeBetween());
  const auto acknowledged = observe(monitor, RecordKind::kAcknowledged);
  ASSERT_EQ(acknowledged.size(), 1u);
  EXPECT_EQ(acknowledged[0].detail, static_cast<std::uint8_t>(AcknowledgedBy::kStep));
  EXPECT_EQ(acknowledged[0].phase, 1u);
  EXPECT_EQ(acknowledged[0].step, 4);
}

TEST(MonitorCancel, IsAcknowledgedBetweenOurOwnPhases) {
  BuildMonitor monitor(0, nullptr);
  EXPECT_FALSE(monitor.acknowledgeBetween());
  monitor.cancel();
  EXPECT_TRUE(monitor.acknowledgeBetween());
  EXPECT_TRUE(monitor.acknowledgeBetween());
  const auto acknowledged = observe(monitor, RecordKind::kAcknowledged);
  ASSERT_EQ(acknowledged.size(), 1u);
  EXPECT_EQ(acknowledged[0].detail, static_cast<std::uint8_t>(AcknowledgedBy::kBetween));
}

TEST(MonitorCancel, IsStillAnsweredAfterTheEnd) {
  BuildMonitor monitor(0, nullptr);
  monitor.finished(Ending{});
  EXPECT_TRUE(monitor.step("one", 0));
  monitor.request({"call", "late", ""});
  EXPECT_FALSE(monitor.step("one", 1));
  EXPECT_EQ(observe(monitor).size(), 1u);
}

TEST(MonitorCancel, FaultsOfTheConsumerNeverReachTensorrt) {
  BuildMonitor monitor(0, [] { throw std::runtime_error("the consumer is broken"); });
  monitor.phaseStart("one", nullptr, 1);
  EXPECT_TRUE(monitor.step("one", 0));
  EXPECT_EQ(observe(monitor).size(), 2u);
}

TEST(MonitorWake, ComesOncePerFillingOfTheQueue) {
  int wakes = 0;
  BuildMonitor monitor(0, [&] { ++wakes; });
  monitor.phaseStart("one", nullptr, 2);
  monitor.step("one", 0);
  EXPECT_EQ(wakes, 1);
  std::vector<Record> batch;
  EXPECT_TRUE(monitor.drain(batch, 1));
  monitor.step("one", 1);
  EXPECT_EQ(wakes, 1) << "the reader knows that more waits";
  EXPECT_FALSE(monitor.drain(batch, 10));
  monitor.phaseFinish("one");
  EXPECT_EQ(wakes, 2);
}

}  // namespace
}  // namespace trtscope::test
