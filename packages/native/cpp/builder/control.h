#pragma once

#include <cstdint>

#include "builder/event_fd.h"
#include "builder/ladder.h"
#include "wire/frames.h"

namespace trtscope {

// What reaches a builder from outside: frames on its socket and on its cancel link, the socket's end, SIGTERM; and what
// is due by the clock. For the main thread, made before any other thread so that all inherit what it blocks.
class Control {
 public:
  // `link`: -1 where there is none.
  Control(int socket, int link);

  // Waits for the first frame. Throws std::runtime_error with a sentence when it is none of ours.
  BuildRequest hello();
  // Serves until the build has been told, or has to be left: answers the process's exit code.
  int serve(BuildMonitor& monitor, Ladder& ladder, const EventFd& told);

 private:
  enum class Heard { kFrame, kLinkFrame, kGone, kTerminate, kTold, kTime };
  struct Speaker {
    int fd;
    FrameReader reader{};
  };

  Heard hear(int toldFd, std::uint64_t untilNs);
  Heard listen(int toldFd, int linkFd, std::uint64_t untilNs);
  bool receiveOfLink();
  static bool receive(Speaker& speaker);

  Speaker parent_;
  Speaker link_;
  int signals_;
  Frame frame_;
};

}  // namespace trtscope
