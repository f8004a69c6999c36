#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "simulator/function_table.h"
#include "simulator/network.h"
#include "simulator/stage.h"

namespace trtscope::simulator {

class ParserError final : public Callee {
 public:
  explicit ParserError(Refusal refusal) : Callee{table()}, refusal_(std::move(refusal)) {}

 private:
  static void* const* table();
  std::int32_t code() { return refusal_.code; }
  const char* desc() { return refusal_.words.c_str(); }
  std::int32_t node() { return refusal_.node; }
  const char* nodeName() { return refusal_.nodeName.c_str(); }
  const char* nodeOperator() { return refusal_.nodeOperator.c_str(); }

  Refusal refusal_;
};

// Puts a script into a network. Unlike the rest of the API it has its functions in its own table.
class Parser final : public Callee {
 public:
  Parser(Network& network, void* logger) : Callee{table()}, network_(network), log_(logger) {}

 private:
  static void* const* table();
  static void destroy(Callee* self) noexcept;
  bool parseFromFile(const char* path, int verbosity);
  int getNbErrors() { return static_cast<int>(errors_.size()); }
  void* getError(int index) { return static_cast<Callee*>(&errors_.at(static_cast<std::size_t>(index))); }
  void refuse(const Refusal& refusal);

  Network& network_;
  const Log log_;
  std::deque<ParserError> errors_;
};

}  // namespace trtscope::simulator
