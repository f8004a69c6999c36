#include "hook/watch/given_monitor.h"

#include <unordered_map>
#include <utility>

#include "hook/watch/forked.h"
#include "hook/watch/session.h"

namespace trtscope::hook {
namespace {

// Never destroyed: a program may build while it ends. Under Locked.
std::unordered_map<abi::ProgressMonitor*, GivenMonitor*>& all() {
  static auto* const monitors = new std::unordered_map<abi::ProgressMonitor*, GivenMonitor*>;
  return *monitors;
}

}  // namespace

GivenMonitor::GivenMonitor() : generation_(generation()) {
  if (const auto session = Session::ofThisProcess()) build_ = session->begin();
  if (build_ != nullptr) build_->begin();
  const Locked lock;
  all()[this] = this;
}

GivenMonitor::~GivenMonitor() noexcept {
  try {
    {
      const Locked lock;
      all().erase(this);
    }
    finish(false, "the program gave its monitor back without a word about how its build ended");
  } catch (...) {}
}

std::shared_ptr<WatchedBuild> GivenMonitor::takeBuildOf(abi::ProgressMonitor* monitor) {
  const Locked lock;
  const auto found = all().find(monitor);
  if (found == all().end() || found->second->build() == nullptr || found->second->finished_) return nullptr;
  return std::exchange(found->second->taken_, true) ? nullptr : found->second->build_;
}

WatchedBuild* GivenMonitor::build() const noexcept { return generation_ == generation() ? build_.get() : nullptr; }

void GivenMonitor::loaded(const std::string& edition, const std::string& version) {
  if (build() != nullptr) build()->loaded(edition, version, {});
}

void GivenMonitor::finish(bool built, const std::string& message) {
  if (finished_.exchange(true) || build() == nullptr) return;
  build()->end(built, message);
  if (const auto session = Session::current()) session->awaitTold(*build_);
}

void GivenMonitor::cancel(const std::string& reason) {
  if (cancelled_.exchange(true) || build() == nullptr) return;
  build()->monitor().request({"program", reason.empty() ? "the program cancelled its build" : reason, {}});
}

bool GivenMonitor::isCancelled() const noexcept {
  return cancelled_ || (build() != nullptr && build()->monitor().cancelRequested());
}

void GivenMonitor::phaseStart(const char* phaseName, const char* parentPhase, std::int32_t nbSteps) noexcept {
  if (build() != nullptr) build()->progress().phaseStart(phaseName, parentPhase, nbSteps);
}

bool GivenMonitor::stepComplete(const char* phaseName, std::int32_t step) noexcept {
  return build() == nullptr ? !cancelled_ : build()->progress().stepComplete(phaseName, step);
}

void GivenMonitor::phaseFinish(const char* phaseName) noexcept {
  if (build() != nullptr) build()->progress().phaseFinish(phaseName);
}

}  // namespace trtscope::hook
