#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "abi/layout.h"

namespace trtscope::abi {

// One of TensorRT's enumerations, by name. A name is the API's ("STRIP_PLAN", "kSTRIP_PLAN", "strip-plan") or trtexec's
// ("stripWeights", "tacticSharedMem", "ampere+"), in any case.
class Enumeration {
 public:
  struct Row {
    const char* name;
    std::array<std::int8_t, Layout::kColumns> values;
  };

  template <std::size_t kCount>
  explicit constexpr Enumeration(const Row (&rows)[kCount]) : rows_(rows), count_(kCount) {}

  std::optional<std::int32_t> value(std::string_view name, const Layout& layout) const;
  // All names of this layout: "workspace, tactic_dram".
  std::string names(const Layout& layout) const;

 private:
  const Row* rows_;
  std::size_t count_;
};

extern const Enumeration kBuilderFlags;
extern const Enumeration kMemoryPools;
extern const Enumeration kHardwareCompatibilityLevels;
extern const Enumeration kProfilingVerbosities;
extern const Enumeration kNetworkFlags;

}  // namespace trtscope::abi
