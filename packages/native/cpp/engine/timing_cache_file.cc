#include "engine/timing_cache_file.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace trtscope {
namespace {

using namespace std::chrono_literals;

constexpr std::uint8_t kWarning = 2;
constexpr std::uint8_t kInfo = 3;
// Another build is done with the file at once, unless it is that one's engine.
constexpr auto kPatience = 2s;

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

// How many bytes the config's cache has: it need not be the object that was given to it.
std::size_t sizeOfCache(const abi::BuilderConfig& config) {
  const void* used = config.timingCache();
  const abi::TimingCache copy = config.createTimingCache("");
  if (used == nullptr || !copy || !copy.combine(used)) return 0;
  const abi::HostMemory bytes = copy.serialize();
  return bytes ? bytes.bytes().size() : 0;
}

// Answers why the file cannot be written, "" when it is ours to write.
std::string claimInTime(BuildObjects& objects, Placement& placement) {
  for (const auto end = std::chrono::steady_clock::now() + kPatience;;) {
    const Placement::Answer answer = placement.claim();
    tellSwept(answer.swept, objects.monitor);
    if (answer.holder.empty()) return answer.fault;
    if (std::chrono::steady_clock::now() > end) return "process " + answer.holder + " keeps it to itself";
    std::this_thread::sleep_for(10ms);
  }
}

}  // namespace

void loadTimingCache(BuildObjects& objects) {
  if (objects.request.timingCacheFile.empty()) return;
  const abi::BuilderConfig& config = *objects.config;
  const std::string bytes = read(objects);
  objects.forgetErrors();
  const abi::TimingCache& cache = objects.timingCache.emplace(config.createTimingCache(bytes));
  if (!cache || !config.setTimingCache(cache) || objects.hasErrors()) {
    warn(objects, "TensorRT does not take it (" + objects.reason() + "), so the build begins with an empty one.");
    objects.timingCacheRefused = true;
    const abi::TimingCache& empty = objects.timingCache.emplace(config.createTimingCache(""));
    if (empty) config.setTimingCache(empty);
  }
  objects.timingCacheBytes = sizeOfCache(config);
}

bool timingCacheHasGrown(const BuildObjects& objects) {
  return objects.timingCache && sizeOfCache(*objects.config) > objects.timingCacheBytes;
}

bool saveTimingCache(BuildObjects& objects, Placement& placement) {
  const abi::BuilderConfig& config = *objects.config;
  const void* learnt = config.timingCache();
  // What TensorRT does not take may be of use elsewhere: only what was learnt here is worth its place.
  if (learnt == nullptr || (objects.timingCacheRefused && !timingCacheHasGrown(objects))) return false;
  std::string fault = claimInTime(objects, placement);
  if (fault.empty()) {
    objects.forgetErrors();
    // Builds that ran meanwhile may have written it too.
    const abi::TimingCache whole = config.createTimingCache(objects.timingCacheRefused ? "" : read(objects));
    if (!whole || !whole.combine(learnt)) {
      warn(objects, "it cannot be added to: " + objects.reason() + ".");
      return false;
    }
    const abi::HostMemory bytes = whole.serialize();
    fault = bytes ? placement.put(bytes.bytes(), [] {}) : objects.reason();
  }
  if (!fault.empty()) warn(objects, "it cannot be written: " + fault + ".");
  return fault.empty();
}

void tellSwept(const std::vector<std::string>& swept, BuildMonitor& monitor) {
  for (const std::string& path : swept) {
    monitor.log(kInfo, "Removed " + path + ", which a process that is gone had left.", Origin::kTrtscope);
  }
}

}  // namespace trtscope
