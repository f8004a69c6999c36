#include "engine/device.h"

#include <dlfcn.h>

#include <string>

#include "engine/build_failure.h"

namespace trtscope {
namespace {

// The few functions of the driver API, in C: CUresult is an enum (0 is success), CUdevice an int, CUcontext a pointer.
struct Driver {
  int (*init)(unsigned flags) = nullptr;
  int (*getCount)(int* count) = nullptr;
  int (*get)(int* device, int index) = nullptr;
  int (*retainPrimary)(void** context, int device) = nullptr;
  int (*setCurrent)(void* context) = nullptr;

  // The library stays loaded: TensorRT uses it too.
  static Driver load() {
    Driver driver;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return driver;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    };
    find(driver.init, "cuInit");
    find(driver.getCount, "cuDeviceGetCount");
    find(driver.get, "cuDeviceGet");
    find(driver.retainPrimary, "cuDevicePrimaryCtxRetain");
    find(driver.setCurrent, "cuCtxSetCurrent");
    return driver;
  }

  int count() const {
    int devices = 0;
    if (init == nullptr || getCount == nullptr || init(0) != 0 || getCount(&devices) != 0) return 0;
    return devices;
  }
};

}  // namespace

std::int32_t deviceCount() { return Driver::load().count(); }

void useDevice(std::int32_t index) {
  const Driver driver = Driver::load();
  const int count = driver.count();
  const std::string wanted = "There is no device " + std::to_string(index) + ": ";
  if (count == 0) {
    throw BuildFailure("DEVICE_UNAVAILABLE",
                       wanted + "no GPU or no NVIDIA driver (libcuda.so.1) was found. Leave `device` out.");
  }
  if (index < 0 || index >= count) {
    throw BuildFailure("DEVICE_UNAVAILABLE",
                       wanted + "this machine has devices 0 to " + std::to_string(count - 1) + ".");
  }
  int device = 0;
  void* context = nullptr;
  const bool current = driver.get != nullptr && driver.retainPrimary != nullptr && driver.setCurrent != nullptr &&
                       driver.get(&device, index) == 0 && driver.retainPrimary(&context, device) == 0 &&
                       driver.setCurrent(context) == 0;
  if (!current) {
    throw BuildFailure("DEVICE_UNAVAILABLE", "The NVIDIA driver does not let this process use device " +
                                                 std::to_string(index) + ". See what `nvidia-smi` says of it.");
  }
}

}  // namespace trtscope
