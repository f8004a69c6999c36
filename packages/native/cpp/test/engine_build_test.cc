#include "engine/engine_build.h"

#include <gtest/gtest.h>

#include "observed.h"

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
