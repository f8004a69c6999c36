#include "abi/layout.h"

#include <gtest/gtest.h>

#include "abi/enums.h"

namespace trtscope::abi {
namespace {

Layout layoutOf(std::int32_t version) {
  const std::optional<Layout> layout = Layout::of(version);
  EXPECT_TRUE(layout) << version;
  return *layout;
}

TEST(AbiLayout, KnowsTheEditionAndTheVersion) {
  EXPECT_EQ(layoutOf(10701).title(), "TensorRT-RTX 1.7.1");
  EXPECT_STREQ(layoutOf(10701).editionName(), "tensorrt_rtx");
  EXPECT_EQ(layoutOf(101600).title(), "TensorRT 10.16.0");
  EXPECT_STREQ(layoutOf(101600).editionName(), "tensorrt");
  EXPECT_EQ(layoutOf(110400).versionText(), "11.4.0");
  EXPECT_EQ(Layout::of(10701, Maker::kSimulator)->title(), "TensorRT-RTX 1.7.1 simulator");
}

TEST(AbiLayout, RefusesEveryVersionWhoseLayoutIsNotKnown) {
  for (const std::int32_t version : {0, 8601, 9300, 10200, 10299, 10800, 99999, 101700, 110500, 120000}) {
    EXPECT_FALSE(Layout::of(version)) << version;
  }
  EXPECT_EQ(versionText(8601), "8.6.1");
}

TEST(AbiLayout, TakesEachSlotFromItsVersionsColumn) {
  EXPECT_EQ(layoutOf(100300).slot(Slot::kConfigSetMonitor), 56);
  EXPECT_EQ(layoutOf(10400).slot(Slot::kConfigSetMonitor), 45);
  EXPECT_EQ(layoutOf(10400).slot(Slot::kBuilderBuild), 14);
  EXPECT_EQ(layoutOf(10500).slot(Slot::kBuilderBuild), 11);
  EXPECT_EQ(layoutOf(10400).slot(Slot::kParserDelete), 9);
  EXPECT_EQ(layoutOf(110000).slot(Slot::kParserDelete), 7);
}

TEST(AbiLayout, SaysWhatAVersionLacks) {
  EXPECT_TRUE(layoutOf(10701).has(Slot::kConfigSetCapability));
  EXPECT_FALSE(layoutOf(110400).has(Slot::kConfigSetCapability));
  EXPECT_FALSE(layoutOf(100300).has(Slot::kConfigSetMaxTactics));
  EXPECT_TRUE(layoutOf(100400).has(Slot::kConfigSetMaxTactics));
}

TEST(AbiEnums, TakeTheNamesOfTheApiAndOfTrtexec) {
  const Layout layout = layoutOf(10701);
  for (const char* name : {"STRIP_PLAN", "kSTRIP_PLAN", "strip-plan", "stripWeights"}) {
    EXPECT_EQ(kBuilderFlags.value(name, layout), 18) << name;
  }
  EXPECT_EQ(kMemoryPools.value("tacticSharedMem", layout), 5);
  EXPECT_EQ(kHardwareCompatibilityLevels.value("ampere+", layout), 1);
  EXPECT_EQ(kProfilingVerbosities.value("layer_names_only", layout), 0);
  EXPECT_FALSE(kBuilderFlags.value("fast", layout));
}

TEST(AbiEnums, GiveEveryLayoutItsOwnNumbers) {
  EXPECT_EQ(kBuilderFlags.value("VERSION_COMPATIBLE", layoutOf(10400)), 13);
  EXPECT_EQ(kBuilderFlags.value("VERSION_COMPATIBLE", layoutOf(10500)), 12);
  EXPECT_EQ(kBuilderFlags.value("FP16", layoutOf(101600)), 0);
  EXPECT_FALSE(kBuilderFlags.value("FP16", layoutOf(10701)));
  EXPECT_EQ(kBuilderFlags.names(layoutOf(10701)).find("fp16"), std::string::npos);
  EXPECT_EQ(kMemoryPools.names(layoutOf(10701)).substr(0, 9), "workspace");
}

}  // namespace
}  // namespace trtscope::abi
