#include "abi/parser.h"

namespace trtscope::abi {

bool Parser::parseFile(const char* path, std::int32_t verbosity) const {
  return callVirtual<bool, const char*, int>(get(), layout().slot(Slot::kParserParseFile), path, verbosity);
}

std::int32_t Parser::errorCount() const { return callVirtual<int>(get(), layout().slot(Slot::kParserErrorCount)); }

ParserError Parser::error(std::int32_t index) const {
  void* error = callVirtual<void*, int>(get(), layout().slot(Slot::kParserError), index);
  const auto number = [&](Slot slot) { return callVirtual<std::int32_t>(error, layout().slot(slot)); };
  const auto text = [&](Slot slot) {
    const char* words = callVirtual<const char*>(error, layout().slot(slot));
    return words == nullptr ? "" : words;
  };
  return {number(Slot::kParserErrorCode), text(Slot::kParserErrorText), number(Slot::kParserErrorNode),
          text(Slot::kParserErrorNodeName), text(Slot::kParserErrorOperator)};
}

}  // namespace trtscope::abi
