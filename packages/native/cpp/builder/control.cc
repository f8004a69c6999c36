#include "builder/control.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <string>

#include "monitor/kernel_facts.h"

namespace trtscope {
namespace {

constexpr int kTerminated = 128 + SIGTERM;
constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kLongestWait = 3'600'000;

int pollTimeout(std::uint64_t untilNs) {
  if (untilNs == Moment::kNever) return -1;
  const std::uint64_t now = nowNs();
  if (untilNs <= now) return 0;
  return static_cast<int>(std::min((untilNs - now + kMillisecond - 1) / kMillisecond, kLongestWait));
}

}  // namespace

Control::Control(int socket, int link) : parent_{socket}, link_{link} {
  // A terminal's Ctrl-C reaches the whole process group: what it means, the parent decides. A write to a full disk or
  // to a parent that is gone is to fail, not to kill.
  for (const int signal : {SIGINT, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_IGN);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigprocmask(SIG_BLOCK, &blocked, nullptr);
  signals_ = signalfd(-1, &blocked, SFD_CLOEXEC);
  for (const int fd : {socket, link}) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

BuildRequest Control::hello() {
  switch (listen(-1, -1, Moment::kNever)) {
    case Heard::kFrame: break;
    case Heard::kTerminate: _exit(kTerminated);
    default: throw std::runtime_error("File descriptor 3 ended before its first frame.");
  }
  if (frame_.empty() || frame_[0] != "build") {
    throw std::runtime_error("The first frame is \"" + (frame_.empty() ? "" : frame_[0]) + "\", not \"build\".");
  }
  return BuildRequest::fromWords(frame_, 1);
}

int Control::serve(BuildMonitor& monitor, Ladder& ladder, const EventFd& told) {
  for (;;) {
    const std::uint64_t limitNs = monitor.checkLimits(Moment::now());
    if (monitor.cancelRequested()) ladder.begin();
    switch (hear(told.fd(), std::min(limitNs, ladder.dueNs()))) {
      case Heard::kFrame:
        // The parent has its requests on record.
        if (!frame_.empty() && frame_[0] == "cancel") monitor.cancel();
        if (!frame_.empty() && frame_[0] == "escalate") ladder.climb();
        break;
      case Heard::kLinkFrame:
        if (frame_.size() == 5) monitor.request({frame_[1], frame_[2], frame_[3], std::stoull(frame_[4])});
        break;
      case Heard::kGone: ladder.abandon(); return kTerminated;
      case Heard::kTerminate:
        if (monitor.cancelRequested()) {
          if (!ladder.leaves()) ladder.climb();
        } else if (!ladder.abandon()) {
          return kTerminated;
        }
        break;
      case Heard::kTold: return ladder.leaves() ? ladder.leave() : 0;
      case Heard::kTime:
        if (nowNs() < ladder.dueNs()) break;
        if (ladder.leaves()) return ladder.leave();
        ladder.climb();
        break;
    }
  }
}

// A parent that does not speak our language is as good as gone.
Control::Heard Control::hear(int toldFd, std::uint64_t untilNs) {
  try {
    return listen(toldFd, link_.fd, untilNs);
  } catch (const std::exception&) {
    parent_ = {-1};
    return Heard::kGone;
  }
}

// Waits for the next thing to happen.
Control::Heard Control::listen(int toldFd, int linkFd, std::uint64_t untilNs) {
  for (;;) {
    if (parent_.reader.next(frame_)) return Heard::kFrame;
    if (link_.reader.next(frame_)) return Heard::kLinkFrame;
    // poll() passes over those that are -1.
    std::array<pollfd, 4> sources = {
        {{toldFd, POLLIN, 0}, {signals_, POLLIN, 0}, {parent_.fd, POLLIN, 0}, {linkFd, POLLIN, 0}}};
    const int ready = poll(sources.data(), sources.size(), pollTimeout(untilNs));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Heard::kTime;
    if (sources[0].revents != 0) return Heard::kTold;
    if (sources[1].revents != 0) {
      signalfd_siginfo signal;
      if (read(signals_, &signal, sizeof(signal)) > 0) return Heard::kTerminate;
    }
    if (sources[2].revents != 0 && !receive(parent_)) return Heard::kGone;
    if (sources[3].revents != 0 && !receiveOfLink()) {
      link_ = {-1};
      linkFd = -1;
    }
  }
}

bool Control::receiveOfLink() {
  try {
    return receive(link_);
  } catch (const std::exception&) {
    return false;
  }
}

// Answers false when nobody speaks any more.
bool Control::receive(Speaker& speaker) {
  std::array<char, 4096> bytes;
  const ssize_t count = read(speaker.fd, bytes.data(), bytes.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  speaker.reader.feed({bytes.data(), static_cast<std::size_t>(count)});
  return true;
}

}  // namespace trtscope
