#include "addon/processes.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace trtscope {
namespace {

// A process that starts others while it is looked at is looked at again.
constexpr int kMaxLooks = 4;

struct Process {
  pid_t parent = 0;
  std::string started;  // in clock ticks; with the number it names one process for good
};

// proc_pid_stat(5): the name in parentheses may hold anything.
bool read(pid_t pid, Process& process) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name = line.rfind(')');
  if (name == std::string::npos) return false;
  std::istringstream words(line.substr(name + 1));
  std::string word;
  char state = 0;
  words >> state >> process.parent;
  for (int field = 5; field <= 22; ++field) words >> word;
  process.started = word;
  return state != 'Z';
}

std::map<pid_t, Process> all() {
  std::map<pid_t, Process> processes;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc()) continue;
    if (Process process; read(pid, process)) processes.emplace(pid, std::move(process));
  }
  return processes;
}

bool isBelow(const std::map<pid_t, Process>& processes, pid_t pid, pid_t root) {
  for (std::size_t depth = 0; depth < processes.size() && pid > 1; ++depth) {
    if (pid == root) return true;
    const auto found = processes.find(pid);
    if (found == processes.end()) return false;
    pid = found->second.parent;
  }
  return false;
}

bool sendTo(pid_t pid, const Process& meant, int signal) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  Process now;
  const bool same = read(pid, now) && now.started == meant.started;
  bool sent = false;
  if (same) {
    // A kernel before 5.3 has no handles.
    sent = handle >= 0 ? syscall(SYS_pidfd_send_signal, handle, signal, nullptr, 0) == 0 : kill(pid, signal) == 0;
  }
  if (handle >= 0) close(handle);
  return sent;
}

struct Sender {
  struct sigaction before{};
  std::atomic<bool> terminal{false};
};
std::array<Sender, 32> senders;

void note(int signal, siginfo_t* info, void* context) {
  Sender& sender = senders[static_cast<std::size_t>(signal)];
  sender.terminal.store(info->si_code == SI_KERNEL, std::memory_order_relaxed);
  if ((sender.before.sa_flags & SA_SIGINFO) != 0) {
    sender.before.sa_sigaction(signal, info, context);
  } else if (sender.before.sa_handler != SIG_DFL && sender.before.sa_handler != SIG_IGN) {
    sender.before.sa_handler(signal);
  }
}

}  // namespace

bool becomeSubreaper() noexcept { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0; }

std::string startOf(pid_t pid) {
  Process process;
  read(pid, process);
  return process.started;
}

void reapAdopted(pid_t own) noexcept {
  for (siginfo_t ended{}; waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0; ended = {}) {
    if (ended.si_pid == 0 || ended.si_pid == own) return;
    waitpid(ended.si_pid, nullptr, WNOHANG);
  }
}

std::size_t limitFiles(std::size_t count) noexcept {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return count;
  const std::size_t before = files.rlim_cur;
  files.rlim_cur = count;
  setrlimit(RLIMIT_NOFILE, &files);
  return before;
}

std::size_t signalTree(pid_t root, int signal, const std::string& started) {
  const pid_t self = getpid();
  std::map<pid_t, std::string> done;
  for (int look = 0; look < kMaxLooks; ++look) {
    const std::map<pid_t, Process> processes = all();
    if (!started.empty()) {
      const auto meant = processes.find(root);
      if (meant == processes.end() || meant->second.started != started) break;
    }
    bool found = false;
    for (const auto& [pid, process] : processes) {
      if (pid == self || !isBelow(processes, pid, root)) continue;
      const auto known = done.find(pid);
      if (known != done.end() && known->second == process.started) continue;
      if (!sendTo(pid, process, signal)) continue;
      done[pid] = process.started;
      found = true;
    }
    if (!found) break;
  }
  return done.size();
}

bool peerOf(int fd, uid_t& user, pid_t& process) noexcept {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  user = peer.uid;
  process = peer.pid;
  return true;
}

void noteSenders(int signal) noexcept {
  Sender& sender = senders[static_cast<std::size_t>(signal)];
  struct sigaction now{};
  if (sigaction(signal, nullptr, &now) != 0) return;
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == note) return;
  sender.before = now;
  struct sigaction ours = now;
  ours.sa_sigaction = note;
  ours.sa_flags |= SA_SIGINFO;
  sigaction(signal, &ours, nullptr);
}

bool cameFromTerminal(int signal) noexcept {
  return senders[static_cast<std::size_t>(signal)].terminal.load(std::memory_order_relaxed);
}

}  // namespace trtscope
