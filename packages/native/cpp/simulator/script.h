#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/interfaces.h"
#include "simulator/actor.h"

namespace trtscope::simulator {

// A model file that says what is to happen. docs/simulator.md has its lines.
struct Script {
  struct Input {
    std::string name;
    abi::Dims dims;
  };

  // Throws std::invalid_argument with a sentence that names the line.
  static Script read(const std::string& path);

  std::int32_t layers = 1;
  std::int32_t outputs = 1;
  std::vector<Input> inputs;
  std::uint64_t engineBytes = 4096;
  std::uint64_t engineSeed = 1;
  bool tellsAnswers = false;
  std::vector<Deed> parsing;
  std::vector<Deed> building;
  std::string text;
};

}  // namespace trtscope::simulator
