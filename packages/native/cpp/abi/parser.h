#pragma once

#include <cstdint>

#include "abi/object.h"

namespace trtscope::abi {

struct ParserError {
  std::int32_t code;
  const char* description;  // never null, as the other texts; valid as long as the parser
  std::int32_t node;        // -1: none
  const char* nodeName;
  const char* nodeOperator;
};

// The ONNX parser, which puts a model into a network. Unlike the rest of the API its functions are in its own table.
class Parser : public OwnedObject {
 public:
  Parser(void* object, const Layout& layout) : OwnedObject(object, layout, Slot::kParserDelete) {}

  // `verbosity`: the least severe log line wanted, as TensorRT numbers severities.
  bool parseFile(const char* path, std::int32_t verbosity) const;
  std::int32_t errorCount() const;
  ParserError error(std::int32_t index) const;
};

}  // namespace trtscope::abi
