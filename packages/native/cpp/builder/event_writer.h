#pragma once

#include <atomic>
#include <string_view>

#include "builder/event_fd.h"
#include "wire/event_lines.h"

namespace trtscope {

// Writes a build's lines to the socket, on a thread of its own: the only one that a slow reader can hold up. Meanwhile
// the monitor merges. What a reader that is gone would have got is dropped.
//
// It begins to write only when Linux calls the socket writable, which is when a quarter of its buffer is in use at
// most: so last words fit also when nobody reads.
class EventWriter {
 public:
  EventWriter(int socket, EventLines& lines, EventFd& wake) : socket_(socket), lines_(lines), wake_(wake) {}

  // Until build.finished has been written, or what there was when it was hurried.
  void run() noexcept;
  // Any thread. Waits for no reader any more, and leaves steps out where there is no room for everything.
  void hurry() noexcept;

 private:
  void pause() noexcept;
  bool awaitRoom() noexcept;
  void write(std::string_view bytes) noexcept;

  const int socket_;
  EventLines& lines_;
  EventFd& wake_;
  EventFd hurried_;
  // Release and acquire: whoever sees it also sees what was recorded before.
  std::atomic<bool> hurries_{false};
  bool readerGone_ = false;
};

}  // namespace trtscope
