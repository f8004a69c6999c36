#include <cstdint>
#include <optional>
#include <string>

#include "abi/layout.h"
#include "hook/hook_interface.h"
#include "hook/watch/function_tables.h"
#include "hook/watch/program_logger.h"
#include "hook/watch/session.h"

namespace trtscope::hook {
namespace {

using Create = void* (*)(void* logger, std::int32_t version);
using CreateRefitter = void* (*)(void* engine, void* logger, std::int32_t version);

std::optional<abi::Layout> layoutOf(const TrtscopeLibrary& library) {
  if (library.version == nullptr) return std::nullopt;
  return abi::Layout::of(library.version(), library.isSimulator ? abi::Maker::kSimulator : abi::Maker::kNvidia);
}

void pass(const char* sentence) noexcept {
  try {
    if (const auto session = Session::ofThisProcess()) session->notice(sentence);
  } catch (...) {}
}

void passUnknown(const TrtscopeLibrary& library) {
  const std::string version = library.version == nullptr ? "of no version" : abi::versionText(library.version());
  pass((std::string(library.path) + " is " + version + ", which is not watched. Supported are " +
        abi::Layout::supported() + ".")
           .c_str());
}

void* createBuilder(const TrtscopeLibrary* library, void* logger, std::int32_t version) noexcept {
  const auto create = reinterpret_cast<Create>(library->create);
  try {
    const auto session = Session::ofThisProcess();
    const auto layout = layoutOf(*library);
    if (session != nullptr && !layout) passUnknown(*library);
    if (session == nullptr || !layout) return create(ProgramLogger::known(logger), version);
    void* const builder = create(ProgramLogger::standIn(logger, *layout), version);
    if (builder != nullptr) watchBuilder(builder, *layout, library->path);
    return builder;
  } catch (...) {
    return create(logger, version);
  }
}

void* createRuntime(const TrtscopeLibrary* library, void* logger, std::int32_t version) noexcept {
  const auto create = reinterpret_cast<Create>(library->create);
  try {
    const auto layout = layoutOf(*library);
    if (!layout) return create(logger, version);
    void* const runtime = create(ProgramLogger::standIn(logger, *layout), version);
    if (runtime != nullptr) watchRuntime(runtime, *layout);
    return runtime;
  } catch (...) {
    return create(logger, version);
  }
}

void* createRefitter(const TrtscopeLibrary* library, void* engine, void* logger, std::int32_t version) noexcept {
  const auto create = reinterpret_cast<CreateRefitter>(library->create);
  try {
    const auto layout = layoutOf(*library);
    if (!layout) return create(engine, logger, version);
    void* const refitter = create(engine, ProgramLogger::standIn(logger, *layout), version);
    if (refitter != nullptr) watchRefitter(refitter, *layout);
    return refitter;
  } catch (...) {
    return create(engine, logger, version);
  }
}

constexpr TrtscopeWatcher kWatcher = {createBuilder, createRuntime, createRefitter, pass};

}  // namespace
}  // namespace trtscope::hook

extern "C" __attribute__((visibility("default"))) const TrtscopeWatcher* trtscopeWatcher() {
  return &trtscope::hook::kWatcher;
}
