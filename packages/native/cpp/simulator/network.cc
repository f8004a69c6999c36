#include "simulator/network.h"

namespace trtscope::simulator {

void* const* Tensor::table() {
  static const auto kTable = FunctionTable<Interface::kTensor>()
                                 .with<&Tensor::getName>(abi::Slot::kTensorName)
                                 .with<&Tensor::getDimensions>(abi::Slot::kTensorDimensions);
  return kTable.functions();
}

void* const* Network::table() {
  static const auto kTable = FunctionTable<Interface::kNetwork>()
                                 .with<&Network::getNbLayers>(abi::Slot::kNetworkLayerCount)
                                 .with<&Network::getNbInputs>(abi::Slot::kNetworkInputCount)
                                 .with<&Network::getInput>(abi::Slot::kNetworkInput)
                                 .with<&Network::getNbOutputs>(abi::Slot::kNetworkOutputCount);
  return kTable.functions();
}

void Network::hold(std::shared_ptr<const Script> script) {
  script_ = std::move(script);
  inputs_.clear();
  for (const Script::Input& input : script_->inputs) inputs_.emplace_back(input);
}

}  // namespace trtscope::simulator
