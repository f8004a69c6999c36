#pragma once

#include <string_view>

#include "builder/event_fd.h"
#include "wire/event_lines.h"

namespace trtscope {

// Writes a build's lines to the socket, on a thread of its own: the only one that a slow reader can hold up. Meanwhile
// the monitor merges. What a reader that is gone would have got is dropped.
class EventWriter {
 public:
  EventWriter(int socket, EventLines& lines, EventFd& wake) : socket_(socket), lines_(lines), wake_(wake) {}

  // Until build.finished has been written.
  void run() noexcept;

 private:
  void write(std::string_view bytes) noexcept;

  const int socket_;
  EventLines& lines_;
  EventFd& wake_;
  bool readerGone_ = false;
};

}  // namespace trtscope
