#include "hook/watch/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trtscope::hook {
namespace {

constexpr int kGone = -1;
// Above all that a program counts up to, and below the number of files that it may have open.
constexpr int kHighest = 1000;

int moveUp(int fd) {
  rlimit files{};
  const int limit =
      getrlimit(RLIMIT_NOFILE, &files) == 0 ? static_cast<int>(std::min<rlim_t>(files.rlim_cur, kHighest)) : 256;
  for (int least = limit - 8; least > fd; least /= 2) {
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, least);
    if (moved < 0) continue;
    close(fd);
    return moved;
  }
  return fd;
}

}  // namespace

std::unique_ptr<Channel> Channel::open(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // An empty one would be a name that anybody may have taken.
  if (path.empty() || path.size() >= sizeof(address.sun_path)) return nullptr;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return nullptr;
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
    return std::unique_ptr<Channel>(new Channel(moveUp(fd)));
  }
  close(fd);
  return nullptr;
}

Channel::Channel(int fd) : fd_(fd) {
  struct stat facts{};
  if (fstat(fd_, &facts) < 0) return;
  device_ = facts.st_dev;
  inode_ = facts.st_ino;
}

Channel::~Channel() {
  if (isOurs()) close(fd_);
}

bool Channel::isOurs() noexcept {
  struct stat facts{};
  const bool ours = fd_ != kGone && fstat(fd_, &facts) == 0 && facts.st_dev == device_ && facts.st_ino == inode_;
  if (!ours) fd_ = kGone;
  return ours;
}

bool Channel::send(std::string& bytes) noexcept {
  while (!bytes.empty() && isOurs()) {
    const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0) {
      bytes.erase(0, static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      return true;
    } else if (errno != EINTR) {
      fd_ = kGone;
    }
  }
  return fd_ != kGone;
}

bool Channel::receive(std::string& bytes) {
  char buffer[4096];
  while (isOurs()) {
    const ssize_t count = recv(fd_, buffer, sizeof(buffer), MSG_DONTWAIT);
    if (count > 0) {
      bytes.append(buffer, static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      return true;
    } else if (count == 0 || errno != EINTR) {
      fd_ = kGone;
    }
  }
  return false;
}

void Channel::wait(bool forRoom, int milliseconds) const noexcept {
  pollfd source{fd_, static_cast<short>(forRoom ? POLLIN | POLLOUT : POLLIN), 0};
  poll(&source, 1, milliseconds);
}

}  // namespace trtscope::hook
