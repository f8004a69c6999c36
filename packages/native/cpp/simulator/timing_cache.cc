#include "simulator/timing_cache.h"

#include <algorithm>
#include <functional>

#include "simulator/host_memory.h"

namespace trtscope::simulator {
namespace {
constexpr std::string_view kTitle = "trtscope simulator timing cache\n";
}

void* const* TimingCache::table() {
  static const auto kTable = FunctionTable<Interface::kTimingCache>()
                                 .with<&TimingCache::serialize>(abi::Slot::kCacheSerialize)
                                 .with<&TimingCache::combine>(abi::Slot::kCacheCombine);
  return kTable.functions();
}

std::optional<TimingCache::Lines> TimingCache::linesOf(std::string_view bytes) {
  Lines lines;
  if (bytes.empty()) return lines;
  if (!bytes.starts_with(kTitle)) return std::nullopt;
  bytes.remove_prefix(kTitle.size());
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    lines.emplace(bytes.substr(0, end));
    bytes.remove_prefix(end);
  }
  return lines;
}

void TimingCache::learn(const std::string& script) {
  lines_.insert(std::to_string(std::hash<std::string>()(script)) + "\n");
}

void* TimingCache::serialize() {
  std::string bytes(kTitle);
  for (const std::string& line : lines_) bytes += line;
  return HostMemory::make(std::move(bytes));
}

bool TimingCache::combine(const void* other, bool) {
  const Lines& more = of(other).lines();
  lines_.insert(more.begin(), more.end());
  return true;
}

}  // namespace trtscope::simulator
