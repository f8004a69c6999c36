#include "engine/placement.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "engine/build_failure.h"

namespace trtscope {
namespace {

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string reason() { return std::strerror(errno); }

std::string temporaryOf(const std::filesystem::path& target) {
  return target.parent_path() / ("." + target.filename().string() + "." + std::to_string(::getpid()) + ".trtscope-tmp");
}

// Makes the temporary this build's own, empty. One left over from a process that had our id is taken over; one that
// another build of this process is writing is locked.
std::string claim(int fd, const std::string& path) {
  if (fd < 0) return reason();
  struct stat opened{};
  struct stat named{};
  const bool locked = ::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  const bool same = ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
  if (!locked || !same) return "another build in this process is writing it";
  return ::ftruncate(fd, 0) == 0 ? "" : reason();
}

// Answers "" when every byte is on the disk.
std::string writeWhole(int fd, std::string_view bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = ::write(fd, bytes.data() + written, bytes.size() - written);
    if (count > 0) {
      written += static_cast<std::size_t>(count);
    } else if (count == 0 || errno != EINTR) {
      return (count == 0 ? "the disk takes no more" : reason()) + " (after " + std::to_string(written) + " of " +
             std::to_string(bytes.size()) + " bytes)";
    }
  }
  struct stat facts{};
  if (::fsync(fd) != 0 || ::fstat(fd, &facts) != 0) return reason();
  return static_cast<std::size_t>(facts.st_size) == bytes.size() ? ""
                                                                 : "the disk has kept fewer bytes than were written";
}

}  // namespace

std::string Placement::put(const std::string& target, std::string_view bytes,
                           const std::function<void()>& beforeRename) {
  struct stat facts{};
  if (::stat(target.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) return "it is not a regular file";
  const std::string temporary = temporaryOf(target);
  std::unique_lock lock(mutex_);
  if (abandoned_) throw BuildCancelled();
  const Descriptor file(temporary, O_WRONLY | O_CREAT | O_NOFOLLOW);
  std::string fault = claim(file.get(), temporary);
  if (!fault.empty()) return fault;
  temporary_ = temporary;
  lock.unlock();

  try {
    fault = writeWhole(file.get(), bytes);
    if (fault.empty()) beforeRename();
  } catch (...) {
    const std::lock_guard again(mutex_);
    removeTemporary();
    throw;
  }

  lock.lock();
  if (abandoned_) throw BuildCancelled();
  if (fault.empty() && std::rename(temporary.c_str(), target.c_str()) != 0) fault = reason();
  if (!fault.empty()) {
    removeTemporary();
    return fault;
  }
  placed_ = true;
  temporary_.clear();
  lock.unlock();
  // The name is on the disk only when the folder is. A file system that cannot sync folders has done its best.
  const std::string folder = std::filesystem::path(target).parent_path();
  ::fsync(Descriptor(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY).get());
  return "";
}

bool Placement::abandon() noexcept {
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
  removeTemporary();
  return placed_;
}

void Placement::removeTemporary() noexcept {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

}  // namespace trtscope
