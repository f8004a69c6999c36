#include "engine/engine_build.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "engine/target_claim.h"
#include "observed.h"
#include "temporary_folder.h"

namespace trtscope {
namespace {

BuildRequest requestWithout(const std::string& library) {
  BuildRequest request;
  request.library = library;
  request.model = "m.onnx";
  request.output = "m.engine";
  return request;
}

TEST(EngineBuild, TellsOfAMissingLibraryInsideThePhaseThatLoadsIt) {
  BuildMonitor monitor(0, {});
  EngineBuild build(requestWithout("/does/not/exist.so"), monitor);
  build.run();
  const auto records = test::observe(monitor);
  ASSERT_EQ(records.size(), 5U);
  EXPECT_EQ(records[0].name, "start");
  EXPECT_EQ(records[0].timeNs, 0U);
  EXPECT_EQ(records[2].name, "load TensorRT");
  EXPECT_EQ(records[4].kind, RecordKind::kFinished);
  EXPECT_EQ(monitor.ending().outcome, Outcome::kFailed);
  EXPECT_EQ(monitor.ending().errorCode, "TENSORRT_MISSING");
  EXPECT_EQ(monitor.ending().phasePath, "load TensorRT");
}

TEST(EngineBuild, IsRefusedBeforeItLoadsAnythingWhileAnotherHasItsTarget) {
  const test::TemporaryFolder folder;
  BuildRequest request = requestWithout("/does/not/exist.so");
  request.output = folder.path() / "m.engine";
  const Claim other = claimTarget(request.output, "other");
  BuildMonitor monitor(0, {});
  EngineBuild build(request, monitor);
  build.run();
  EXPECT_EQ(test::observe(monitor).size(), 3U);
  EXPECT_EQ(monitor.ending().errorCode, "TARGET_BUSY");
  EXPECT_EQ(monitor.ending().phasePath, "start");
  EXPECT_EQ(monitor.ending().errorMessage,
            request.output + " is being built by process " + std::to_string(getpid()) +
                ", this one; wait until that build has ended, stop it, or choose another output.");
  EXPECT_TRUE(monitor.ending().temporariesRemoved.empty());
  EXPECT_EQ(folder.names().size(), 1U);
}

TEST(EngineBuild, TellsWhatItRemovedAndWhatItSwept) {
  const test::TemporaryFolder folder;
  folder.write(test::temporaryName("m.engine", "dead", 1), "half an engine");
  BuildRequest request = requestWithout("/does/not/exist.so");
  request.output = folder.path() / "m.engine";
  request.originNs = 36;
  BuildMonitor monitor(0, {});
  EngineBuild build(request, monitor);
  build.run();
  const auto records = test::observe(monitor);
  EXPECT_TRUE(std::any_of(records.begin(), records.end(), [](const auto& record) {
    return record.kind == RecordKind::kLog &&
           record.name.find(".m.engine.1.dead.trtscope-tmp, which") != std::string::npos;
  }));
  EXPECT_EQ(monitor.ending().temporariesRemoved,
            std::vector<std::string>{folder.path() / test::temporaryName("m.engine", "10")});
  EXPECT_FALSE(monitor.ending().timingCacheSaved.has_value());
  EXPECT_TRUE(folder.names().empty());
}

TEST(EngineBuild, StartsNothingWhenItWasCancelledBefore) {
  BuildMonitor monitor(0, {});
  monitor.cancel();
  EngineBuild build(requestWithout("/does/not/exist.so"), monitor);
  build.run();
  const auto records = test::observe(monitor);
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[2].kind, RecordKind::kAcknowledged);
  EXPECT_EQ(monitor.ending().outcome, Outcome::kCancelled);
}

TEST(EngineBuild, HasNothingInPlaceBeforeItIsBuilt) {
  BuildMonitor monitor(0, {});
  EngineBuild build(requestWithout(""), monitor);
  EXPECT_FALSE(build.abandon());
}

}  // namespace
}  // namespace trtscope
