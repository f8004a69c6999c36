#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/build_request.h"

namespace trtscope {
namespace {

std::string faultOf(const std::vector<std::string>& words) {
  try {
    BuildRequest::fromWords(words, 0);
  } catch (const std::invalid_argument& fault) {
    return fault.what();
  }
  return "";
}

TEST(EngineRequest, TakesEveryWord) {
  const BuildRequest request = BuildRequest::fromWords({"build",
                                                        "build",
                                                        "b1",
                                                        "originNs",
                                                        "18446744073709551615",
                                                        "model",
                                                        "m.onnx",
                                                        "output",
                                                        "m.engine",
                                                        "library",
                                                        "/l.so",
                                                        "parser",
                                                        "/p.so",
                                                        "memPoolSize",
                                                        "workspace 1073741824",
                                                        "timingCacheFile",
                                                        "c.cache",
                                                        "builderOptimizationLevel",
                                                        "5",
                                                        "computeCapability",
                                                        "86",
                                                        "computeCapability",
                                                        "120",
                                                        "stronglyTyped",
                                                        "1",
                                                        "device",
                                                        "1",
                                                        "staticPlugins",
                                                        "/a.so",
                                                        "staticPlugins",
                                                        "/b.so",
                                                        "maxAuxStreams",
                                                        "2",
                                                        "maxTactics",
                                                        "7",
                                                        "hardwareCompatibilityLevel",
                                                        "ampere+",
                                                        "profilingVerbosity",
                                                        "detailed",
                                                        "flag",
                                                        "refit",
                                                        "flag",
                                                        "noTF32",
                                                        "maxThreads",
                                                        "4",
                                                        "logSeverity",
                                                        "4",
                                                        "monitor",
                                                        "0"},
                                                       1);
  EXPECT_EQ(request.build, "b1");
  EXPECT_EQ(request.originNs, UINT64_MAX);
  EXPECT_EQ(request.memoryPools.at(0), std::make_pair(std::string("workspace"), std::uint64_t{1} << 30));
  EXPECT_EQ(request.computeCapabilities, (std::vector<std::int32_t>{86, 120}));
  EXPECT_EQ(request.plugins, (std::vector<std::string>{"/a.so", "/b.so"}));
  EXPECT_EQ(request.flags, (std::vector<std::string>{"refit", "noTF32"}));
  EXPECT_EQ(request.builderOptimizationLevel, 5);
  EXPECT_EQ(request.device, 1);
  EXPECT_EQ(request.logSeverity, 4);
  EXPECT_TRUE(request.stronglyTyped);
  EXPECT_FALSE(request.monitored);
}

TEST(EngineRequest, TakesLimits) {
  const BuildRequest request = BuildRequest::fromWords(
      {"deadlineMs", "1893456000250", "budgetTotalNs", "90000000000", "budgetPhaseNs", "5 Timing *", "budgetPhaseNs",
       "6 ", "budgetStepNs", "7", "budgetQuietNs", "8", "warnAt", "0.25", "graceNs", "0"},
      0);
  EXPECT_EQ(request.limits.deadlineMs, 1'893'456'000'250);
  EXPECT_EQ(request.limits.totalNs, 90'000'000'000);
  ASSERT_EQ(request.limits.phases.size(), 2U);
  EXPECT_EQ(request.limits.phases[0].glob, "Timing *");
  EXPECT_EQ(request.limits.phases[0].ns, 5U);
  EXPECT_EQ(request.limits.phases[1].glob, "");
  EXPECT_EQ(request.limits.stepNs, 7U);
  EXPECT_EQ(request.limits.quietNs, 8U);
  EXPECT_EQ(request.limits.warnAt, 0.25);
  EXPECT_EQ(request.graceNs, 0U);
}

TEST(EngineRequest, LeavesUnsaidOptionsUnset) {
  const BuildRequest request = BuildRequest::fromWords({}, 0);
  EXPECT_FALSE(request.builderOptimizationLevel);
  EXPECT_FALSE(request.device);
  EXPECT_TRUE(request.monitored);
  EXPECT_TRUE(request.profiles.empty());
  EXPECT_FALSE(request.limits.totalNs || request.limits.deadlineMs || request.limits.stepNs);
  EXPECT_EQ(request.graceNs, 10'000'000'000);
}

TEST(EngineRequest, PutsShapesIntoTheProfileThatIsOpen) {
  const BuildRequest request = BuildRequest::fromWords(
      {"profile", "", "minShapes", "1x3 serving_default:0", "maxShapes", "8x3 serving_default:0", "optShapes",
       "1x2 a name with x and spaces", "profile", "", "optShapes", "4x3 a/b"},
      0);
  ASSERT_EQ(request.profiles.size(), 2U);
  ASSERT_EQ(request.profiles[0].size(), 2U);
  const ShapeRange& range = request.profiles[0][0];
  EXPECT_EQ(range.input, "serving_default:0");
  EXPECT_EQ(range.dims[0], (std::vector<std::int64_t>{1, 3}));
  EXPECT_TRUE(range.dims[1].empty());
  EXPECT_EQ(range.dims[2], (std::vector<std::int64_t>{8, 3}));
  EXPECT_EQ(request.profiles[0][1].input, "a name with x and spaces");
  EXPECT_EQ(request.profiles[1][0].input, "a/b");
}

TEST(EngineRequest, NamesTheWordThatIsWrong) {
  EXPECT_EQ(faultOf({"colour", "red"}), "The word colour is not known.");
  EXPECT_EQ(faultOf({"model"}), "The word model has no value.");
  EXPECT_EQ(faultOf({"device", "first"}), "The word device wants a whole number, not \"first\".");
  EXPECT_EQ(faultOf({"maxThreads", "4 "}), "The word maxThreads wants a whole number, not \"4 \".");
  EXPECT_NE(faultOf({"minShapes", "1x3 x"}).find("an open profile"), std::string::npos);
  EXPECT_NE(faultOf({"profile", "", "minShapes", "1xa x"}).find("\"a\""), std::string::npos);
  EXPECT_EQ(faultOf({"warnAt", "often"}), "The word warnAt wants a number, not \"often\".");
  EXPECT_NE(faultOf({"budgetPhaseNs", "5"}).find("NANOSECONDS GLOB"), std::string::npos);
  EXPECT_NE(faultOf({"memPoolSize", "workspace"}).find("NAME BYTES"), std::string::npos);
}

}  // namespace
}  // namespace trtscope
