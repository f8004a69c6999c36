#include "wire/frames.h"

#include <stdexcept>

namespace trtscope {

namespace {

constexpr std::size_t kHeaderBytes = 4;

std::size_t lengthAt(std::string_view bytes) {
  std::size_t length = 0;
  for (std::size_t i = kHeaderBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length;
}

}  // namespace

std::string encodeFrame(const Frame& frame) {
  std::string bytes(kHeaderBytes, '\0');
  for (const std::string& word : frame) bytes += word + '\0';
  std::size_t length = bytes.size() - kHeaderBytes;
  for (std::size_t i = 0; i < kHeaderBytes; ++i, length >>= 8) bytes[i] = static_cast<char>(length & 0xFF);
  return bytes;
}

void FrameReader::feed(std::string_view bytes) {
  buffer_ += bytes;
  for (std::string_view rest = buffer_; rest.size() >= kHeaderBytes;) {
    const std::size_t length = lengthAt(rest);
    if (length > kMaxFrameBytes) {
      throw std::length_error("A frame has " + std::to_string(length) + " bytes, more than the " +
                              std::to_string(kMaxFrameBytes) + " that are allowed.");
    }
    if (rest.size() - kHeaderBytes < length) break;
    if (length > 0 && rest[kHeaderBytes + length - 1] != '\0') {
      throw std::invalid_argument("The last word of a frame is not ended by a NUL.");
    }
    rest.remove_prefix(kHeaderBytes + length);
  }
}

bool FrameReader::next(Frame& frame) {
  frame.clear();
  if (buffer_.size() < kHeaderBytes) return false;
  const std::size_t length = lengthAt(buffer_);
  if (buffer_.size() - kHeaderBytes < length) return false;
  for (std::string_view rest = std::string_view(buffer_).substr(kHeaderBytes, length); !rest.empty();) {
    const std::size_t end = rest.find('\0');
    frame.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  buffer_.erase(0, kHeaderBytes + length);
  return true;
}

}  // namespace trtscope
