#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trtscope {

// What travels down to a builder: a 4-byte little-endian length, then that many bytes holding words, each ended by a
// NUL. The first word is the kind: `build` (words of engine/build_request.h follow), `cancel` (on a cancel link source,
// message, detail and CLOCK_MONOTONIC follow; on the socket nothing, for the parent has its requests on record) or
// `escalate`.
using Frame = std::vector<std::string>;

// The bytes of one frame; no word may hold a NUL.
std::string encodeFrame(const Frame& frame);

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
