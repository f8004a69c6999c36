#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace trtscope::simulator {

// One line of a script, taken word by word. What is not as it should be throws std::invalid_argument with a clause that
// says what was wanted.
class ScriptLine {
 public:
  explicit ScriptLine(std::string_view text);

  // Whether nothing is left.
  bool empty() const { return rest_.empty(); }
  std::string word(const char* what);
  // Takes the next word when it is this one.
  bool takes(std::string_view word);
  std::int64_t number(const char* what);
  // "20", "0.5": milliseconds.
  std::chrono::nanoseconds duration();
  // "4096", "64MiB".
  std::uint64_t bytes();
  // All that is left, which may not be nothing.
  std::string rest(const char* what);
  // Nothing may be left.
  void end() const;

 private:
  std::string_view rest_;
};

}  // namespace trtscope::simulator
