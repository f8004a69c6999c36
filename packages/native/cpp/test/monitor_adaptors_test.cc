#include <gtest/gtest.h>

#include <thread>

#include "monitor/error_recorder.h"
#include "monitor/logger_adaptor.h"
#include "monitor/progress_adaptor.h"
#include "observed.h"

namespace trtscope {
namespace {

using test::observe;

// As TensorRT would, which knows no more than the layout's form.
void logAs(std::int32_t version, std::int32_t severity, const char* message) {
  const abi::Layout layout = *abi::Layout::of(version);
  void* logger = LoggerAdaptor::forLayout(layout);
  if (layout.loggerIsVersioned()) {
    static_cast<abi::VersionedLogger*>(logger)->log(severity, message);
  } else {
    static_cast<abi::UnversionedLogger*>(logger)->log(severity, message);
  }
}

class MonitorAdaptors : public testing::Test {
 protected:
  BuildMonitor monitor_{0, {}};
  ProgressAdaptor progress_{monitor_};
  ErrorRecorder recorder_{monitor_, progress_};
};

TEST_F(MonitorAdaptors, ACancelAnswersNoAndIsRemembered) {
  progress_.phaseStart("root", nullptr, 2);
  EXPECT_TRUE(progress_.stepComplete("root", 0));
  EXPECT_FALSE(progress_.saidNo());
  monitor_.cancel();
  EXPECT_FALSE(progress_.stepComplete("root", 1));
  EXPECT_TRUE(progress_.saidNo());
}

TEST_F(MonitorAdaptors, TensorRtsFirstPhaseEndsOurs) {
  const std::uint32_t own = monitor_.beginOwn("configure");
  progress_.endsWithFirst(own);
  progress_.phaseStart("root", nullptr, 1);
  progress_.phaseStart("child", "root", 1);
  const auto records = observe(monitor_);
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[1].kind, RecordKind::kPhaseFinished);
  EXPECT_EQ(records[1].phase, own);
}

TEST_F(MonitorAdaptors, AnErrorHappenedWhereTensorRtWasBeforeItFinishedItsPhases) {
  progress_.phaseStart("root", nullptr, 2);
  progress_.phaseStart("long", "root", 1);
  progress_.phaseFinish("long");
  progress_.phaseFinish("root");
  recorder_.reportError(2, "out of memory");
  EXPECT_EQ(recorder_.first()->phasePath, "root\nlong");
}

TEST_F(MonitorAdaptors, AnErrorInTheMiddleHappenedInWhatIsLive) {
  progress_.phaseStart("root", nullptr, 2);
  progress_.phaseStart("done", "root", 1);
  progress_.phaseFinish("done");
  progress_.stepComplete("root", 0);
  recorder_.reportError(1, "odd");
  EXPECT_EQ(recorder_.first()->phasePath, "root");
}

TEST_F(MonitorAdaptors, TheFirstErrorIsKeptAndAllAreLoggedWithTheirCode) {
  EXPECT_EQ(recorder_.getNbErrors(), 0);
  EXPECT_FALSE(recorder_.reportError(4, "first"));
  EXPECT_FALSE(recorder_.reportError(1, nullptr));
  EXPECT_EQ(recorder_.count(), 2);
  EXPECT_EQ(recorder_.getNbErrors(), 1);
  EXPECT_TRUE(recorder_.hasOverflowed());
  EXPECT_EQ(recorder_.getErrorCode(0), 4);
  EXPECT_STREQ(recorder_.getErrorDesc(0), "first");
  EXPECT_STREQ(recorder_.getErrorDesc(1), "");
  recorder_.clear();
  EXPECT_EQ(recorder_.first()->code, 4);
  recorder_.forget();
  EXPECT_FALSE(recorder_.first());
  const auto logs = observe(monitor_, RecordKind::kLog);
  ASSERT_EQ(logs.size(), 2U);
  EXPECT_EQ(logs[0].step, 4);
  EXPECT_EQ(logs[0].name, "first");
}

TEST_F(MonitorAdaptors, ALogLineArrivesInEitherFormOfTheLogger) {
  const LoggerAdaptor logger(monitor_, 3);
  logAs(101600, 3, "before");
  logAs(10701, 1, "since");
  logAs(10701, 4, "too much");
  const auto logs = observe(monitor_, RecordKind::kLog);
  ASSERT_EQ(logs.size(), 2U);
  EXPECT_EQ(logs[0].name, "before");
  EXPECT_EQ(logs[1].detail, 1);
  EXPECT_EQ(logger.errors(), std::vector<std::string>{"since"});
}

TEST_F(MonitorAdaptors, ALogLineBelongsToTheBuildWhoseThreadSaysIt) {
  BuildMonitor otherMonitor{0, {}};
  const LoggerAdaptor logger(monitor_, 3);
  std::thread([&] {
    const LoggerAdaptor other(otherMonitor, 3);
    logAs(10701, 2, "theirs");
    std::thread([] { logAs(10701, 3, "anybody's"); }).join();
  }).join();
  logAs(10701, 3, "mine");
  std::string mine;
  for (const auto& line : observe(monitor_)) mine += line.name + ";";
  std::string theirs;
  for (const auto& line : observe(otherMonitor)) theirs += line.name + ";";
  EXPECT_EQ(mine, "anybody's;mine;");
  EXPECT_EQ(theirs, "theirs;anybody's;");
  EXPECT_EQ(logger.lastWarning(), "");
}

TEST_F(MonitorAdaptors, ALogLineAfterTheLastBuildIsDropped) {
  { const LoggerAdaptor logger(monitor_, 3); }
  logAs(10701, 1, "late");
  EXPECT_TRUE(observe(monitor_).empty());
}

}  // namespace
}  // namespace trtscope
