#include "hook/watch/function_tables.h"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>

#include "abi/object.h"
#include "hook/watch/forked.h"
#include "hook/watch/given_monitor.h"
#include "hook/watch/program_logger.h"
#include "hook/watch/session.h"

namespace trtscope::hook {
namespace {

// More than TensorRT's classes have of their own: what a derived class adds has to be there too. Where the library's
// memory ends before, there is no more to copy.
constexpr std::size_t kMaxFunctions = 128;
// The distance to the whole object and the type's description, which dynamic_cast reads.
constexpr std::size_t kBefore = 2;

struct Table {
  abi::Layout layout;
  std::string path;
  void** original;
  void* words[kBefore + kMaxFunctions];

  static const Table& of(void* object) {
    auto* const words = *static_cast<char**>(object) - kBefore * sizeof(void*);
    return *reinterpret_cast<Table*>(words - offsetof(Table, words));
  }
  void put(abi::Slot slot, void* function) {
    if (layout.has(slot)) words[kBefore + static_cast<std::size_t>(layout.slot(slot))] = function;
  }
};

std::size_t functionsFrom(void** table) {
  struct Search {
    ElfW(Addr) at;
    std::size_t count;
  } search{reinterpret_cast<ElfW(Addr)>(table), 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        for (const ElfW(Phdr)* part = info->dlpi_phdr; part != info->dlpi_phdr + info->dlpi_phnum; ++part) {
          const ElfW(Addr) start = info->dlpi_addr + part->p_vaddr;
          if (part->p_type != PT_LOAD || wanted.at < start || wanted.at >= start + part->p_memsz) continue;
          wanted.count = (start + part->p_memsz - wanted.at) / sizeof(void*);
          return 1;
        }
        return 0;
      },
      &search);
  return std::min(search.count, kMaxFunctions);
}

template <class Result, class... Args>
Result callOriginal(const Table& table, abi::Slot slot, void* self, Args... args) {
  return reinterpret_cast<Result (*)(void*, Args...)>(table.original[table.layout.slot(slot)])(self, args...);
}

// A program that has given TensorRT a monitor of ours is told of already.
std::shared_ptr<WatchedBuild> beginOrJoin(void* config, const Table& table) {
  void* const settings = static_cast<void**>(config)[1];
  const int getMonitor = table.layout.slot(abi::Slot::kConfigGetMonitor);
  auto watched = GivenMonitor::takeBuildOf(abi::callVirtual<abi::ProgressMonitor*>(settings, getMonitor));
  if (watched == nullptr) {
    if (const auto session = Session::ofThisProcess()) watched = session->begin();
  }
  if (watched != nullptr) watched->loaded(table.layout.editionName(), table.layout.versionText(), table.path);
  return watched;
}

// Runs a build function of the program's under watch. A fault of ours before it is one build that nobody watches.
template <class Result, class... Args>
Result build(abi::Slot slot, void* self, void* network, void* config, Args... args) noexcept {
  const Table& table = Table::of(self);
  std::shared_ptr<WatchedBuild> watched;
  try {
    if (config != nullptr) watched = beginOrJoin(config, table);
  } catch (...) {}
  Result result{};
  const auto call = [&] {
    result = callOriginal<Result, void*, void*, Args...>(table, slot, self, network, config, args...);
    return static_cast<bool>(result);
  };
  if (watched == nullptr) {
    call();
  } else {
    watched->run(config, table.layout, call);
    if (const auto session = Session::current()) session->awaitTold(*watched);
  }
  return result;
}

void* buildSerializedNetwork(void* self, void* network, void* config) noexcept {
  return build<void*>(abi::Slot::kBuilderBuild, self, network, config);
}
bool buildSerializedNetworkToStream(void* self, void* network, void* config, void* writer) noexcept {
  return build<bool>(abi::Slot::kBuilderBuildToStream, self, network, config, writer);
}
void* buildEngineWithConfig(void* self, void* network, void* config) noexcept {
  return build<void*>(abi::Slot::kBuilderBuildEngine, self, network, config);
}
void* buildSerializedNetworkWithKernelText(void* self, void* network, void* config, void** text) noexcept {
  return build<void*>(abi::Slot::kBuilderBuildWithText, self, network, config, text);
}

template <abi::Slot slot>
void* getLogger(void* self) noexcept {
  return ProgramLogger::original(callOriginal<void*>(Table::of(self), slot, self));
}

// One copy for each table, whatever objects have it. The library is never known to be gone, so it is kept for good.
template <class Change>
void replaceTable(void* handle, const abi::Layout& layout, const std::string& path, Change change) {
  static auto* const tables = new std::map<void**, Table*>;
  void* const object = static_cast<void**>(handle)[1];
  auto*& functions = *static_cast<void***>(object);
  const Locked lock;
  Table*& table = (*tables)[functions];
  if (table == nullptr) {
    const std::size_t count = functionsFrom(functions);
    if (count == 0) return;
    table = new Table{layout, path, functions, {}};
    std::copy_n(functions - kBefore, kBefore + count, table->words);
    change(*table);
  }
  functions = table->words + kBefore;
}

}  // namespace

void watchBuilder(void* builder, const abi::Layout& layout, const std::string& path) {
  replaceTable(builder, layout, path, [](Table& table) {
    table.put(abi::Slot::kBuilderBuild, reinterpret_cast<void*>(&buildSerializedNetwork));
    table.put(abi::Slot::kBuilderBuildToStream, reinterpret_cast<void*>(&buildSerializedNetworkToStream));
    table.put(abi::Slot::kBuilderBuildEngine, reinterpret_cast<void*>(&buildEngineWithConfig));
    table.put(abi::Slot::kBuilderBuildWithText, reinterpret_cast<void*>(&buildSerializedNetworkWithKernelText));
    table.put(abi::Slot::kBuilderLogger, reinterpret_cast<void*>(&getLogger<abi::Slot::kBuilderLogger>));
  });
}

void watchRuntime(void* runtime, const abi::Layout& layout) {
  replaceTable(runtime, layout, {}, [](Table& table) {
    table.put(abi::Slot::kRuntimeLogger, reinterpret_cast<void*>(&getLogger<abi::Slot::kRuntimeLogger>));
  });
}

void watchRefitter(void* refitter, const abi::Layout& layout) {
  replaceTable(refitter, layout, {}, [](Table& table) {
    table.put(abi::Slot::kRefitterLogger, reinterpret_cast<void*>(&getLogger<abi::Slot::kRefitterLogger>));
  });
}

}  // namespace trtscope::hook
