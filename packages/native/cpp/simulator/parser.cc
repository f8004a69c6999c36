#include "simulator/parser.h"

#include <memory>
#include <stdexcept>

namespace trtscope::simulator {
namespace {
constexpr std::int32_t kNoWholeFile = 3;
}

void* const* ParserError::table() {
  static const auto kTable = FunctionTable<Interface::kParserError>()
                                 .with<&ParserError::code>(abi::Slot::kParserErrorCode)
                                 .with<&ParserError::desc>(abi::Slot::kParserErrorText)
                                 .with<&ParserError::node>(abi::Slot::kParserErrorNode)
                                 .with<&ParserError::nodeName>(abi::Slot::kParserErrorNodeName)
                                 .with<&ParserError::nodeOperator>(abi::Slot::kParserErrorOperator);
  return kTable.functions();
}

void* const* Parser::table() {
  static const auto kTable = FunctionTable<Interface::kParser>()
                                 .with<&Parser::parseFromFile>(abi::Slot::kParserParseFile)
                                 .with<&Parser::getNbErrors>(abi::Slot::kParserErrorCount)
                                 .with<&Parser::getError>(abi::Slot::kParserError)
                                 .put(abi::Slot::kParserDelete, reinterpret_cast<void*>(&destroy));
  return kTable.functions();
}

void Parser::destroy(Callee* self) noexcept { const std::unique_ptr<Parser> owner(static_cast<Parser*>(self)); }

bool Parser::parseFromFile(const char* path, int) {
  Stage stage(log_);
  try {
    const auto script = std::make_shared<const Script>(Script::read(path));
    Actor(stage).perform(script->parsing);
    network_.hold(script);
  } catch (const std::invalid_argument& fault) {
    refuse({kNoWholeFile, fault.what()});
  } catch (const Failure& failure) {
    refuse({failure.code, failure.words});
  }
  for (const Refusal& refusal : stage.refusals) refuse(refusal);
  return errors_.empty();
}

void Parser::refuse(const Refusal& refusal) {
  log_(kError, refusal.words);
  errors_.emplace_back(refusal);
}

}  // namespace trtscope::simulator
