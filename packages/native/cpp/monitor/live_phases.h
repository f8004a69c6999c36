#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "monitor/record.h"
#include "monitor/record_queue.h"

namespace trtscope {

// What has been told of a thing that a budget watches, such as a phase or one step.
struct BudgetUse {
  std::size_t budget = 0;  // of several
  std::uint64_t sinceNs = UINT64_MAX;
  bool warned = false;
  bool spent = false;
};

// One live occurrence of a phase.
struct LivePhase {
  std::uint32_t id = 0;
  std::uint32_t parent = 0;  // 0: a root
  std::uint32_t thread = 0;
  Origin origin = Origin::kTensorrt;
  std::string name;
  std::uint64_t done = 0;
  std::uint64_t startedNs = 0;
  std::uint64_t lastNs = 0;  // its start or its last step
  RecordQueue::Place lastStep;
  std::uint32_t children = 0;  // live ones
  std::uint64_t childEndedNs = 0;
  // LimitCheck's own: filled when it first looks at the phase.
  bool looked = false;
  std::vector<BudgetUse> budgets;
  BudgetUse stepBudget;
  LivePhase* below = nullptr;  // the next older one of this name and thread
};

// Which phase a name means. Holds no lock: whoever owns it guards every call.
//
// Our own phases have ids but are not found by name: TensorRT may use the same words.
class LivePhases {
 public:
  // Throws std::bad_alloc and has then changed nothing.
  LivePhase& open(std::string_view name, LivePhase* parent, std::uint32_t thread, Origin origin);
  void close(LivePhase& phase, std::uint64_t timeNs) noexcept;

  // The live TensorRT phase of that name: same thread first, else the newest. Null: none.
  LivePhase* find(std::string_view name, std::uint32_t thread) noexcept;
  LivePhase* find(std::uint32_t id) noexcept;
  // The one started last, whatever its thread and origin. Null: none.
  LivePhase* newest() noexcept;
  // In the order of their starts.
  template <typename Visit>
  void each(Visit visit) {
    for (auto& [id, phase] : phases_) visit(phase);
  }

 private:
  // Whatever a name resolves to is the newest of its thread, so live phases of one name and thread form a stack.
  struct Stack {
    std::uint32_t thread;
    LivePhase* top;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept { return std::hash<std::string_view>{}(name); }
  };
  using Names = std::unordered_map<std::string, std::vector<Stack>, Hash, std::equal_to<>>;

  std::map<std::uint32_t, LivePhase> phases_;
  Names names_;
  std::uint32_t lastId_ = 0;
};

}  // namespace trtscope
