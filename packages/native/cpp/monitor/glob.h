#pragma once

#include <string_view>

namespace trtscope {

// Whether `glob` matches the whole of `text`: `*` is any text, `?` any one character, all else is itself.
bool globMatches(std::string_view glob, std::string_view text) noexcept;

}  // namespace trtscope
