#include "simulator/builder.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "simulator/builder_config.h"
#include "simulator/host_memory.h"
#include "simulator/network.h"

namespace trtscope::simulator {
namespace {

constexpr std::int32_t kInvalidNetwork = 4;
constexpr std::string_view kEngineTitle = "trtscope simulator engine\n";

// The same for the same size and seed.
std::string engineOf(const Script& script) {
  std::string bytes(script.engineBytes, '\0');
  std::uint64_t state = script.engineSeed * 0x9E3779B97F4A7C15 | 1;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(state)) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::memcpy(bytes.data() + at, &state, std::min(sizeof(state), bytes.size() - at));
  }
  std::copy_n(kEngineTitle.begin(), std::min(kEngineTitle.size(), bytes.size()), bytes.begin());
  return bytes;
}

}  // namespace

void* const* Builder::table() {
  static const auto kTable = FunctionTable<Interface::kBuilder>()
                                 .with<&Builder::createBuilderConfig>(abi::Slot::kBuilderCreateConfig)
                                 .with<&Builder::createNetworkV2>(abi::Slot::kBuilderCreateNetwork)
                                 .with<&Builder::createOptimizationProfile>(abi::Slot::kBuilderCreateProfile)
                                 .with<&Builder::setErrorRecorder>(abi::Slot::kBuilderSetErrorRecorder)
                                 .with<&Builder::buildSerializedNetwork>(abi::Slot::kBuilderBuild)
                                 .with<&Builder::buildSerializedNetworkToStream>(abi::Slot::kBuilderBuildToStream)
                                 .with<&Builder::buildEngineWithConfig>(abi::Slot::kBuilderBuildEngine)
                                 .with<&Builder::buildSerializedNetworkWithKernelText>(abi::Slot::kBuilderBuildWithText)
                                 .with<&Builder::getLogger>(abi::Slot::kBuilderLogger)
                                 .with<&Builder::setMaxThreads>(abi::Slot::kBuilderSetMaxThreads);
  return kTable.functions();
}

void* Builder::createBuilderConfig() { return BuilderConfig::make(); }

void* Builder::createNetworkV2(std::uint32_t flags) {
  calls_.push_back("createNetworkV2 " + std::to_string(flags));
  return Network::make();
}

std::optional<std::string> Builder::build(void* network, void* config) const {
  const BuilderConfig& settings = BuilderConfig::of(config);
  const auto script = Network::of(network).script();
  Stage stage(log_);
  stage.recorder = recorder_;
  stage.monitor = settings.monitor();
  stage.calls = calls_;
  stage.calls.insert(stage.calls.end(), settings.calls().begin(), settings.calls().end());
  std::optional<Failure> failure;
  try {
    if (script == nullptr) throw Failure{kInvalidNetwork, "The network is empty"};
    settings.learn(script->text);
    Actor(stage).perform(script->building);
  } catch (const Failure& thrown) {
    failure = thrown;
  }
  if (script != nullptr && script->tellsAnswers) stage.tellAnswers();
  if (failure) {
    stage.report(*failure);
    return std::nullopt;
  }
  return engineOf(*script);
}

void* Builder::buildSerializedNetwork(void* network, void* config) {
  auto engine = build(network, config);
  return engine ? HostMemory::make(std::move(*engine)) : nullptr;
}

bool Builder::buildSerializedNetworkToStream(void* network, void* config, abi::StreamWriter* writer) {
  const auto engine = build(network, config);
  if (!engine) return false;
  const auto size = static_cast<std::int64_t>(engine->size());
  return writer->write(engine->data(), size) == size;
}

void* Builder::buildSerializedNetworkWithKernelText(void* network, void* config, void** kernelText) {
  void* const engine = buildSerializedNetwork(network, config);
  *kernelText = engine == nullptr ? nullptr : HostMemory::make("no kernels");
  return engine;
}

bool Builder::setMaxThreads(std::int32_t count) {
  calls_.push_back("setMaxThreads " + std::to_string(count));
  return true;
}

}  // namespace trtscope::simulator
