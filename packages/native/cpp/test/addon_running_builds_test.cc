#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "addon/running_builds.h"

namespace trtscope::test {
namespace {

bool everyBuild(const RunningBuild&) { return true; }

// A build whose end the test decides; it says on stderr what it is asked for.
class FakeBuild final : public RunningBuild {
 public:
  explicit FakeBuild(bool endsWhenCancelled) : endsWhenCancelled_(endsWhenCancelled) {
    RunningBuilds::all().add(*this);
  }
  ~FakeBuild() override { RunningBuilds::all().remove(*this); }
  void cancel() noexcept override {
    ++cancels_;
    // As TensorRT's threads do it: from elsewhere and later.
    if (endsWhenCancelled_) std::thread([this] { RunningBuilds::all().remove(*this); }).detach();
  }
  void abandon() noexcept override { [[maybe_unused]] const auto written = write(STDERR_FILENO, "abandoned\n", 10); }
  int cancels() const { return cancels_; }

 private:
  const bool endsWhenCancelled_;
  std::atomic<int> cancels_{0};
};

TEST(RunningBuilds, SettleAtOnceWhenNothingRuns) { EXPECT_TRUE(RunningBuilds::all().settle(everyBuild)); }

TEST(RunningBuilds, SettleWhenEveryBuildEndsOnACancel) {
  const FakeBuild one(true);
  const FakeBuild two(true);
  EXPECT_TRUE(RunningBuilds::all().settle(everyBuild));
  EXPECT_EQ(one.cancels(), 1);
  EXPECT_EQ(two.cancels(), 1);
}

TEST(RunningBuilds, SettleLeavesBuildsOfOthersAlone) {
  const FakeBuild own(true);
  const FakeBuild other(false);
  EXPECT_TRUE(RunningBuilds::all().settle([&](const RunningBuild& build) { return &build == &own; }));
  EXPECT_EQ(other.cancels(), 0);
}

TEST(RunningBuilds, GiveABuildOneGraceHoweverOftenTheyAreAsked) {
  const FakeBuild stubborn(false);
  EXPECT_FALSE(RunningBuilds::all().settle(everyBuild));
  const auto began = std::chrono::steady_clock::now();
  EXPECT_FALSE(RunningBuilds::all().settle(everyBuild));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(500));
  EXPECT_EQ(stubborn.cancels(), 1);
}

TEST(RunningBuildsDeathTest, GuardedExitAbandonsWhatDoesNotEndAndKeepsTheExitCode) {
  const auto leave = [] {
    // Destructors of a library that was loaded before the guard was set.
    std::atexit([] { std::abort(); });
    RunningBuilds::all().guardExit();
    const FakeBuild stubborn(false);
    std::exit(42);
  };
  EXPECT_EXIT(leave(), testing::ExitedWithCode(42), "^abandoned\n$");
}

TEST(RunningBuildsDeathTest, GuardedExitWaitsForWhatEnds) {
  const auto leave = [] {
    RunningBuilds::all().guardExit();
    const FakeBuild willing(true);
    std::exit(42);
  };
  EXPECT_EXIT(leave(), testing::ExitedWithCode(42), "^$");
}

}  // namespace
}  // namespace trtscope::test
