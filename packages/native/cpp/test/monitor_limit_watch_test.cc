#include <gtest/gtest.h>

#include <deque>
#include <semaphore>
#include <thread>

#include "monitor/limit_watch.h"
#include "observed.h"

namespace trtscope::test {
namespace {

Limits total(std::uint64_t ns) {
  Limits limits;
  limits.totalNs = ns;
  limits.warnAt = 1;
  return limits;
}

// Waits until the watch has asked it to stop, and never looks at a clock.
struct Build {
  explicit Build(std::uint64_t totalNs) : monitor(Moment::now().nowNs, [this] { heard.release(); }) {
    monitor.limit(total(totalNs));
  }
  void awaitCancel() {
    while (!monitor.cancelRequested()) {
      heard.acquire();
      observe(monitor);
    }
  }

  std::counting_semaphore<> heard{0};
  BuildMonitor monitor;
};

TEST(LimitWatch, CancelsABuildWhoseBudgetIsSpentWithoutAnyCallback) {
  Build build(3'000'000);
  LimitWatch::all().add(build.monitor);
  build.awaitCancel();
  EXPECT_GE(build.monitor.elapsedNs(), 3'000'000U);
  EXPECT_FALSE(build.monitor.step("one", 0));
  LimitWatch::all().remove(build.monitor);
}

TEST(LimitWatch, WatchesABuildThatBeginsWhileItWaitsForAnother) {
  Build patient(3'600'000'000'000);
  LimitWatch::all().add(patient.monitor);
  Build hasty(1'000'000);
  LimitWatch::all().add(hasty.monitor);
  hasty.awaitCancel();
  EXPECT_FALSE(patient.monitor.cancelRequested());
  LimitWatch::all().remove(patient.monitor);
  LimitWatch::all().remove(hasty.monitor);
}

TEST(LimitWatch, LeavesABuildAloneOnceItIsRemoved) {
  for (int round = 0; round < 100; ++round) {
    Build build(static_cast<std::uint64_t>(round) * 10'000);
    LimitWatch::all().add(build.monitor);
    LimitWatch::all().remove(build.monitor);
  }
}

TEST(LimitWatch, WatchesManyBuildsWhoseThreadsCallBack) {
  constexpr int kBuilds = 8;
  std::deque<Build> builds;
  std::vector<std::thread> threads;
  for (int i = 0; i < kBuilds; ++i) builds.emplace_back(2'000'000U * (i + 1));
  for (Build& build : builds) {
    LimitWatch::all().add(build.monitor);
    threads.emplace_back([&build] {
      build.monitor.phaseStart("one", nullptr, 1);
      for (int step = 0; build.monitor.step("one", step);) ++step;
      build.monitor.phaseFinish("one");
      LimitWatch::all().remove(build.monitor);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (Build& build : builds) {
    EXPECT_EQ(observe(build.monitor, RecordKind::kCancelRequested).size(), 1U);
  }
}

}  // namespace
}  // namespace trtscope::test
