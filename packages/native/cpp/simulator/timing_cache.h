#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "simulator/object.h"

namespace trtscope::simulator {

// Its bytes are a title and a line for every script whose build was begun with it.
class TimingCache final : public Object<TimingCache> {
 public:
  using Lines = std::set<std::string, std::less<>>;

  explicit TimingCache(Lines lines) : lines_(std::move(lines)) {}
  static void* const* table();

  // None when the bytes are no cache. No bytes are an empty one.
  static std::optional<Lines> linesOf(std::string_view bytes);
  const Lines& lines() const { return lines_; }
  void learn(const std::string& script);

 private:
  void* serialize();
  bool combine(const void* other, bool ignoreMismatch);

  Lines lines_;
};

}  // namespace trtscope::simulator
