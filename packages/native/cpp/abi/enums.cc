#include "abi/enums.h"

#include <cctype>
#include <utility>

#include "abi/enum_list.h"

namespace trtscope::abi {
namespace {

#define TRTSCOPE_ROW(name, ...) {#name, {__VA_ARGS__}},
constexpr Enumeration::Row kBuilderFlagRows[] = {TRTSCOPE_BUILDER_FLAGS(TRTSCOPE_ROW)};
constexpr Enumeration::Row kMemoryPoolRows[] = {TRTSCOPE_MEMORY_POOLS(TRTSCOPE_ROW)};
constexpr Enumeration::Row kCompatibilityRows[] = {TRTSCOPE_HARDWARE_COMPATIBILITY_LEVELS(TRTSCOPE_ROW)};
constexpr Enumeration::Row kVerbosityRows[] = {TRTSCOPE_PROFILING_VERBOSITIES(TRTSCOPE_ROW)};
constexpr Enumeration::Row kNetworkFlagRows[] = {TRTSCOPE_NETWORK_FLAGS(TRTSCOPE_ROW)};
#undef TRTSCOPE_ROW

// trtexec's names where they differ from the API's by more than case and separators.
constexpr std::pair<std::string_view, std::string_view> kTrtexecNames[] = {
    {"allowgpufallback", "gpufallback"}, {"allowweightstreaming", "weightstreaming"}, {"dlasram", "dlamanagedsram"},
    {"stripweights", "stripplan"},       {"tacticsharedmem", "tacticsharedmemory"},   {"vc", "versioncompatible"},
};

// "kSTRIP_PLAN", "strip-plan" and "stripWeights" become "stripplan".
std::string plain(std::string_view name) {
  if (name.size() > 1 && name[0] == 'k' && std::isupper(static_cast<unsigned char>(name[1]))) name.remove_prefix(1);
  std::string letters;
  for (const char c : name) {
    if (c == '+') {
      letters += "plus";
    } else if (c != '_' && c != '-') {
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  for (const auto& [trtexec, api] : kTrtexecNames) {
    if (letters == trtexec) return std::string(api);
  }
  return letters;
}

std::int32_t valueIn(const Enumeration::Row& row, const Layout& layout) { return row.values[layout.column()]; }

}  // namespace

const Enumeration kBuilderFlags{kBuilderFlagRows};
const Enumeration kMemoryPools{kMemoryPoolRows};
const Enumeration kHardwareCompatibilityLevels{kCompatibilityRows};
const Enumeration kProfilingVerbosities{kVerbosityRows};
const Enumeration kNetworkFlags{kNetworkFlagRows};

std::optional<std::int32_t> Enumeration::value(std::string_view name, const Layout& layout) const {
  const std::string wanted = plain(name);
  for (std::size_t i = 0; i < count_; ++i) {
    if (wanted == plain(rows_[i].name) && valueIn(rows_[i], layout) >= 0) return valueIn(rows_[i], layout);
  }
  return std::nullopt;
}

std::string Enumeration::names(const Layout& layout) const {
  std::string all;
  for (std::size_t i = 0; i < count_; ++i) {
    if (valueIn(rows_[i], layout) < 0) continue;
    if (!all.empty()) all += ", ";
    for (const char* c = rows_[i].name; *c != '\0'; ++c) all += static_cast<char>(std::tolower(*c));
  }
  return all;
}

}  // namespace trtscope::abi
