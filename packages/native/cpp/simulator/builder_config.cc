#include "simulator/builder_config.h"

#include <utility>

#include "simulator/profile.h"

namespace trtscope::simulator {

void* const* BuilderConfig::table() {
  using abi::Slot;
  static const auto kTable = FunctionTable<Interface::kBuilderConfig>()
                                 .with<&BuilderConfig::clearFlag>(Slot::kConfigClearFlag)
                                 .with<&BuilderConfig::setFlag>(Slot::kConfigSetFlag)
                                 .with<&BuilderConfig::getFlag>(Slot::kConfigGetFlag)
                                 .with<&BuilderConfig::addOptimizationProfile>(Slot::kConfigAddProfile)
                                 .with<&BuilderConfig::setProfilingVerbosity>(Slot::kConfigSetVerbosity)
                                 .with<&BuilderConfig::createTimingCache>(Slot::kConfigCreateCache)
                                 .with<&BuilderConfig::setTimingCache>(Slot::kConfigSetCache)
                                 .with<&BuilderConfig::getTimingCache>(Slot::kConfigGetCache)
                                 .with<&BuilderConfig::setMemoryPoolLimit>(Slot::kConfigSetPool)
                                 .with<&BuilderConfig::setBuilderOptimizationLevel>(Slot::kConfigSetLevel)
                                 .with<&BuilderConfig::setHardwareCompatibilityLevel>(Slot::kConfigSetCompatibility)
                                 .with<&BuilderConfig::setMaxAuxStreams>(Slot::kConfigSetMaxAuxStreams)
                                 .with<&BuilderConfig::setProgressMonitor>(Slot::kConfigSetMonitor)
                                 .with<&BuilderConfig::getProgressMonitor>(Slot::kConfigGetMonitor)
                                 .with<&BuilderConfig::setMaxNbTactics>(Slot::kConfigSetMaxTactics)
                                 .with<&BuilderConfig::setNbComputeCapabilities>(Slot::kConfigSetCapabilityCount)
                                 .with<&BuilderConfig::setComputeCapability>(Slot::kConfigSetCapability);
  return kTable.functions();
}

void BuilderConfig::setFlag(std::int32_t flag) {
  note("setFlag", flag);
  flags_.set(static_cast<std::size_t>(flag));
}

void BuilderConfig::clearFlag(std::int32_t flag) {
  note("clearFlag", flag);
  flags_.reset(static_cast<std::size_t>(flag));
}

bool BuilderConfig::getFlag(std::int32_t flag) { return flags_.test(static_cast<std::size_t>(flag)); }

std::int32_t BuilderConfig::addOptimizationProfile(const void* profile) {
  const std::vector<std::string>& calls = Profile::of(profile).calls();
  calls_.insert(calls_.end(), calls.begin(), calls.end());
  note("addOptimizationProfile", profiles_);
  return profiles_++;
}

void BuilderConfig::setProfilingVerbosity(std::int32_t verbosity) { note("setProfilingVerbosity", verbosity); }

void* BuilderConfig::createTimingCache(const void* bytes, std::size_t size) {
  auto lines = TimingCache::linesOf({static_cast<const char*>(bytes), size});
  return lines ? TimingCache::make(std::move(*lines)) : nullptr;
}

bool BuilderConfig::setTimingCache(const void* cache, bool ignoreMismatch) {
  cache_ = std::make_unique<TimingCache>(TimingCache::of(cache).lines());
  return note("setTimingCache", ignoreMismatch);
}

void BuilderConfig::setMemoryPoolLimit(std::int32_t pool, std::size_t bytes) {
  note("setMemoryPoolLimit", pool, static_cast<std::int64_t>(bytes));
}

void BuilderConfig::setBuilderOptimizationLevel(std::int32_t level) { note("setBuilderOptimizationLevel", level); }

void BuilderConfig::setHardwareCompatibilityLevel(std::int32_t level) { note("setHardwareCompatibilityLevel", level); }

bool BuilderConfig::setMaxAuxStreams(std::int32_t count) {
  note("setMaxAuxStreams", count);
  // False also where it has no result, which then nobody may look at.
  return layout().auxStreamsAnswer();
}

void BuilderConfig::setMaxNbTactics(std::int32_t count) { note("setMaxNbTactics", count); }

bool BuilderConfig::setNbComputeCapabilities(std::int32_t count) { return note("setNbComputeCapabilities", count); }

bool BuilderConfig::setComputeCapability(std::int32_t capability, std::int32_t index) {
  return note("setComputeCapability", capability, index);
}

bool BuilderConfig::note(const char* function, std::int64_t value) {
  calls_.push_back(function + (" " + std::to_string(value)));
  return true;
}

bool BuilderConfig::note(const char* function, std::int64_t first, std::int64_t second) {
  calls_.push_back(function + (" " + std::to_string(first)) + " " + std::to_string(second));
  return true;
}

}  // namespace trtscope::simulator
