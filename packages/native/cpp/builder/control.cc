#include "builder/control.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <string>

namespace trtscope {
namespace {

using namespace std::chrono_literals;

// How long a build that nobody waits for any more may take to stop.
constexpr auto kOrphanGrace = 1s;
// How long telling of an engine that is in place may take.
constexpr auto kLastWords = 2s;
constexpr int kTerminated = 128 + SIGTERM;

int pollTimeout(const std::optional<std::chrono::steady_clock::time_point>& until) {
  if (!until) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - std::chrono::steady_clock::now());
  return left > 0ms ? static_cast<int>(left.count()) : 0;
}

}  // namespace

Control::Control(int socket) : socket_(socket) {
  // A terminal's Ctrl-C reaches the whole process group: what it means, the parent decides. A write to a full disk or
  // to a parent that is gone is to fail, not to kill.
  for (const int signal : {SIGINT, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_IGN);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigprocmask(SIG_BLOCK, &blocked, nullptr);
  signals_ = signalfd(-1, &blocked, SFD_CLOEXEC);
  fcntl(socket_, F_SETFD, FD_CLOEXEC);
}

BuildRequest Control::hello() {
  switch (listen(-1)) {
    case Heard::kFrame: break;
    case Heard::kTerminate: _exit(kTerminated);
    default: throw std::runtime_error("File descriptor 3 ended before its first frame.");
  }
  if (frame_.empty() || frame_[0] != "build") {
    throw std::runtime_error("The first frame is \"" + (frame_.empty() ? "" : frame_[0]) + "\", not \"build\".");
  }
  return BuildRequest::fromWords(frame_, 1);
}

int Control::serve(EngineBuild& build, BuildMonitor& monitor, const EventFd& told) {
  const auto next = [&] {
    try {
      return listen(told.fd());
    } catch (const std::exception&) {
      // It speaks nonsense: nothing more of it is read.
      socket_ = -1;
      reader_ = FrameReader();
      return Heard::kGone;
    }
  };
  for (;;) {
    switch (next()) {
      case Heard::kFrame:
        if (!frame_.empty() && frame_[0] == "cancel") monitor.cancel();
        break;
      case Heard::kGone:
        monitor.cancel();
        leaveAt_ = std::chrono::steady_clock::now() + kOrphanGrace;
        break;
      case Heard::kTerminate:
        if (!build.abandon()) return kTerminated;
        // Too late to stop it: the engine is in place, so say so.
        leaveAt_ = std::chrono::steady_clock::now() + kLastWords;
        break;
      case Heard::kTold: return 0;
      case Heard::kTime: build.abandon(); return kTerminated;
    }
  }
}

// Waits for the next thing to happen.
Control::Heard Control::listen(int toldFd) {
  while (!reader_.next(frame_)) {
    std::array<pollfd, 3> sources = {{{toldFd, POLLIN, 0}, {signals_, POLLIN, 0}, {socket_, POLLIN, 0}}};
    const int ready = poll(sources.data(), sources.size(), pollTimeout(leaveAt_));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Heard::kTime;
    if (sources[0].revents != 0) return Heard::kTold;
    if (sources[1].revents != 0) {
      signalfd_siginfo signal;
      if (read(signals_, &signal, sizeof(signal)) > 0) return Heard::kTerminate;
    }
    if (sources[2].revents != 0 && !receive()) {
      socket_ = -1;  // poll() passes over it
      return Heard::kGone;
    }
  }
  return Heard::kFrame;
}

// Answers false when nobody speaks any more, or not our language.
bool Control::receive() {
  std::array<char, 4096> bytes;
  const ssize_t count = read(socket_, bytes.data(), bytes.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  reader_.feed({bytes.data(), static_cast<std::size_t>(count)});
  return true;
}

}  // namespace trtscope
