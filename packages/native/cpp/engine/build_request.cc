#include "engine/build_request.h"

#include <charconv>
#include <stdexcept>
#include <string_view>
#include <type_traits>

namespace trtscope {
namespace {

[[noreturn]] void refuse(std::string_view word, std::string_view value, const char* wanted) {
  throw std::invalid_argument("The word " + std::string(word) + " wants " + wanted + ", not \"" + std::string(value) +
                              "\".");
}

template <class Number>
Number number(std::string_view word, std::string_view value) {
  Number result = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (fault == std::errc() && end == value.data() + value.size()) return result;
  refuse(word, value, std::is_integral_v<Number> ? "a whole number" : "a number");
}

std::vector<std::int64_t> extents(std::string_view word, std::string_view text) {
  std::vector<std::int64_t> result;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('x', at), text.size());
    result.push_back(number<std::int64_t>(word, text.substr(at, end - at)));
    at = end + 1;
  }
  return result;
}

// "1x3x224x224 NAME": the name is last since it may hold anything.
void addShape(std::vector<Profile>& profiles, std::size_t which, std::string_view word, std::string_view value) {
  const std::size_t space = value.find(' ');
  if (profiles.empty() || space == std::string_view::npos) refuse(word, value, "an open profile and \"1x3 NAME\"");
  const std::string_view input = value.substr(space + 1);
  Profile& profile = profiles.back();
  ShapeRange* range = nullptr;
  for (ShapeRange& known : profile) {
    if (known.input == input) range = &known;
  }
  if (range == nullptr) range = &profile.emplace_back(ShapeRange{std::string(input), {}});
  range->dims[which] = extents(word, value.substr(0, space));
}

std::pair<std::string, std::uint64_t> pool(std::string_view word, std::string_view value) {
  const std::size_t space = value.find(' ');
  if (space == std::string_view::npos) refuse(word, value, "\"NAME BYTES\"");
  return {std::string(value.substr(0, space)), number<std::uint64_t>(word, value.substr(space + 1))};
}

// The glob is last since it may hold anything.
Limits::Phase phaseBudget(std::string_view word, std::string_view value) {
  const std::size_t space = value.find(' ');
  if (space == std::string_view::npos) refuse(word, value, "\"NANOSECONDS GLOB\"");
  return {std::string(value.substr(space + 1)), number<std::uint64_t>(word, value.substr(0, space))};
}

template <class Target>
void assign(Target& target, std::string_view word, const std::string& value) {
  if constexpr (std::is_same_v<Target, std::string>) {
    target = value;
  } else if constexpr (std::is_same_v<Target, std::vector<std::string>>) {
    target.push_back(value);
  } else if constexpr (std::is_same_v<Target, std::vector<std::int32_t>>) {
    target.push_back(number<std::int32_t>(word, value));
  } else if constexpr (std::is_same_v<Target, bool>) {
    target = number<int>(word, value) != 0;
  } else {
    target = number<Target>(word, value);
  }
}

template <class Number>
void assign(std::optional<Number>& target, std::string_view word, const std::string& value) {
  target = number<Number>(word, value);
}

}  // namespace

BuildRequest BuildRequest::fromWords(const std::vector<std::string>& words, std::size_t first) {
  BuildRequest request;
  const auto take = [&](std::string_view word, const std::string& value) {
    const auto is = [&](std::string_view name, auto& target) {
      if (word == name) assign(target, word, value);
      return word == name;
    };
    if (word == "profile") {
      request.profiles.emplace_back();
    } else if (word == "minShapes" || word == "optShapes" || word == "maxShapes") {
      addShape(request.profiles, word == "minShapes" ? 0 : word == "optShapes" ? 1 : 2, word, value);
    } else if (word == "memPoolSize") {
      request.memoryPools.push_back(pool(word, value));
    } else if (word == "budgetPhaseNs") {
      request.limits.phases.push_back(phaseBudget(word, value));
    } else if (!(is("build", request.build) || is("originNs", request.originNs) || is("model", request.model) ||
                 is("output", request.output) || is("library", request.library) || is("parser", request.parser) ||
                 is("timingCacheFile", request.timingCacheFile) ||
                 is("builderOptimizationLevel", request.builderOptimizationLevel) ||
                 is("computeCapability", request.computeCapabilities) || is("stronglyTyped", request.stronglyTyped) ||
                 is("device", request.device) || is("staticPlugins", request.plugins) ||
                 is("maxAuxStreams", request.maxAuxStreams) || is("maxTactics", request.maxTactics) ||
                 is("hardwareCompatibilityLevel", request.hardwareCompatibilityLevel) ||
                 is("profilingVerbosity", request.profilingVerbosity) || is("flag", request.flags) ||
                 is("maxThreads", request.maxThreads) || is("logSeverity", request.logSeverity) ||
                 is("monitor", request.monitored) || is("deadlineMs", request.limits.deadlineMs) ||
                 is("budgetTotalNs", request.limits.totalNs) || is("budgetStepNs", request.limits.stepNs) ||
                 is("budgetQuietNs", request.limits.quietNs) || is("warnAt", request.limits.warnAt) ||
                 is("cancels", request.limits.cancels) || is("graceNs", request.graceNs))) {
      throw std::invalid_argument("The word " + std::string(word) + " is not known.");
    }
  };
  for (std::size_t at = first; at < words.size(); at += 2) {
    if (at + 1 == words.size()) throw std::invalid_argument("The word " + words[at] + " has no value.");
    take(words[at], words[at + 1]);
  }
  return request;
}

}  // namespace trtscope
