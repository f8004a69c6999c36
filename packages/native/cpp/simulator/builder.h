#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "abi/interfaces.h"
#include "simulator/object.h"
#include "simulator/profile.h"
#include "simulator/stage.h"

namespace trtscope::simulator {

class Builder final : public Object<Builder> {
 public:
  explicit Builder(void* logger) : log_(logger) {}
  static void* const* table();

 private:
  std::optional<std::string> build(void* network, void* config) const;
  void* createBuilderConfig();
  void* createNetworkV2(std::uint32_t flags);
  void* createOptimizationProfile() { return profiles_.emplace_back().handle(); }
  void setErrorRecorder(abi::ErrorRecorder* recorder) { recorder_ = recorder; }
  // Each performs the network's script.
  void* buildSerializedNetwork(void* network, void* config);
  bool buildSerializedNetworkToStream(void* network, void* config, abi::StreamWriter* writer);
  void* buildEngineWithConfig(void* network, void* config) { return buildSerializedNetwork(network, config); }
  void* buildSerializedNetworkWithKernelText(void* network, void* config, void** kernelText);
  void* getLogger() { return log_.logger(); }
  bool setMaxThreads(std::int32_t count);

  const Log log_;
  abi::ErrorRecorder* recorder_ = nullptr;
  std::deque<Profile> profiles_;
  std::vector<std::string> calls_;
};

}  // namespace trtscope::simulator
