#pragma once

#include <memory>

#include "abi/layout.h"

namespace trtscope::abi {

// Calls a virtual function of an object whose class we do not know. `Args` must be exactly the types that TensorRT
// declares, references as pointers: nothing converts them.
template <class Result, class... Args>
Result callVirtual(void* object, int slot, Args... args) noexcept {
  void** table = *static_cast<void***>(object);
  return reinterpret_cast<Result (*)(void*, Args...)>(table[slot])(object, args...);
}

// A reference to an object of TensorRT's API. The layout must outlive it.
class Object {
 public:
  Object(void* object, const Layout& layout) : object_(object), layout_(&layout) {}

  // False when TensorRT answered no object.
  explicit operator bool() const { return object_ != nullptr; }
  void* get() const { return object_; }
  const Layout& layout() const { return *layout_; }

 protected:
  // An object is {vptr, implementation}: its functions are in the implementation's virtual table, its destructor in its
  // own.
  template <class Result, class... Args>
  Result call(Slot slot, Args... args) const noexcept {
    return callVirtual<Result>(static_cast<void**>(object_)[1], layout_->slot(slot), args...);
  }

 private:
  void* object_;
  const Layout* layout_;
};

// One that ends with its owner.
class OwnedObject : public Object {
 public:
  OwnedObject(void* object, const Layout& layout, Slot destructor = Slot::kObjectDelete)
      : Object(object, layout), owner_(object, Delete{layout.slot(destructor)}) {}

 private:
  struct Delete {
    int slot;
    void operator()(void* object) const noexcept { callVirtual<void>(object, slot); }
  };
  std::unique_ptr<void, Delete> owner_;
};

}  // namespace trtscope::abi
