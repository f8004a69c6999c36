#include <cstdint>

#include "wire/event_lines.h"

namespace trtscope {

namespace {

// Bytes of the well-formed UTF-8 sequence at `at`; 0: none there.
std::size_t sequenceLength(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return follows(1) ? 2 : 0;
  // Overlong forms, surrogates and what is past U+10FFFF show in the second byte.
  const std::uint32_t second = byte(1);
  if (lead >= 0xE0 && lead < 0xF0) {
    const bool fits = (lead != 0xE0 || second >= 0xA0) && (lead != 0xED || second < 0xA0);
    return fits && follows(1) && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead < 0xF5) {
    const bool fits = (lead != 0xF0 || second >= 0x90) && (lead != 0xF4 || second < 0x90);
    return fits && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void appendEscaped(std::string& out, char character) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (character) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  const auto byte = static_cast<unsigned char>(character);
  if (byte >= 0x20) {
    out += character;
  } else {
    out += "\\u00";
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
}

}  // namespace

void appendJsonString(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequenceLength(text, at);
    if (length == 1) {
      appendEscaped(out, text[at]);
    } else if (length > 1) {
      out.append(text, at, length);
    } else {
      out += "\xEF\xBF\xBD";
    }
    at += length == 0 ? 1 : length;
  }
  out += '"';
}

}  // namespace trtscope
