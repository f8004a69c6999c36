#include "builder/event_writer.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

namespace trtscope {
namespace {
constexpr std::size_t kBatch = 512;
// A wake costs the builder thread microseconds, and each line that comes while we wait for none costs one.
constexpr std::chrono::milliseconds kPause(5);
}  // namespace

void EventWriter::run() noexcept {
  std::string out;
  while (!lines_.finished()) {
    wake_.wait();
    for (bool more = true; more;) {
      out.clear();
      more = lines_.drainTo(out, kBatch);
      write(out);
    }
    if (!lines_.finished()) std::this_thread::sleep_for(kPause);
  }
}

void EventWriter::write(std::string_view bytes) noexcept {
  while (!bytes.empty() && !readerGone_) {
    const ssize_t count = ::write(socket_, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd ready{socket_, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      readerGone_ = true;
    }
  }
}

}  // namespace trtscope
