#pragma once

#include <cstdint>
#include <deque>
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
  void* createBuilderConfig();
  void* createNetworkV2(std::uint32_t flags);
  void* createOptimizationProfile() { return profiles_.emplace_back().handle(); }
  void setErrorRecorder(abi::ErrorRecorder* recorder) { recorder_ = recorder; }
  // Performs the network's script.
  void* buildSerializedNetwork(void* network, void* config);
  bool setMaxThreads(std::int32_t count);

  const Log log_;
  abi::ErrorRecorder* recorder_ = nullptr;
  std::deque<Profile> profiles_;
  std::vector<std::string> calls_;
};

}  // namespace trtscope::simulator
