#include "builder/event_writer.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string>

namespace trtscope {
namespace {
constexpr std::size_t kBatch = 512;
// A wake costs the builder thread microseconds, and each line that comes while we wait for none costs one.
constexpr int kPauseMs = 5;
}  // namespace

void EventWriter::run() noexcept {
  std::string out;
  for (bool last = false; !last && !lines_.finished();) {
    wake_.wait();
    last = hurries_.load(std::memory_order_acquire);
    for (bool more = true; more;) {
      if (!awaitRoom()) lines_.leaveOutSteps();
      out.clear();
      more = lines_.drainTo(out, kBatch);
      write(out);
    }
    if (!lines_.finished()) pause();
  }
}

void EventWriter::hurry() noexcept {
  hurries_.store(true, std::memory_order_release);
  hurried_.raise();
  wake_.raise();
}

void EventWriter::pause() noexcept {
  pollfd source{hurried_.fd(), POLLIN, 0};
  poll(&source, 1, kPauseMs);
}

// Answers false when there is none, and no time to wait for it.
bool EventWriter::awaitRoom() noexcept {
  std::array<pollfd, 2> sources = {{{socket_, POLLOUT, 0}, {hurried_.fd(), POLLIN, 0}}};
  while (poll(sources.data(), sources.size(), -1) < 0 && errno == EINTR) {}
  return sources[0].revents != 0;
}

void EventWriter::write(std::string_view bytes) noexcept {
  while (!bytes.empty() && !readerGone_) {
    const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR && (errno != EAGAIN || !awaitRoom())) {
      readerGone_ = true;
    }
  }
}

}  // namespace trtscope
