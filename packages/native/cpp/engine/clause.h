#pragma once

#include <algorithm>
#include <string>

namespace trtscope {

// TensorRT's words as a part of a sentence of ours: on one line, without a full stop.
inline std::string clause(std::string words) {
  std::replace(words.begin(), words.end(), '\n', ' ');
  while (!words.empty() && (words.back() == '.' || words.back() == ':' || words.back() == ' ')) words.pop_back();
  return words;
}

}  // namespace trtscope
