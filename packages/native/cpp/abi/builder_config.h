#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "abi/interfaces.h"
#include "abi/profile.h"
#include "abi/timing_cache.h"

namespace trtscope::abi {

// What a builder is to do. Enumerators are numbers of enums.h. Ask layout().has(slot) before what not every version
// has.
class BuilderConfig : public OwnedObject {
 public:
  using OwnedObject::OwnedObject;

  void setFlag(std::int32_t flag) const { call<void, std::int32_t>(Slot::kConfigSetFlag, flag); }
  void clearFlag(std::int32_t flag) const { call<void, std::int32_t>(Slot::kConfigClearFlag, flag); }
  bool flag(std::int32_t flag) const { return call<bool, std::int32_t>(Slot::kConfigGetFlag, flag); }
  // Answers the profile's index, below 0 when it is refused.
  std::int32_t addProfile(const Profile& profile) const {
    return call<std::int32_t, const void*>(Slot::kConfigAddProfile, profile.get());
  }
  void setProfilingVerbosity(std::int32_t value) const { call<void, std::int32_t>(Slot::kConfigSetVerbosity, value); }
  void setMemoryPoolLimit(std::int32_t pool, std::size_t bytes) const {
    call<void, std::int32_t, std::size_t>(Slot::kConfigSetPool, pool, bytes);
  }
  void setOptimizationLevel(std::int32_t level) const { call<void, std::int32_t>(Slot::kConfigSetLevel, level); }
  void setHardwareCompatibility(std::int32_t value) const {
    call<void, std::int32_t>(Slot::kConfigSetCompatibility, value);
  }
  // True where it has no answer: a refusal is then an error alone.
  bool setMaxAuxStreams(std::int32_t count) const {
    if (layout().auxStreamsAnswer()) return call<bool, std::int32_t>(Slot::kConfigSetMaxAuxStreams, count);
    call<void, std::int32_t>(Slot::kConfigSetMaxAuxStreams, count);
    return true;
  }
  void setMaxTactics(std::int32_t count) const { call<void, std::int32_t>(Slot::kConfigSetMaxTactics, count); }
  // The monitor must outlive the config.
  void setProgressMonitor(ProgressMonitor* monitor) const {
    call<void, ProgressMonitor*>(Slot::kConfigSetMonitor, monitor);
  }
  bool setCapabilityCount(std::int32_t count) const {
    return call<bool, std::int32_t>(Slot::kConfigSetCapabilityCount, count);
  }
  // 86 means 8.6.
  bool setCapability(std::int32_t capability, std::int32_t index) const {
    return call<bool, std::int32_t, std::int32_t>(Slot::kConfigSetCapability, capability, index);
  }

  // An empty one for no bytes. No object when the bytes are no cache of this version.
  TimingCache createTimingCache(std::string_view bytes) const {
    return {call<void*, const void*, std::size_t>(Slot::kConfigCreateCache, bytes.data(), bytes.size()), layout()};
  }
  bool setTimingCache(const TimingCache& cache) const {
    return call<bool, const void*, bool>(Slot::kConfigSetCache, cache.get(), false);
  }
  // The cache that the build used and filled, which the config owns; may be null.
  const void* timingCache() const { return call<const void*>(Slot::kConfigGetCache); }
};

}  // namespace trtscope::abi
