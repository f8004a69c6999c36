#include "abi/layout.h"

#include <array>

namespace trtscope::abi {
namespace {

struct Range {
  std::int32_t first;
  std::int32_t end;
  Edition edition;
  std::size_t column;
};

constexpr Range kRanges[] = {
    {100000, 101700, Edition::kTensorrt, 0},
    {10300, 10500, Edition::kTensorrtRtx, 1},
    {10500, 10800, Edition::kTensorrtRtx, 2},
    {110000, 110500, Edition::kTensorrt, 3},
};

// What TensorRT 10 got on the way: the first version that has it.
struct Addition {
  Slot slot;
  std::int32_t version;
};

constexpr Addition kAdditions[] = {
    {Slot::kConfigSetMaxTactics, 100400},
    {Slot::kBuilderBuildEngine, 100600},
    {Slot::kBuilderBuildToStream, 101300},
    {Slot::kBuilderBuildWithText, 101300},
};

constexpr std::array<std::int8_t, Layout::kColumns> kSlots[] = {
#define TRTSCOPE_ROW(name, interface, function, ...) {__VA_ARGS__},
    TRTSCOPE_SLOTS(TRTSCOPE_ROW)
#undef TRTSCOPE_ROW
#define TRTSCOPE_ROW(name, ...) {__VA_ARGS__},
        TRTSCOPE_DELETING_SLOTS(TRTSCOPE_ROW)
#undef TRTSCOPE_ROW
};

}  // namespace

std::optional<Layout> Layout::of(std::int32_t version, Maker maker) {
  for (const Range& range : kRanges) {
    if (version >= range.first && version < range.end) return Layout(range.edition, maker, version, range.column);
  }
  return std::nullopt;
}

const char* Layout::supported() { return "TensorRT-RTX 1.3 to 1.7 and TensorRT 10.0 to 11.4"; }

const char* Layout::editionName() const { return edition_ == Edition::kTensorrt ? "tensorrt" : "tensorrt_rtx"; }

std::string Layout::versionText() const {
  return abi::versionText(version_) + (maker_ == Maker::kSimulator ? " simulator" : "");
}

std::string Layout::title() const {
  return (edition_ == Edition::kTensorrt ? "TensorRT " : "TensorRT-RTX ") + versionText();
}

int Layout::slot(Slot slot) const {
  for (const Addition& addition : kAdditions) {
    if (slot == addition.slot && edition_ == Edition::kTensorrt && version_ < addition.version) return kNone;
  }
  return kSlots[static_cast<std::size_t>(slot)][column_];
}

std::string versionText(std::int32_t version) {
  // Two digits each for minor and patch, but TensorRT before 10 has one for patch's hundred: 8.6.1 is 8601.
  const std::int32_t perMajor = version < 10000 ? 1000 : 10000;
  const std::int32_t rest = version % perMajor;
  return std::to_string(version / perMajor) + "." + std::to_string(rest / 100) + "." + std::to_string(rest % 100);
}

}  // namespace trtscope::abi
