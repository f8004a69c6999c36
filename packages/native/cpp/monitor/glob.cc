#include "monitor/glob.h"

namespace trtscope {
namespace {

// Where the character after the one at `at` begins.
std::size_t afterCharacter(std::string_view text, std::size_t at) noexcept {
  do ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

}  // namespace

bool globMatches(std::string_view glob, std::string_view text) noexcept {
  std::size_t star = std::string_view::npos;  // the last star, and how much of the text it does not cover yet
  std::size_t covered = 0;
  std::size_t g = 0;
  std::size_t t = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      covered = t;
    } else if (g < glob.size() && glob[g] == '?') {
      ++g;
      t = afterCharacter(text, t);
    } else if (g < glob.size() && glob[g] == text[t]) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++covered;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', g) == std::string_view::npos;
}

}  // namespace trtscope
