#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

namespace trtscope::hook {

// The connection to trtscope. The program that we are a guest of may close any file descriptor and open its own in its
// place: ours has a high number, and is looked at before every use. Nothing here waits.
class Channel {
 public:
  // Null: nobody is there, or has room for us.
  static std::unique_ptr<Channel> open(const std::string& path);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // Each answers false when the connection is gone, and from then on does nothing.
  bool send(std::string& bytes) noexcept;  // takes off what has been sent
  bool receive(std::string& bytes);        // adds what has come
  // Returns when there is something to receive, room to send (if wanted), or the time is over.
  void wait(bool forRoom, int milliseconds) const noexcept;

 private:
  explicit Channel(int fd);
  bool isOurs() noexcept;

  int fd_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace trtscope::hook
