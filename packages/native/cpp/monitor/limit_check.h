#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "monitor/limits.h"
#include "monitor/live_phases.h"
#include "monitor/moment.h"
#include "monitor/record_queue.h"

namespace trtscope {

// What a look at a build's limits comes to: a kBudgetWarning, a kCancelRequested or a kQuiet.
struct Finding {
  Record record;
  Words words;
};

// Holds one build against its limits, and tells of silence. Holds no lock and has no clock: whoever owns it guards
// every look and says what time it is.
//
// Nothing tells it that a phase or a step has begun. It looks again early enough for whatever begins meanwhile, so that
// a callback pays nothing for being watched.
class LimitCheck {
 public:
  // Of a silence the first is told after kFirstQuiet, then again when it has doubled, but at least every kMostQuiet.
  static constexpr std::uint64_t kFirstQuiet = 3'000'000'000;
  static constexpr std::uint64_t kMostQuiet = 60'000'000'000;

  void watch(Limits limits) { limits_ = std::move(limits); }

  // Appends what there is to tell, and answers when to look again. Times but `at` are since the build began; `heardNs`:
  // when a phase last began, made a step or ended. Throws std::bad_alloc, and has then told some of it.
  std::uint64_t look(const Moment& at, std::uint64_t timeNs, std::uint64_t heardNs, LivePhases& phases,
                     std::vector<Finding>& findings);

 private:
  // Of one look.
  struct Sight {
    const Moment& at;
    std::uint64_t timeNs;
    std::vector<Finding>& findings;
    std::uint64_t dueNs = Moment::kNever;
    bool inTensorrt = false;
  };

  bool isSpent(Sight& sight, const std::string& budget, BudgetUse& use, std::uint64_t sinceNs, std::uint64_t limitNs);
  void expectNew(Sight& sight, std::uint64_t limitNs) const;
  void lookAtDeadline(Sight& sight);
  void lookAtPhase(Sight& sight, LivePhase& phase);
  void lookAtSilence(Sight& sight, std::uint64_t heardNs, LivePhases& phases);

  Limits limits_;
  bool deadlinePassed_ = false;
  BudgetUse total_;
  BudgetUse silence_;
  std::uint64_t quietSinceNs_ = UINT64_MAX;
  std::uint64_t quietAtNs_ = 0;
  Moment quietBase_;
};

}  // namespace trtscope
