#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "monitor/limits.h"

namespace trtscope {

// Dims of one input in one profile: min, opt, max.
struct ShapeRange {
  std::string input;
  std::array<std::vector<std::int64_t>, 3> dims;
};

using Profile = std::vector<ShapeRange>;

// What to build, as the words that packages/native/src/build-words.ts writes: name, value, name, value, … A word's
// meaning:
//   build ID · originNs N (CLOCK_MONOTONIC) · model PATH · output PATH · library PATH · parser PATH
//   profile "" (opens a profile) · minShapes | optShapes | maxShapes "1x3x224x224 NAME" (in the open profile)
//   memPoolSize "NAME BYTES" · timingCacheFile PATH · builderOptimizationLevel N · computeCapability "86" (repeated)
//   stronglyTyped 1 · device N · staticPlugins PATH (repeated) · maxAuxStreams N · maxTactics N
//   hardwareCompatibilityLevel NAME · profilingVerbosity NAME · flag NAME (repeated) · maxThreads N
//   logSeverity N (least severe that is recorded) · monitor 0 (build unobserved)
//   deadlineMs N (since 1970) · budgetTotalNs N · budgetPhaseNs "N GLOB" (repeated) · budgetStepNs N · budgetQuietNs N
//   warnAt F (0 to 1) · cancels 0 (spent budgets only warn)
//   graceNs N (of each rung of a cancel; only in a process of its own)
struct BuildRequest {
  std::string build;
  std::uint64_t originNs = 0;
  std::string model;
  std::string output;
  std::string library;
  std::string parser;
  std::vector<Profile> profiles;
  std::vector<std::pair<std::string, std::uint64_t>> memoryPools;
  std::string timingCacheFile;
  std::optional<std::int32_t> builderOptimizationLevel;
  std::vector<std::int32_t> computeCapabilities;
  bool stronglyTyped = false;
  std::optional<std::int32_t> device;
  std::vector<std::string> plugins;
  std::optional<std::int32_t> maxAuxStreams;
  std::optional<std::int32_t> maxTactics;
  std::string hardwareCompatibilityLevel;
  std::string profilingVerbosity;
  std::vector<std::string> flags;
  std::optional<std::int32_t> maxThreads;
  std::int32_t logSeverity = 3;
  bool monitored = true;
  Limits limits;
  std::uint64_t graceNs = 10'000'000'000;

  // Throws std::invalid_argument naming the word: only a caller that is not ours can cause it.
  static BuildRequest fromWords(const std::vector<std::string>& words, std::size_t first);
};

}  // namespace trtscope
