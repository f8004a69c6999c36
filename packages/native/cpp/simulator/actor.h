#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/stage.h"

namespace trtscope::simulator {

class Actor;

// A line of a script, to be done.
using Deed = std::function<void(Actor&)>;

// One thread that goes through a script, with the phases that it has opened. What ends the script early is thrown as
// Failure.
class Actor {
 public:
  explicit Actor(Stage& stage) : stage_(&stage) {}
  // The thread of that number in a block of threads, for which the phases of the thread around the block are open too.
  Actor(const Actor& outer, std::int64_t number);

  // Does it all, and finishes its phases, as TensorRT does after a failure too.
  void perform(const std::vector<Deed>& deeds);

  Stage& stage() const { return *stage_; }

  // Without a parent's name it is the innermost open phase. "{thread}" in a name is this thread's number.
  void open(std::int32_t steps, const std::string& name, const std::optional<std::string>& parent);
  // The phase is the innermost one when it is not named; its steps go on where they were unless `from` is given.
  struct Steps {
    std::int64_t count = 1;
    std::chrono::nanoseconds every{0};
    std::optional<std::int64_t> from;
    std::string phase;
  };
  void step(const Steps& steps);
  void finish(const std::string& name);
  // Runs the block on so many threads at once, and waits for them.
  void fork(std::int64_t threads, const std::vector<Deed>& block);
  // Takes memory, a piece at a time, and keeps it until the parse or build has ended.
  void grow(std::uint64_t bytes, std::chrono::nanoseconds over);

 private:
  struct Phase {
    std::string name;
    std::shared_ptr<std::atomic<std::int64_t>> nextStep;
  };

  Phase* find(const std::string& name);
  std::string named(const std::string& name) const;
  void ask(const std::string& phase, std::int32_t step);

  Stage* stage_;
  std::string number_;
  std::vector<Phase> open_;
  std::size_t outer_ = 0;  // so many of them are not its own
};

}  // namespace trtscope::simulator
