#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace trtscope {

// Owns an open file, which no child process inherits. -1: none, errno says why.
class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(const std::string& path, int flags) : Descriptor(AT_FDCWD, path, flags) {}
  Descriptor(int folder, const std::string& name, int flags)
      : fd_(::openat(folder, name.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }

  void close() noexcept {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const noexcept { return fd_; }

 private:
  int fd_ = -1;
};

}  // namespace trtscope
