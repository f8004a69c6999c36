#pragma once

#include <memory>
#include <utility>

#include "simulator/function_table.h"

namespace trtscope::simulator {

// What the API hands out: {virtual table, implementation}. Its own table holds a destructor and nothing else.
struct Handle {
  void* const* destructors;
  Callee* implementation;
};

// An object that is its own implementation. Self::table() answers its functions; whoever gets the handle owns it.
template <class Self>
class Object : public Handle, public Callee {
 public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  void* handle() { return static_cast<Handle*>(this); }
  static Self& of(const void* handle) { return *static_cast<Self*>(static_cast<Handle*>(const_cast<void*>(handle))); }
  // An object of the caller's, as a factory of the API answers one.
  template <class... Args>
  static void* make(Args&&... args) {
    return std::make_unique<Self>(std::forward<Args>(args)...).release()->handle();
  }

 protected:
  Object() : Handle{destructorTable(), this}, Callee{Self::table()} {}
  ~Object() = default;

 private:
  static void destroy(Handle* handle) noexcept { const std::unique_ptr<Self> owner(static_cast<Self*>(handle)); }
  static void* const* destructorTable() {
    static const auto kTable =
        FunctionTable<Interface::kHandle>().put(abi::Slot::kObjectDelete, reinterpret_cast<void*>(&destroy));
    return kTable.functions();
  }
};

}  // namespace trtscope::simulator
