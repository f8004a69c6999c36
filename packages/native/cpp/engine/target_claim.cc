#include "engine/target_claim.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

namespace trtscope {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kSuffix = ".trtscope-tmp";
// Longer ones are of files that JavaScript writes, which cannot lock them.
constexpr std::size_t kLongestTag = 13;
constexpr auto kPatience = 500ms;

// Answers false when somebody else has it. Where there are no such locks, everybody gets one.
bool lockNow(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

template <class Attempt>
bool inTime(Attempt attempt) {
  for (const auto end = std::chrono::steady_clock::now() + kPatience; std::chrono::steady_clock::now() < end;) {
    if (attempt()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

bool isStill(int folder, const std::string& name, int fd) {
  struct stat opened{};
  struct stat named{};
  return ::fstat(fd, &opened) == 0 && ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// The process id in the name of a temporary of `target`; empty for any other name.
std::string_view writerOf(std::string_view name, const std::string& target) {
  const std::string prefix = "." + target + ".";
  if (!name.starts_with(prefix) || !name.ends_with(kSuffix)) return {};
  name.remove_prefix(prefix.size());
  name.remove_suffix(std::min(kSuffix.size(), name.size()));
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const auto isOfTag = [&](char c) { return isDigit(c) || (c >= 'a' && c <= 'z'); };
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::string_view pid = name.substr(0, dot);
  const std::string_view tag = name.substr(std::min(dot + 1, name.size()));
  const bool ours = !tag.empty() && tag.size() <= kLongestTag && std::all_of(pid.begin(), pid.end(), isDigit) &&
                    std::all_of(tag.begin(), tag.end(), isOfTag);
  return ours ? pid : std::string_view{};
}

// Removes a temporary whose writer is gone. Answers whether it lives; one that cannot be told is left alone.
bool livesOrSweep(int folder, const std::string& name, const std::string& path, Claim& claim) {
  // Some file systems lock only what can be written; what another user has made may only be read.
  Descriptor file(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  if (file.get() < 0) file = Descriptor(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  struct stat facts{};
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  if (isStill(folder, name, file.get()) && ::unlinkat(folder, name.c_str(), 0) == 0) claim.swept.push_back(path);
  return false;
}

// Looks for others that have the target or had it. Answers the process id of one that has.
std::string lookAround(int folder, const std::filesystem::path& target, Claim& claim) {
  const std::filesystem::path folderPath = target.has_parent_path() ? target.parent_path() : ".";
  std::error_code fault;
  for (std::filesystem::directory_iterator at(folderPath, fault), end; !fault && at != end; at.increment(fault)) {
    const std::string name = at->path().filename();
    const std::string_view pid = writerOf(name, target.filename());
    if (!pid.empty() && livesOrSweep(folder, name, target.parent_path() / name, claim)) return std::string(pid);
  }
  return "";
}

// Makes our temporary. One that is there and not locked yet, another may take for a dead one's: then again.
void make(int folder, const std::string& name, Claim& claim) {
  const bool made = inTime([&] {
    Descriptor file(folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW);
    if (file.get() < 0) {
      claim.fault = std::strerror(errno);
      return true;
    }
    if (!lockNow(file.get()) || !isStill(folder, name, file.get())) return false;
    claim.file = std::move(file);
    return true;
  });
  if (!made) claim.fault = "its temporary " + name + " is in use";
}

}  // namespace

Claim claimTarget(const std::string& target, std::string_view tag) {
  Claim claim;
  const std::filesystem::path path(target);
  struct stat facts{};
  if (::stat(target.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
    claim.fault = "it is not a regular file";
    return claim;
  }
  const std::filesystem::path folderPath = path.has_parent_path() ? path.parent_path() : ".";
  const Descriptor folder(folderPath, O_RDONLY | O_DIRECTORY);
  if (folder.get() < 0) {
    claim.fault = std::strerror(errno);
    return claim;
  }
  // Looking and making are one act while the folder is locked. Ours do so for an instant only; a folder that somebody
  // else keeps locked is not waited for: then two builds that begin in the same instant may both be let in.
  inTime([&] { return lockNow(folder.get()); });
  claim.holder = lookAround(folder.get(), path, claim);
  if (!claim.holder.empty()) return claim;
  const std::string name =
      "." + path.filename().string() + "." + std::to_string(::getpid()) + "." + std::string(tag) + std::string(kSuffix);
  claim.temporary = path.parent_path() / name;
  make(folder.get(), name, claim);
  return claim;
}

}  // namespace trtscope
