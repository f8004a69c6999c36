#include "simulator/script_line.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace trtscope::simulator {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

[[noreturn]] void refuse(const char* wanted, std::string_view got) {
  throw std::invalid_argument(std::string(wanted) + " is wanted, not \"" + std::string(got) + "\"");
}

// The number at the beginning of `text`, of which it is cut.
template <class Number>
Number take(std::string_view& text, const char* wanted) {
  Number value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc()) refuse(wanted, text);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

ScriptLine::ScriptLine(std::string_view text) : rest_(trimmed(text)) {}

std::string ScriptLine::word(const char* what) {
  if (empty()) refuse(what, "");
  const std::size_t end = std::min(rest_.find_first_of(kBlank), rest_.size());
  return std::string(std::exchange(rest_, trimmed(rest_.substr(end))).substr(0, end));
}

bool ScriptLine::takes(std::string_view word) {
  if (!rest_.starts_with(word) || (rest_.size() > word.size() && kBlank.find(rest_[word.size()]) == kBlank.npos)) {
    return false;
  }
  rest_ = trimmed(rest_.substr(word.size()));
  return true;
}

std::int64_t ScriptLine::number(const char* what) {
  const std::string text = word(what);
  std::string_view digits = text;
  const auto value = take<std::int64_t>(digits, what);
  if (!digits.empty()) refuse(what, text);
  return value;
}

std::chrono::nanoseconds ScriptLine::duration() {
  constexpr const char* kWanted = "a number of milliseconds";
  const std::string text = word(kWanted);
  std::string_view digits = text;
  const auto milliseconds = take<double>(digits, kWanted);
  if (!digits.empty() || !(milliseconds >= 0) || milliseconds > 1e9) refuse(kWanted, text);
  return std::chrono::nanoseconds(static_cast<std::int64_t>(milliseconds * 1e6));
}

std::uint64_t ScriptLine::bytes() {
  constexpr const char* kWanted = "a number of bytes, such as 4096 or 64MiB,";
  const std::string text = word(kWanted);
  std::string_view unit = text;
  const auto count = take<std::uint64_t>(unit, kWanted);
  for (const auto& [name, shift] :
       {std::pair("", 0), std::pair("KiB", 10), std::pair("MiB", 20), std::pair("GiB", 30)}) {
    if (unit == name && count <= UINT64_MAX >> shift) return count << shift;
  }
  refuse(kWanted, text);
}

std::string ScriptLine::rest(const char* what) {
  if (empty()) refuse(what, "");
  return std::string(std::exchange(rest_, {}));
}

void ScriptLine::end() const {
  if (!empty()) refuse("nothing more", rest_);
}

}  // namespace trtscope::simulator
