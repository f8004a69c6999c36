#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "abi/slot_list.h"

namespace trtscope::abi {

enum class Edition : std::uint8_t { kTensorrt, kTensorrtRtx };
// The simulator is a stand-in of our own for tests, which is never to be taken for TensorRT.
enum class Maker : std::uint8_t { kNvidia, kSimulator };

enum class Slot : std::uint8_t {
#define TRTSCOPE_NAME(name, ...) name,
  TRTSCOPE_SLOTS(TRTSCOPE_NAME) TRTSCOPE_DELETING_SLOTS(TRTSCOPE_NAME)
#undef TRTSCOPE_NAME
};

// Where a version of TensorRT keeps its functions. Plain data, free to copy.
class Layout {
 public:
  static constexpr int kNone = -1;
  static constexpr std::size_t kColumns = 4;

  // Of the version that getInferLibVersion() answers; none when that version's layout is not known.
  static std::optional<Layout> of(std::int32_t version, Maker maker = Maker::kNvidia);
  // The versions that have one, as part of a sentence.
  static const char* supported();

  Edition edition() const { return edition_; }
  // "tensorrt" or "tensorrt_rtx".
  const char* editionName() const;
  // "1.7.1", "1.7.1 simulator".
  std::string versionText() const;
  // "TensorRT-RTX 1.7.1".
  std::string title() const;

  // The function's index in the virtual table; kNone when this version lacks it.
  int slot(Slot slot) const;
  bool has(Slot slot) const { return this->slot(slot) != kNone; }
  // Which column of slot_list.h and enum_list.h.
  std::size_t column() const { return column_; }
  // Whether ILogger derives from IVersionedInterface.
  bool loggerIsVersioned() const { return column_ >= 2; }
  // Whether setMaxAuxStreams has a result.
  bool auxStreamsAnswer() const { return column_ >= 2; }

 private:
  Layout(Edition edition, Maker maker, std::int32_t version, std::size_t column)
      : edition_(edition), maker_(maker), version_(version), column_(column) {}

  Edition edition_;
  Maker maker_;
  std::int32_t version_;
  std::size_t column_;
};

// "1.7.1" of 10701, "10.16.0" of 101600, "8.6.1" of 8601.
std::string versionText(std::int32_t version);

}  // namespace trtscope::abi
