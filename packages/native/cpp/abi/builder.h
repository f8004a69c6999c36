#pragma once

#include <cstdint>

#include "abi/builder_config.h"
#include "abi/host_memory.h"
#include "abi/network.h"

namespace trtscope::abi {

// TensorRT's builder. It must outlive all that it makes.
class Builder : public OwnedObject {
 public:
  using OwnedObject::OwnedObject;

  Network createNetwork(std::uint32_t flags) const {
    return {call<void*, std::uint32_t>(Slot::kBuilderCreateNetwork, flags), layout()};
  }
  BuilderConfig createConfig() const { return {call<void*>(Slot::kBuilderCreateConfig), layout()}; }
  Profile createProfile() const { return {call<void*>(Slot::kBuilderCreateProfile), layout()}; }
  // The recorder must outlive the builder.
  void setErrorRecorder(ErrorRecorder* recorder) const {
    call<void, ErrorRecorder*>(Slot::kBuilderSetErrorRecorder, recorder);
  }
  bool setMaxThreads(std::int32_t count) const { return call<bool, std::int32_t>(Slot::kBuilderSetMaxThreads, count); }
  // Builds, on this thread and on others, for as long as it takes. Only an object is success.
  HostMemory build(const Network& network, const BuilderConfig& config) const {
    return {call<void*, void*, void*>(Slot::kBuilderBuild, network.get(), config.get()), layout()};
  }
};

}  // namespace trtscope::abi
