#include "monitor/live_phases.h"

#include <algorithm>

namespace trtscope {

LivePhase& LivePhases::open(std::string_view name, LivePhase* parent, std::uint32_t thread, Origin origin) {
  const std::uint32_t id = lastId_ + 1;
  const auto entry = phases_.emplace_hint(phases_.end(), id, LivePhase{});
  LivePhase& phase = entry->second;
  phase.id = id;
  phase.parent = parent == nullptr ? 0 : parent->id;
  phase.thread = thread;
  phase.origin = origin;
  try {
    phase.name = name;
    if (origin == Origin::kTensorrt) {
      std::vector<Stack>& stacks = names_.try_emplace(phase.name).first->second;
      auto stack = std::find_if(stacks.begin(), stacks.end(), [&](const Stack& s) { return s.thread == thread; });
      if (stack == stacks.end()) stack = stacks.insert(stacks.end(), Stack{thread, nullptr});
      phase.below = stack->top;
      stack->top = &phase;
    }
  } catch (...) {
    phases_.erase(entry);
    throw;
  }
  lastId_ = id;
  if (parent != nullptr) ++parent->children;
  return phase;
}

void LivePhases::close(LivePhase& phase, std::uint64_t timeNs) noexcept {
  if (LivePhase* parent = phase.parent == 0 ? nullptr : find(phase.parent)) {
    --parent->children;
    parent->childEndedNs = timeNs;
  }
  if (phase.origin == Origin::kTensorrt) {
    const auto name = names_.find(std::string_view(phase.name));
    std::vector<Stack>& stacks = name->second;
    const auto stack = std::find_if(stacks.begin(), stacks.end(), [&](const Stack& s) { return s.top == &phase; });
    stack->top = phase.below;
    if (stack->top == nullptr) stacks.erase(stack);
    if (stacks.empty()) names_.erase(name);
  }
  phases_.erase(phase.id);
}

LivePhase* LivePhases::find(std::string_view name, std::uint32_t thread) noexcept {
  const auto found = names_.find(name);
  if (found == names_.end()) return nullptr;
  LivePhase* newest = nullptr;
  for (const Stack& stack : found->second) {
    if (stack.thread == thread) return stack.top;
    if (newest == nullptr || stack.top->id > newest->id) newest = stack.top;
  }
  return newest;
}

LivePhase* LivePhases::find(std::uint32_t id) noexcept {
  const auto found = phases_.find(id);
  return found == phases_.end() ? nullptr : &found->second;
}

LivePhase* LivePhases::newest() noexcept { return phases_.empty() ? nullptr : &phases_.rbegin()->second; }

}  // namespace trtscope
