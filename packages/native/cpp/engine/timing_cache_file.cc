#include "engine/timing_cache_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "engine/build_failure.h"

namespace trtscope {
namespace {

constexpr std::uint8_t kWarning = 2;

void warn(BuildObjects& objects, const std::string& what) {
  objects.monitor.log(kWarning, "Timing cache " + objects.request.timingCacheFile + ": " + what, Origin::kTrtscope);
}

// "" when there is no file yet.
std::string read(BuildObjects& objects) {
  const std::string& path = objects.request.timingCacheFile;
  if (!std::filesystem::exists(path)) return "";
  std::ifstream file(path, std::ios::binary);
  if (file && std::filesystem::is_regular_file(path)) return {std::istreambuf_iterator<char>(file), {}};
  warn(objects, "it cannot be read, so it is left out.");
  return "";
}

void save(BuildObjects& objects, Placement& placement) {
  const abi::BuilderConfig& config = *objects.config;
  const void* learnt = config.timingCache();
  if (learnt == nullptr) return;
  objects.forgetErrors();
  // Builds that ran meanwhile may have written it too.
  const abi::TimingCache whole = config.createTimingCache(objects.timingCacheRefused ? "" : read(objects));
  if (!whole || !whole.combine(learnt)) return warn(objects, "it cannot be added to: " + objects.reason() + ".");
  const abi::HostMemory bytes = whole.serialize();
  const std::string fault =
      bytes ? placement.put(objects.request.timingCacheFile, bytes.bytes(), [] {}) : objects.reason();
  if (!fault.empty()) warn(objects, "it cannot be written: " + fault + ".");
}

}  // namespace

void loadTimingCache(BuildObjects& objects) {
  if (objects.request.timingCacheFile.empty()) return;
  const abi::BuilderConfig& config = *objects.config;
  const std::string bytes = read(objects);
  objects.forgetErrors();
  const abi::TimingCache& cache = objects.timingCache.emplace(config.createTimingCache(bytes));
  if (cache && config.setTimingCache(cache) && !objects.hasErrors()) return;
  warn(objects, "TensorRT does not take it (" + objects.reason() + "), so the build begins with an empty one.");
  objects.timingCacheRefused = true;
  const abi::TimingCache& empty = objects.timingCache.emplace(config.createTimingCache(""));
  if (empty) config.setTimingCache(empty);
}

void saveTimingCache(BuildObjects& objects, Placement& placement) {
  if (objects.request.timingCacheFile.empty()) return;
  try {
    save(objects, placement);
  } catch (const BuildCancelled&) {
    // The process is being left; the engine is in place all the same.
  } catch (const std::exception& fault) {
    warn(objects, std::string("it cannot be written: ") + fault.what() + ".");
  }
}

}  // namespace trtscope
