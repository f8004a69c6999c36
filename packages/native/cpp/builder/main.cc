#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <thread>

#include "builder/control.h"
#include "builder/event_writer.h"

namespace {

constexpr int kSocket = 3;
constexpr int kCancelLink = 4;
constexpr int kUsage = 2;

}  // namespace

int main(int argc, char**) {
  using namespace trtscope;
  if (argc > 1 || fcntl(kSocket, F_GETFD) < 0) {
    std::fputs(
        "trtscope-builder builds one TensorRT engine for the program that starts it, which speaks to it on file\n"
        "descriptor 3. There is nothing to do with it by hand: use `trtscope build`.\n",
        stderr);
    return kUsage;
  }
  try {
    Control control(kSocket, fcntl(kCancelLink, F_GETFD) < 0 ? -1 : kCancelLink);
    const BuildRequest request = control.hello();
    EventFd wake;
    EventFd told;
    BuildMonitor monitor(request.originNs, [&] { wake.raise(); });
    EventLines lines(monitor, request.build);
    EventWriter writer(kSocket, lines, wake);
    EngineBuild build(request, monitor);
    Ladder ladder(build, writer, request.graceNs);
    // Nobody waits for them: what TensorRT still frees, or is still busy with, when the build has been told, the kernel
    // takes back faster.
    std::thread([&] {
      writer.run();
      told.raise();
    }).detach();
    std::thread([&] { build.run(); }).detach();
    _exit(control.serve(monitor, ladder, told));
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "trtscope-builder: %s\n", fault.what());
    return kUsage;
  }
}
