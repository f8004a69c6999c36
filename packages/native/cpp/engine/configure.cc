#include <functional>
#include <string>

#include "abi/enums.h"
#include "engine/build_failure.h"
#include "engine/build_objects.h"
#include "engine/device.h"
#include "engine/profiles.h"
#include "engine/timing_cache_file.h"

namespace trtscope {
namespace {

constexpr std::int32_t kDefaultCapability = 86;
constexpr std::uint8_t kInfo = 3;

// Sets one option. TensorRT shows its refusal by `false` or by an error alone, as it happens.
void apply(BuildObjects& objects, const std::string& option, const std::function<bool()>& set) {
  objects.forgetErrors();
  if (set() && !objects.hasErrors()) return;
  throw BuildFailure("OPTION_UNSUPPORTED",
                     objects.library->layout().title() + " does not take " + option + ": " + objects.reason() + ".");
}

[[noreturn]] void lack(BuildObjects& objects, const std::string& option) {
  throw BuildFailure("OPTION_UNSUPPORTED",
                     objects.library->layout().title() + " has no option " + option + ". Leave it out.");
}

std::int32_t valueOf(BuildObjects& objects, const abi::Enumeration& values, const std::string& option,
                     const std::string& name) {
  const abi::Layout& layout = objects.library->layout();
  const auto value = values.value(name, layout);
  if (value) return *value;
  throw BuildFailure("OPTION_UNSUPPORTED",
                     layout.title() + " has no " + option + " \"" + name + "\". It has " + values.names(layout) + ".");
}

void setCapabilities(BuildObjects& objects) {
  const abi::BuilderConfig& config = *objects.config;
  std::vector<std::int32_t> capabilities = objects.request.computeCapabilities;
  if (!capabilities.empty()) {
    if (!config.layout().has(abi::Slot::kConfigSetCapability)) lack(objects, "computeCapability");
  } else if (config.layout().has(abi::Slot::kConfigSetCapability) && deviceCount() == 0) {
    objects.monitor.log(kInfo, "No GPU was found: building for compute capability 8.6.", Origin::kTrtscope);
    capabilities = {kDefaultCapability};
  }
  const auto count = static_cast<std::int32_t>(capabilities.size());
  if (count == 0) return;  // the GPU's own
  apply(objects, std::to_string(count) + " compute capabilities", [&] { return config.setCapabilityCount(count); });
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t capability = capabilities[static_cast<std::size_t>(i)];
    apply(objects, "computeCapability " + std::to_string(capability),
          [&] { return config.setCapability(capability, i); });
  }
}

// "noTF32" clears what is set by default.
void setFlag(BuildObjects& objects, const std::string& name) {
  const abi::BuilderConfig& config = *objects.config;
  const bool clears = name.starts_with("no") && !abi::kBuilderFlags.value(name, config.layout());
  const std::int32_t flag = valueOf(objects, abi::kBuilderFlags, "builder flag", clears ? name.substr(2) : name);
  apply(objects, "builder flag \"" + name + "\"", [&] {
    clears ? config.clearFlag(flag) : config.setFlag(flag);
    return config.flag(flag) != clears;
  });
}

}  // namespace

void configure(BuildObjects& objects) {
  const BuildRequest& request = objects.request;
  const abi::BuilderConfig& config = objects.config.emplace(objects.builder->createConfig());
  if (!config) {
    throw BuildFailure("BUILD_FAILED", config.layout().title() + " made no config: " + objects.reason() + ".");
  }

  const auto number = [&](const char* option, const std::optional<std::int32_t>& value, auto set) {
    if (!value) return;
    apply(objects, option + (" " + std::to_string(*value)), [&] {
      if constexpr (std::is_void_v<decltype(set(*value))>) {
        set(*value);
        return true;
      } else {
        return set(*value);
      }
    });
  };
  const auto name = [&](const char* option, const abi::Enumeration& values, const std::string& value, auto set) {
    if (!value.empty()) number(option, valueOf(objects, values, option, value), set);
  };

  for (const auto& [pool, bytes] : request.memoryPools) {
    const std::int32_t value = valueOf(objects, abi::kMemoryPools, "memory pool", pool);
    apply(objects, "memory pool " + pool + " of " + std::to_string(bytes) + " bytes", [&, size = bytes] {
      config.setMemoryPoolLimit(value, size);
      return true;
    });
  }
  number("builderOptimizationLevel", request.builderOptimizationLevel, [&](auto v) { config.setOptimizationLevel(v); });
  number("maxAuxStreams", request.maxAuxStreams, [&](auto v) { return config.setMaxAuxStreams(v); });
  if (request.maxTactics && !config.layout().has(abi::Slot::kConfigSetMaxTactics)) lack(objects, "maxTactics");
  number("maxTactics", request.maxTactics, [&](auto v) { config.setMaxTactics(v); });
  // Its function is there, and does nothing.
  if (!request.hardwareCompatibilityLevel.empty() && config.layout().edition() == abi::Edition::kTensorrtRtx) {
    lack(objects, "hardwareCompatibilityLevel");
  }
  name("hardwareCompatibilityLevel", abi::kHardwareCompatibilityLevels, request.hardwareCompatibilityLevel,
       [&](auto v) { config.setHardwareCompatibility(v); });
  name("profilingVerbosity", abi::kProfilingVerbosities, request.profilingVerbosity,
       [&](auto v) { config.setProfilingVerbosity(v); });
  for (const std::string& flag : request.flags) setFlag(objects, flag);
  setCapabilities(objects);
  loadTimingCache(objects);
  addProfiles(objects);
  if (request.monitored) config.setProgressMonitor(&objects.progress);
}

}  // namespace trtscope
