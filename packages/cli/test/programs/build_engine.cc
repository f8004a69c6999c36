// Builds an engine as somebody else's program does, which knows nothing of trtscope:
//
//   build_engine LIBRARY PARSER MODEL ENGINE [WORD…]      linked with TensorRT it has no LIBRARY and PARSER
//
// Words: stream, engine or text: by that build function; monitor: with a monitor of its own; twice: two builds, one
// after the other; logger: says whether the builder has the logger that it was given; parent=VALUE: with this
// TRACEPARENT of its own; as=NUMBER: the layout of that version, whatever the library tells.
#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "abi/builder.h"
#include "abi/parser.h"

extern "C" {
std::int32_t getInferLibVersion();
void* createInferBuilder_INTERNAL(void* logger, std::int32_t version);
void* createNvOnnxParser_INTERNAL(void* network, void* logger, int version);
}

namespace {

using namespace trtscope::abi;

constexpr std::int32_t kWarning = 2;

struct TensorRt {
  decltype(&getInferLibVersion) version;
  decltype(&createInferBuilder_INTERNAL) createBuilder;
  decltype(&createNvOnnxParser_INTERNAL) createParser;
};

#ifdef TRTSCOPE_LINKED
TensorRt tensorrt(std::vector<std::string>&) {
  return {getInferLibVersion, createInferBuilder_INTERNAL, createNvOnnxParser_INTERNAL};
}
#else
template <class Function>
void find(const std::string& path, const char* name, Function& function) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr || (function = reinterpret_cast<Function>(dlsym(library, name))) == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(2);
  }
}

TensorRt tensorrt(std::vector<std::string>& words) {
  TensorRt found{};
  find(words.at(0), "getInferLibVersion", found.version);
  find(words.at(0), "createInferBuilder_INTERNAL", found.createBuilder);
  find(words.at(1), "createNvOnnxParser_INTERNAL", found.createParser);
  words.erase(words.begin(), words.begin() + 2);
  return found;
}
#endif

template <class Interface>
struct Logger final : Interface {
  void log(std::int32_t severity, const char* message) noexcept override {
    if (severity <= kWarning) std::fprintf(stderr, "[%d] %s\n", severity, message);
  }
};

struct Monitor final : ProgressMonitor {
  void phaseStart(const char*, const char*, std::int32_t) noexcept override { ++calls; }
  bool stepComplete(const char*, std::int32_t) noexcept override { return ++calls > 0; }
  void phaseFinish(const char*) noexcept override { ++calls; }
  std::atomic<long> calls{0};
};

struct Writer final : StreamWriter {
  std::int64_t write(const void* data, std::int64_t count) override {
    bytes.append(static_cast<const char*>(data), static_cast<std::size_t>(count));
    return count;
  }
  std::string bytes;
};

bool given(const std::vector<std::string>& words, const std::string& word, std::string* value = nullptr) {
  for (const std::string& each : words) {
    if (each == word) return true;
    if (value == nullptr || each.rfind(word + "=", 0) != 0) continue;
    *value = each.substr(word.size() + 1);
    return true;
  }
  return false;
}

// "" for none.
std::string build(const Builder& builder, const Network& network, const BuilderConfig& config,
                  const std::vector<std::string>& words) {
  void* const implementation = static_cast<void**>(builder.get())[1];
  const Layout& layout = builder.layout();
  const auto bytesOf = [&](void* memory) {
    const HostMemory owner(memory, layout);
    return owner ? std::string(owner.bytes()) : "";
  };
  if (given(words, "stream")) {
    Writer writer;
    const int slot = layout.slot(Slot::kBuilderBuildToStream);
    const bool built =
        callVirtual<bool, void*, void*, StreamWriter*>(implementation, slot, network.get(), config.get(), &writer);
    return built ? writer.bytes : "";
  }
  if (given(words, "engine")) {
    const int slot = layout.slot(Slot::kBuilderBuildEngine);
    return bytesOf(callVirtual<void*, void*, void*>(implementation, slot, network.get(), config.get()));
  }
  if (given(words, "text")) {
    void* text = nullptr;
    const int slot = layout.slot(Slot::kBuilderBuildWithText);
    std::string engine =
        bytesOf(callVirtual<void*, void*, void*, void**>(implementation, slot, network.get(), config.get(), &text));
    return text == nullptr ? "" : engine + bytesOf(text);
  }
  const HostMemory engine = builder.build(network, config);
  return engine ? std::string(engine.bytes()) : "";
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const TensorRt functions = tensorrt(words);
  std::string as = std::to_string(functions.version());
  std::string parent;
  given(words, "as", &as);
  if (given(words, "parent", &parent)) setenv("TRACEPARENT", parent.c_str(), 1);
  const auto layout = Layout::of(std::stoi(as));
  if (!layout) return 2;
  Logger<UnversionedLogger> unversioned;
  Logger<VersionedLogger> versioned;
  void* const logger = layout->loggerIsVersioned() ? static_cast<void*>(static_cast<VersionedLogger*>(&versioned))
                                                   : static_cast<UnversionedLogger*>(&unversioned);
  Monitor monitor;
  const Builder builder(functions.createBuilder(logger, functions.version()), *layout);
  if (!builder) return 3;
  const Network network = builder.createNetwork(0);
  const Parser parser(functions.createParser(network.get(), logger, 200), *layout);
  if (!parser.parseFile(words.at(0).c_str(), kWarning)) return 4;
  const BuilderConfig config = builder.createConfig();
  if (layout->has(Slot::kConfigSetCapability)) {
    config.setCapabilityCount(1);
    config.setCapability(86, 0);
  }
  if (given(words, "monitor")) config.setProgressMonitor(&monitor);
  std::string engine;
  for (int builds = given(words, "twice") ? 2 : 1; builds > 0; --builds) {
    engine = build(builder, network, config, words);
    if (engine.empty()) break;
  }
  std::ofstream(words.at(1), std::ios::binary) << engine;
  std::printf("%zu bytes, %ld callbacks\n", engine.size(), monitor.calls.load());
  if (given(words, "logger")) {
    void* const implementation = static_cast<void**>(builder.get())[1];
    const bool same = callVirtual<void*>(implementation, layout->slot(Slot::kBuilderLogger)) == logger;
    std::puts(same ? "the same logger" : "another logger");
  }
  return engine.empty() ? 1 : 0;
}
