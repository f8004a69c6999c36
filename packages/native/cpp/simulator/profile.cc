#include "simulator/profile.h"

namespace trtscope::simulator {

void* const* Profile::table() {
  static const auto kTable =
      FunctionTable<Interface::kProfile>().with<&Profile::setDimensions>(abi::Slot::kProfileSetDimensions);
  return kTable.functions();
}

bool Profile::setDimensions(const char* input, std::int32_t selector, const abi::Dims* dims) {
  std::string shape;
  for (std::int32_t i = 0; i < dims->count; ++i) shape += (i == 0 ? "" : "x") + std::to_string(dims->extent[i]);
  calls_.push_back("setDimensions " + std::string(input) + " " + std::to_string(selector) + " " + shape);
  return true;
}

}  // namespace trtscope::simulator
