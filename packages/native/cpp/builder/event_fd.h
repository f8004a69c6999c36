#pragma once

namespace trtscope {

// A flag that one thread raises and another waits for, also in poll(). Any thread; raise() never blocks.
class EventFd {
 public:
  EventFd();
  ~EventFd();
  EventFd(const EventFd&) = delete;
  EventFd& operator=(const EventFd&) = delete;

  void raise() noexcept;
  // Waits until it is raised, and lowers it.
  void wait() noexcept;
  int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

}  // namespace trtscope
