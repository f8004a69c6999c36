#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "abi/enums.h"
#include "engine/build_failure.h"
#include "engine/build_objects.h"
#include "engine/clause.h"

namespace trtscope {
namespace {

constexpr std::int32_t kMaxSpoken = 8;

// What the parser's codes say, since its descriptions may be no more than "false".
constexpr std::array<const char*, 15> kMeanings = {
    "no error",
    "an internal error",
    "out of memory",
    "no whole ONNX file",
    "an invalid value",
    "an invalid graph",
    "an unknown or invalid operator",
    "an unsupported graph",
    "an unsupported operator",
    "an unsupported attribute",
    "an unsupported input",
    "an unsupported data type",
    "an unsupported dynamic shape",
    "an unsupported shape",
    "a refit that failed",
};

bool isUseful(std::string_view description) { return description.find(' ') != std::string_view::npos; }

std::string spoken(const abi::ParserError& error) {
  std::string words;
  if (error.node >= 0) {
    words = "node " + std::to_string(error.node);
    if (*error.nodeName != '\0') words += std::string(" \"") + error.nodeName + "\"";
    if (*error.nodeOperator != '\0') words += std::string(" (") + error.nodeOperator + ")";
    words += ": ";
  }
  const auto code = static_cast<std::size_t>(error.code);
  words +=
      (code < kMeanings.size() ? kMeanings[code] : "an error") + std::string(" (code ") + std::to_string(code) + ")";
  return isUseful(error.description) ? words + ": " + clause(error.description) : words;
}

// What the parser told its log and not its errors, such as the file of missing weights: without the place in its source
// code, without its frames around a node.
std::string spokenLog(const abi::Parser& parser, const LoggerAdaptor& logger) {
  std::string words;
  for (std::string line : logger.errors()) {
    line = clause(line);
    const std::size_t place = line.find(".cpp:");
    const std::size_t end = place == std::string::npos ? place : line.find(": ", place);
    if (end != std::string::npos) line.erase(0, end + 2);
    bool known = line.starts_with("---");
    for (std::int32_t i = 0; i < parser.errorCount(); ++i) {
      const char* description = parser.error(i).description;
      known = known || (isUseful(description) && line.find(clause(description)) != std::string::npos);
    }
    if (!known) words += (words.empty() ? "" : "; ") + line;
  }
  return words;
}

[[noreturn]] void fail(const std::string& model, const abi::Parser& parser, const LoggerAdaptor& logger) {
  std::string words;
  const std::int32_t count = parser.errorCount();
  for (std::int32_t i = 0; i < std::min(count, kMaxSpoken); ++i)
    words += (i == 0 ? "" : "; ") + spoken(parser.error(i));
  if (count > kMaxSpoken) words += "; and " + std::to_string(count - kMaxSpoken) + " more";
  const std::string log = spokenLog(parser, logger);
  if (!log.empty()) words += std::string(words.empty() ? "" : "; ") + "its log says: " + log;
  throw BuildFailure("PARSE_FAILED",
                     "TensorRT cannot parse " + model + ": " + (words.empty() ? "it gave no reason" : words) + ".");
}

}  // namespace

void parseModel(BuildObjects& objects) {
  const BuildRequest& request = objects.request;
  const abi::Layout& layout = objects.library->layout();
  const auto made = [&](const auto& object, const char* what) -> const auto& {
    if (object) return object;
    throw BuildFailure("BUILD_FAILED", layout.title() + " made no " + what + ": " + objects.reason() + ".");
  };
  const std::uint32_t flags = request.stronglyTyped ? 1U << *abi::kNetworkFlags.value("STRONGLY_TYPED", layout) : 0U;
  const abi::Network& network = made(objects.network.emplace(objects.builder->createNetwork(flags)), "network");
  void* logger = LoggerAdaptor::forLayout(layout);
  const abi::Parser& parser = made(objects.parser.emplace(objects.library->createParser(network, logger)), "parser");

  if (!parser.parseFile(request.model.c_str(), request.logSeverity)) fail(request.model, parser, objects.logger);
  // Nearly any bytes are an empty protobuf message: an empty file or a text parse without an error.
  if (network.layerCount() == 0 || network.outputCount() == 0) {
    throw BuildFailure("MODEL_INVALID", request.model + " holds no network (" + std::to_string(network.layerCount()) +
                                            " layers, " + std::to_string(network.outputCount()) +
                                            " outputs). Is it a whole ONNX file?");
  }
}

}  // namespace trtscope
