#include "engine/build_objects.h"

#include "engine/clause.h"

namespace trtscope {

bool BuildObjects::hasErrors() const { return recorder.count() > 0 || !logger.errors().empty(); }

std::string BuildObjects::reason() const {
  if (const auto error = recorder.first()) return clause(error->description);
  std::string words;
  for (const std::string& line : logger.errors()) words += (words.empty() ? "" : "; ") + clause(line);
  if (words.empty()) words = clause(logger.lastWarning());
  return words.empty() ? "it gave no reason" : words;
}

void BuildObjects::forgetErrors() noexcept {
  recorder.forget();
  logger.forget();
}

}  // namespace trtscope
