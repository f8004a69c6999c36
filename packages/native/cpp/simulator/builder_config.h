#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abi/interfaces.h"
#include "simulator/object.h"
#include "simulator/timing_cache.h"

namespace trtscope::simulator {

class BuilderConfig final : public Object<BuilderConfig> {
 public:
  static void* const* table();

  abi::ProgressMonitor* monitor() const { return monitor_; }
  // What was set, as "setFlag 4".
  const std::vector<std::string>& calls() const { return calls_; }
  void learn(const std::string& script) const {
    if (cache_ != nullptr) cache_->learn(script);
  }

 private:
  void setFlag(std::int32_t flag);
  void clearFlag(std::int32_t flag);
  bool getFlag(std::int32_t flag);
  std::int32_t addOptimizationProfile(const void* profile);
  void setProfilingVerbosity(std::int32_t verbosity);
  void* createTimingCache(const void* bytes, std::size_t size);
  bool setTimingCache(const void* cache, bool ignoreMismatch);
  const void* getTimingCache() { return cache_ == nullptr ? nullptr : cache_->handle(); }
  void setMemoryPoolLimit(std::int32_t pool, std::size_t bytes);
  void setBuilderOptimizationLevel(std::int32_t level);
  void setHardwareCompatibilityLevel(std::int32_t level);
  bool setMaxAuxStreams(std::int32_t count);
  void setProgressMonitor(abi::ProgressMonitor* monitor) { monitor_ = monitor; }
  abi::ProgressMonitor* getProgressMonitor() { return monitor_; }
  void setMaxNbTactics(std::int32_t count);
  bool setNbComputeCapabilities(std::int32_t count);
  bool setComputeCapability(std::int32_t capability, std::int32_t index);

  bool note(const char* function, std::int64_t value);
  bool note(const char* function, std::int64_t first, std::int64_t second);

  std::bitset<64> flags_;
  std::int32_t profiles_ = 0;
  std::unique_ptr<TimingCache> cache_;
  abi::ProgressMonitor* monitor_ = nullptr;
  std::vector<std::string> calls_;
};

}  // namespace trtscope::simulator
