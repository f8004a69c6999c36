#pragma once

#include <string>
#include <variant>

#include "abi/builder.h"
#include "abi/parser.h"

namespace trtscope::abi {

// Why there is no library: a code of packages/core/src/errors.ts and a sentence.
struct LoadFailure {
  std::string code;
  std::string message;
};

// TensorRT's library and its ONNX parser, loaded for the rest of the process's life. Safe on any thread.
class Library {
 public:
  static std::variant<Library, LoadFailure> load(const std::string& libraryPath, const std::string& parserPath);

  const Layout& layout() const { return layout_; }

  // `logger` is a logger of interfaces.h as this layout wants it, and must outlive what is made. No object: the log
  // says why.
  Builder createBuilder(void* logger) const;
  Parser createParser(const Network& network, void* logger) const;

 private:
  using CreateBuilder = void* (*)(void* logger, std::int32_t version);
  using CreateParser = void* (*)(void* network, void* logger, int version);

  Library(Layout layout, std::int32_t version, CreateBuilder makeBuilder, CreateParser makeParser)
      : layout_(layout), version_(version), createBuilder_(makeBuilder), createParser_(makeParser) {}

  Layout layout_;
  std::int32_t version_;
  CreateBuilder createBuilder_;
  CreateParser createParser_;
};

// Loads a plugin library, which registers its plugins with the TensorRT that is loaded. Answers what went wrong, or "".
std::string loadPlugins(const std::string& path);

}  // namespace trtscope::abi
