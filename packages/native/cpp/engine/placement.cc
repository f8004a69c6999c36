#include "engine/placement.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "engine/build_failure.h"

namespace trtscope {
namespace {

std::string reason() { return std::strerror(errno); }

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

// The name is on the disk only when the folder is. A file system that cannot sync folders has done its best.
void syncFolderOf(const std::filesystem::path& target) {
  ::fsync(Descriptor(target.has_parent_path() ? target.parent_path() : ".", O_RDONLY | O_DIRECTORY).get());
}

}  // namespace

Placement::Answer Placement::claim() {
  const std::lock_guard lock(mutex_);
  if (abandoned_) throw BuildCancelled();
  Claim claim = claimTarget(target_, tag_);
  if (claim.file.get() >= 0) temporary_ = claim.temporary;
  file_ = std::move(claim.file);
  return {std::move(claim.holder), std::move(claim.fault), std::move(claim.swept)};
}

std::string Placement::put(std::string_view bytes, const std::function<void()>& beforeRename) {
  // In a long build somebody may have tidied up.
  if (struct stat facts{}; ::fstat(file_.get(), &facts) == 0 && facts.st_nlink == 0) {
    const Answer again = claim();
    if (!again.holder.empty()) return "process " + again.holder + " is writing it";
    if (!again.fault.empty()) return again.fault;
  }
  const std::string fault = writeWhole(file_.get(), bytes);
  if (!fault.empty()) return fault;
  beforeRename();
  {
    const std::lock_guard lock(mutex_);
    if (abandoned_) throw BuildCancelled();
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return reason();
    placed_ = true;
    temporary_.clear();
  }
  file_.close();
  syncFolderOf(target_);
  return "";
}

std::string Placement::release() noexcept {
  const std::lock_guard lock(mutex_);
  std::string removed = removeTemporary();
  file_.close();
  return removed;
}

bool Placement::abandon(std::vector<std::string>* removed) noexcept {
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
  std::string temporary = removeTemporary();
  if (removed != nullptr && !temporary.empty()) removed->push_back(std::move(temporary));
  return placed_;
}

std::string Placement::removeTemporary() noexcept {
  const bool removed = !temporary_.empty() && ::unlink(temporary_.c_str()) == 0;
  return removed ? std::exchange(temporary_, "") : "";
}

}  // namespace trtscope
