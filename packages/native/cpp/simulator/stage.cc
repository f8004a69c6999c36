#include "simulator/stage.h"

#include "simulator/function_table.h"

namespace trtscope::simulator {

void Log::operator()(std::int32_t severity, const std::string& words) const {
  if (layout().loggerIsVersioned()) {
    static_cast<abi::VersionedLogger*>(logger_)->log(severity, words.c_str());
  } else {
    static_cast<abi::UnversionedLogger*>(logger_)->log(severity, words.c_str());
  }
}

void Stage::report(const Failure& theFailure) const {
  if (theFailure.code < 0) return;
  if (recorder == nullptr) return log(kError, theFailure.words);
  recorder->reportError(theFailure.code, theFailure.words.c_str());
}

void Stage::stop(const Failure& theFailure) {
  const std::lock_guard lock(mutex);
  if (!failure) failure = theFailure;
  stopped.store(true, std::memory_order_release);
}

void Stage::throwIfStopped() {
  if (!stopped.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(mutex);
  throw Failure(*failure);
}

void Stage::tellAnswers() const {
  log(kInfo, "simulator: " + std::to_string(answers) + " answers, " + std::to_string(answersOfNo) + " of them no, " +
                 std::to_string(lateAnswersOfYes) + " yes after a no");
}

}  // namespace trtscope::simulator
