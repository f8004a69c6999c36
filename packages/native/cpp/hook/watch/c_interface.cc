#include <memory>
#include <string>

#include "hook/watch/given_monitor.h"
#include "trtscope.h"

namespace trtscope::hook {
namespace {

// The pointer is that of the interface: what TensorRT calls.
GivenMonitor* given(const trtscope_monitor* monitor) noexcept {
  auto* const interface = reinterpret_cast<abi::ProgressMonitor*>(const_cast<trtscope_monitor*>(monitor));
  return static_cast<GivenMonitor*>(interface);
}

std::string textOf(const char* text) { return text == nullptr ? "" : text; }

// Memory may be short; the program is not to notice.
template <class Call>
void quietly(trtscope_monitor* monitor, Call call) noexcept {
  if (monitor == nullptr) return;
  try {
    call(*given(monitor));
  } catch (...) {}
}

}  // namespace
}  // namespace trtscope::hook

using namespace trtscope::hook;

trtscope_monitor* trtscope_monitor_create(const char* edition, const char* version) {
  try {
    auto monitor = std::make_unique<GivenMonitor>();
    const std::string name = textOf(edition);
    const bool isKnown = name == "tensorrt" || name == "tensorrt_rtx";
    if (isKnown && version != nullptr) monitor->loaded(name, version);
    trtscope::abi::ProgressMonitor* const interface = monitor.release();
    return reinterpret_cast<trtscope_monitor*>(interface);
  } catch (...) {
    return nullptr;
  }
}

void trtscope_monitor_finish(trtscope_monitor* monitor, int built, const char* message) {
  quietly(monitor, [&](GivenMonitor& own) { own.finish(built != 0, textOf(message)); });
}

void trtscope_cancel(trtscope_monitor* monitor, const char* reason) {
  quietly(monitor, [&](GivenMonitor& own) { own.cancel(textOf(reason)); });
}

int trtscope_cancelled(const trtscope_monitor* monitor) {
  return monitor != nullptr && given(monitor)->isCancelled() ? 1 : 0;
}

void trtscope_monitor_destroy(trtscope_monitor* monitor) {
  if (monitor != nullptr) delete given(monitor);
}
