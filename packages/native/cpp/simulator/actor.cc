#include "simulator/actor.h"

#include <algorithm>
#include <cstring>
#include <latch>
#include <thread>

namespace trtscope::simulator {
namespace {

constexpr std::int32_t kOutOfMemory = 2;
constexpr std::int32_t kCancelled = 7;
constexpr std::uint64_t kPieceBytes = 1 << 20;
constexpr std::string_view kNumber = "{thread}";

}  // namespace

Actor::Actor(const Actor& outer, std::int64_t number)
    : stage_(outer.stage_), number_(std::to_string(number)), open_(outer.open_), outer_(outer.open_.size()) {}

void Actor::perform(const std::vector<Deed>& deeds) {
  const auto finishAll = [this] {
    for (; open_.size() > outer_; open_.pop_back()) {
      if (stage_->monitor != nullptr) stage_->monitor->phaseFinish(open_.back().name.c_str());
    }
  };
  try {
    for (const Deed& deed : deeds) deed(*this);
  } catch (...) {
    finishAll();
    throw;
  }
  finishAll();
}

void Actor::open(std::int32_t steps, const std::string& name, const std::optional<std::string>& parent) {
  stage_->throwIfStopped();
  const std::string parentName = parent ? named(*parent) : open_.empty() ? "" : open_.back().name;
  const Phase& phase = open_.emplace_back(Phase{named(name), std::make_shared<std::atomic<std::int64_t>>(0)});
  if (stage_->monitor == nullptr) return;
  stage_->monitor->phaseStart(phase.name.c_str(), parentName.empty() ? nullptr : parentName.c_str(), steps);
}

void Actor::step(const Steps& steps) {
  const std::string name = steps.phase.empty() && !open_.empty() ? open_.back().name : named(steps.phase);
  const Phase* phase = find(name);
  const auto next = phase == nullptr ? std::make_shared<std::atomic<std::int64_t>>(0) : phase->nextStep;
  if (steps.from) next->store(*steps.from, std::memory_order_relaxed);
  for (std::int64_t i = 0; i < steps.count; ++i) {
    if (steps.every.count() > 0) std::this_thread::sleep_for(steps.every);
    ask(name, static_cast<std::int32_t>(next->fetch_add(1, std::memory_order_relaxed)));
  }
}

void Actor::finish(const std::string& name) {
  stage_->throwIfStopped();
  const std::string phase = name.empty() && !open_.empty() ? open_.back().name : named(name);
  if (const Phase* open = find(phase)) open_.erase(open_.begin() + (open - open_.data()));
  outer_ = std::min(outer_, open_.size());
  if (stage_->monitor != nullptr) stage_->monitor->phaseFinish(phase.c_str());
}

void Actor::fork(std::int64_t threads, const std::vector<Deed>& block) {
  std::latch ready(threads);
  std::vector<std::thread> all;
  for (std::int64_t number = 0; number < threads; ++number) {
    all.emplace_back([&, number] {
      Actor actor(*this, number);
      ready.arrive_and_wait();
      try {
        actor.perform(block);
      } catch (const Failure& failure) {
        stage_->stop(failure);
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  stage_->throwIfStopped();
}

void Actor::grow(std::uint64_t bytes, std::chrono::nanoseconds over) {
  const std::uint64_t pieces = (bytes + kPieceBytes - 1) / kPieceBytes;
  for (std::uint64_t piece = 0; piece < pieces; ++piece) {
    stage_->throwIfStopped();
    void* memory = mmap(nullptr, kPieceBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw Failure{kOutOfMemory, "Out of memory: " + std::to_string(piece) + " MiB were taken"};
    std::memset(memory, 1, kPieceBytes);
    {
      const std::lock_guard lock(stage_->mutex);
      stage_->memory.emplace_back(memory, Stage::Unmap{kPieceBytes});
    }
    std::this_thread::sleep_for(over / static_cast<std::int64_t>(pieces));
  }
}

Actor::Phase* Actor::find(const std::string& name) {
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Phase& one) { return one.name == name; });
  return found == open_.rend() ? nullptr : &*found;
}

std::string Actor::named(const std::string& name) const {
  std::string words = name;
  const std::size_t at = words.find(kNumber);
  return at == std::string::npos ? words : words.replace(at, kNumber.size(), number_);
}

void Actor::ask(const std::string& phase, std::int32_t step) {
  stage_->throwIfStopped();
  if (stage_->monitor == nullptr) return;
  const bool late = stage_->answersOfNo.load(std::memory_order_acquire) > 0;
  const bool yes = stage_->monitor->stepComplete(phase.c_str(), step);
  stage_->answers.fetch_add(1, std::memory_order_relaxed);
  if (yes) {
    if (late) stage_->lateAnswersOfYes.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  stage_->answersOfNo.fetch_add(1, std::memory_order_release);
  if (stage_->ignored.fetch_sub(1, std::memory_order_relaxed) <= 0) throw Failure{kCancelled, "The build was canceled"};
}

}  // namespace trtscope::simulator
