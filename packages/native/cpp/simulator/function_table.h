#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "abi/layout.h"

namespace trtscope::simulator {

// That of the version which this library simulates.
const abi::Layout& layout();

// Names as in slot_list.h.
enum class Interface {
  kBuilder,
  kBuilderConfig,
  kNetwork,
  kTensor,
  kProfile,
  kHostMemory,
  kTimingCache,
  kParser,
  kParserError,
  kHandle
};

// What a virtual function is called on.
struct Callee {
  void* const* functions;
};

// A virtual function of the API: a member function, with `this` as an ordinary first argument.
template <auto kMember>
struct Entry;
template <class Self, class Result, class... Args, Result (Self::*kMember)(Args...)>
struct Entry<kMember> {
  static Result call(Callee* self, Args... args) noexcept { return (static_cast<Self*>(self)->*kMember)(args...); }
};

// Ends the process with a sentence that names the slot.
[[noreturn]] void refuseSlot(Interface interface, int slot) noexcept;

// A virtual table, made for one version. Each of its functions is of kInterface; those that nobody has put in end the
// process.
template <Interface kInterface>
class FunctionTable {
 public:
  FunctionTable() { refuseAll(std::make_index_sequence<kSlots>()); }

  // A version that lacks the function keeps the refusal.
  template <auto kMember>
  FunctionTable&& with(abi::Slot slot) && {
    return std::move(*this).put(slot, reinterpret_cast<void*>(&Entry<kMember>::call));
  }
  FunctionTable&& put(abi::Slot slot, void* function) && {
    if (layout().has(slot)) functions_[static_cast<std::size_t>(layout().slot(slot))] = function;
    return std::move(*this);
  }
  void* const* functions() const { return functions_.data(); }

 private:
  // More than the longest table of any version has.
  static constexpr std::size_t kSlots = 72;

  template <std::size_t... kSlot>
  void refuseAll(std::index_sequence<kSlot...>) {
    ((functions_[kSlot] = reinterpret_cast<void*>(&refuse<kSlot>)), ...);
  }
  template <std::size_t kSlot>
  [[noreturn]] static void refuse() noexcept {
    refuseSlot(kInterface, static_cast<int>(kSlot));
  }

  std::array<void*, kSlots> functions_;
};

}  // namespace trtscope::simulator
