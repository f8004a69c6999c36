#pragma once

#include <chrono>
#include <optional>

#include "builder/event_fd.h"
#include "engine/engine_build.h"
#include "wire/frames.h"

namespace trtscope {

// What reaches a builder from outside: frames on its socket, the socket's end, SIGTERM. For the main thread, made
// before any other thread so that all inherit what it blocks.
class Control {
 public:
  explicit Control(int socket);

  // Waits for the first frame. Throws std::runtime_error with a sentence when it is none of ours.
  BuildRequest hello();
  // Serves until the build has been told, or has to be left: answers the process's exit code.
  int serve(EngineBuild& build, BuildMonitor& monitor, const EventFd& told);

 private:
  enum class Heard { kFrame, kGone, kTerminate, kTold, kTime };

  Heard listen(int toldFd);
  bool receive();

  int socket_;
  int signals_;
  FrameReader reader_;
  Frame frame_;
  std::optional<std::chrono::steady_clock::time_point> leaveAt_;
};

}  // namespace trtscope
