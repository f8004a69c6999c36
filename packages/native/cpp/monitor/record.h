#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trtscope {

enum class RecordKind : std::uint8_t {
  kPhaseStarted,
  kStepCompleted,
  kPhaseFinished,
  kLog,
  kLoaded,
  kAcknowledged,
  kBudgetWarning,
  kCancelRequested,
  kCancelEscalated,
  kQuiet,
  kFinished,
};

enum class Origin : std::uint8_t { kTensorrt, kTrtscope };
enum class AcknowledgedBy : std::uint8_t { kStep, kBetween, kExit };
enum class Escalation : std::uint8_t { kTerminate, kKill };
enum class Outcome : std::uint8_t { kBuilt, kCancelled, kFailed };

// One fact on its way from a builder thread to a consumer. Plain and of fixed size, so that a step costs one copy; the
// rare kinds keep their words beside it, where `text` finds them.
struct Record {
  static constexpr std::uint32_t kNoText = UINT32_MAX;

  std::uint64_t timeNs = 0;  // since the build began
  union {
    std::uint64_t done = 0;  // steps of the phase so far, exact
    std::uint64_t limitNs;   // of a budget
  };
  std::uint64_t merged = 0;  // earlier steps folded into this one
  union {
    std::uint64_t longestNs = 0;  // the longest step of those this record stands for
    std::uint64_t usedNs;         // of a budget
    std::uint64_t quietNs;        // since the last callback
    std::uint64_t requestedNs;    // when a cancel was asked for, since the build began
  };
  std::uint32_t phase = 0;   // 0: none, or a stray
  std::uint32_t parent = 0;  // 0: none
  std::uint32_t thread = 0;  // kernel thread id
  std::int32_t step = -1;    // or a log's code, or what a silence used in thousandths of a processor; -1: none
  std::int32_t longestStep = -1;
  std::int32_t steps = -1;  // announced; -1: none
  std::uint32_t text = kNoText;
  RecordKind kind = RecordKind::kStepCompleted;
  Origin origin = Origin::kTensorrt;
  std::uint8_t detail = 0;  // AcknowledgedBy, Escalation, Outcome or the log severity (0 internal error … 4 verbose)
};
static_assert(sizeof(Record) <= 72);

// How a build ended, as the room that ran it says.
struct Ending {
  Outcome outcome = Outcome::kFailed;
  std::string enginePath;
  std::uint64_t engineBytes = 0;
  std::string errorCode;  // ErrorCode of packages/core/src/errors.ts
  std::string errorMessage;
  std::int32_t tensorrtCode = -1;  // -1: none
  std::string phasePath;           // names joined with '\n', outermost first
  std::vector<std::string> temporariesRemoved;
  std::optional<bool> timingCacheSaved;  // absent when there was none to save
};

}  // namespace trtscope
