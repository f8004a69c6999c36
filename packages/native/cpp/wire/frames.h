#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trtscope {

// What travels down to a builder: a 4-byte little-endian length, then that many bytes holding words, each ended by a
// NUL. The first word is the kind: `build` (words of engine/build_request.h follow) or `cancel`.
using Frame = std::vector<std::string>;

class FrameReader {
 public:
  static constexpr std::size_t kMaxFrameBytes = 1 << 20;

  // Takes bytes as they come. Throws std::length_error on a frame over the limit and std::invalid_argument on one whose
  // last word is not ended.
  void feed(std::string_view bytes);
  // Moves the next whole frame to `frame`; false when there is none.
  bool next(Frame& frame);

 private:
  std::string buffer_;
};

}  // namespace trtscope
