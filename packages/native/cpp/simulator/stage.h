#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "abi/interfaces.h"

namespace trtscope::simulator {

// Ends a parse or a build without success. TensorRT's code; below 0 nobody is told one.
struct Failure {
  std::int32_t code;
  std::string words;
};

// The program's logger, in the form that this version's programs give it.
class Log {
 public:
  explicit Log(void* logger) : logger_(logger) {}
  void operator()(std::int32_t severity, const std::string& words) const;
  void* logger() const { return logger_; }

 private:
  void* logger_;
};

constexpr std::int32_t kError = 1;
constexpr std::int32_t kInfo = 3;

// What the parser says of a model that it does not take.
struct Refusal {
  std::int32_t code;
  std::string words;
  std::int32_t node = -1;
  std::string nodeOperator;
  std::string nodeName;
};

// What all threads of one parse or one build share.
struct Stage {
  explicit Stage(Log theLog) : log(theLog) {}

  // By the recorder, or by the log of a program that has given none.
  void report(const Failure& failure) const;
  // The first failure stops every thread at its next callback.
  void stop(const Failure& failure);
  void throwIfStopped();
  // Logs how the monitor has answered.
  void tellAnswers() const;

  const Log log;
  abi::ProgressMonitor* monitor = nullptr;
  abi::ErrorRecorder* recorder = nullptr;
  // What the program has set, as "setFlag 4".
  std::vector<std::string> calls;

  // What the parser has to say: of this node, these things.
  Refusal node{};
  std::vector<Refusal> refusals;

  // How many more answers of no are to change nothing.
  std::atomic<std::int64_t> ignored{0};
  // The monitor's answers. One of yes counts as late when another thread's no had been given before it was asked for.
  std::atomic<std::int64_t> answers{0};
  std::atomic<std::int64_t> answersOfNo{0};
  std::atomic<std::int64_t> lateAnswersOfYes{0};

  std::mutex mutex;  // guards all below
  std::optional<Failure> failure;
  struct Unmap {
    std::size_t bytes;
    void operator()(void* memory) const noexcept { munmap(memory, bytes); }
  };
  std::vector<std::unique_ptr<void, Unmap>> memory;
  std::atomic<bool> stopped{false};
};

}  // namespace trtscope::simulator
