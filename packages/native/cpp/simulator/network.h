#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "abi/interfaces.h"
#include "simulator/object.h"
#include "simulator/script.h"

namespace trtscope::simulator {

class Tensor final : public Object<Tensor> {
 public:
  explicit Tensor(Script::Input input) : input_(std::move(input)) {}
  static void* const* table();

 private:
  const char* getName() { return input_.name.c_str(); }
  abi::Dims getDimensions() { return input_.dims; }

  Script::Input input_;
};

// Empty until a parser has put a script into it.
class Network final : public Object<Network> {
 public:
  static void* const* table();

  void hold(std::shared_ptr<const Script> script);
  // Null when there is none.
  std::shared_ptr<const Script> script() const { return script_; }

 private:
  std::int32_t getNbLayers() { return script_ == nullptr ? 0 : script_->layers; }
  std::int32_t getNbInputs() { return static_cast<std::int32_t>(inputs_.size()); }
  void* getInput(std::int32_t index) { return inputs_.at(static_cast<std::size_t>(index)).handle(); }
  std::int32_t getNbOutputs() { return script_ == nullptr ? 0 : script_->outputs; }

  std::shared_ptr<const Script> script_;
  std::deque<Tensor> inputs_;
};

}  // namespace trtscope::simulator
