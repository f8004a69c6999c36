#include "abi/library.h"

#include <dlfcn.h>
#include <elf.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace trtscope::abi {
namespace {

#if defined(__aarch64__)
constexpr unsigned kOwnMachine = EM_AARCH64;
#else
constexpr unsigned kOwnMachine = EM_X86_64;
#endif

std::string machineName(unsigned machine) {
  if (machine == EM_X86_64) return "x86-64";
  if (machine == EM_AARCH64) return "aarch64";
  return "machine " + std::to_string(machine);
}

// What speaks against loading the file, from its first bytes: dlopen's words for these cases help nobody.
LoadFailure inspect(const std::string& path, const char* what) {
  if (path.empty()) {
    return {"TENSORRT_MISSING", std::string("No path of ") + what + " was given. Run `trtscope setup`, or name one."};
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return {"TENSORRT_MISSING", std::string("Cannot open ") + what + " " + path + ": " + std::strerror(errno) +
                                    ". Run `trtscope setup`, or name another."};
  }
  Elf64_Ehdr head{};
  file.read(reinterpret_cast<char*>(&head), sizeof(head));
  if (!file || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) {
    return {"TENSORRT_UNLOADABLE", path + " is not a shared library (no ELF file). Name " + what + "."};
  }
  if (head.e_machine != kOwnMachine || head.e_ident[EI_CLASS] != ELFCLASS64) {
    return {"TENSORRT_UNLOADABLE", path + " is built for " + machineName(head.e_machine) +
                                       ", and this program is for " + machineName(kOwnMachine) +
                                       ". Name one for this machine."};
  }
  // The section headers are the last thing in it. A download that was cut short would be a SIGBUS in dlopen.
  file.seekg(0, std::ios::end);
  if (static_cast<std::uint64_t>(file.tellg()) < head.e_shoff) {
    return {"TENSORRT_UNLOADABLE", path + " is cut short. Install it again."};
  }
  return {};
}

// The library's handle, or null and why. RTLD_LOCAL: a program that has TensorRT of its own keeps it.
void* open(const std::string& path, const char* what, LoadFailure& failure) {
  failure = inspect(path, what);
  if (!failure.code.empty()) return nullptr;
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) failure = {"TENSORRT_UNLOADABLE", std::string("Cannot load ") + what + ": " + dlerror() + "."};
  return handle;
}

template <class Function>
bool find(void* handle, const char* name, const std::string& path, const char* what, Function& function,
          LoadFailure& failure) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  if (function == nullptr) failure = {"TENSORRT_UNLOADABLE", path + " is not " + what + ": it has no " + name + "."};
  return function != nullptr;
}

constexpr const char* kLibrary = "TensorRT's library";
constexpr const char* kParser = "TensorRT's ONNX parser";

}  // namespace

std::variant<Library, LoadFailure> Library::load(const std::string& libraryPath, const std::string& parserPath) {
  LoadFailure failure;
  std::int32_t (*libraryVersion)() = nullptr;
  CreateBuilder createBuilder = nullptr;
  CreateParser createParser = nullptr;

  void* library = open(libraryPath, kLibrary, failure);
  if (library == nullptr) return failure;
  if (!find(library, "getInferLibVersion", libraryPath, kLibrary, libraryVersion, failure)) return failure;
  const std::int32_t version = libraryVersion();
  const bool simulates = dlsym(library, "trtscopeSimulator") != nullptr;
  const std::optional<Layout> layout = Layout::of(version, simulates ? Maker::kSimulator : Maker::kNvidia);
  if (!layout) {
    return LoadFailure{"TENSORRT_UNSUPPORTED", libraryPath + " is version " + versionText(version) +
                                                   ". Supported are " + Layout::supported() + "."};
  }
  if (!find(library, "createInferBuilder_INTERNAL", libraryPath, kLibrary, createBuilder, failure)) return failure;
  // Second: it finds the library, by its soname, only where that is loaded already.
  void* parser = open(parserPath, kParser, failure);
  if (parser == nullptr) return failure;
  if (!find(parser, "createNvOnnxParser_INTERNAL", parserPath, kParser, createParser, failure)) return failure;
  return Library(*layout, version, createBuilder, createParser);
}

Builder Library::createBuilder(void* logger) const { return {createBuilder_(logger, version_), layout_}; }

Parser Library::createParser(const Network& network, void* logger) const {
  // The version that the headers of all supported versions pass; the parser does not look at it.
  return {createParser_(network.get(), logger, 200), layout_};
}

std::string loadPlugins(const std::string& path) {
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr ? dlerror() : "";
}

}  // namespace trtscope::abi
