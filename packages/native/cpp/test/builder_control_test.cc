#include "builder/control.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

namespace trtscope {
namespace {

std::string frameOf(const Frame& words) {
  std::string body;
  for (const std::string& word : words) body += word + '\0';
  const auto size = static_cast<std::uint32_t>(body.size());
  return std::string(reinterpret_cast<const char*>(&size), sizeof(size)) + body;
}

class BuilderControl : public testing::Test {
 protected:
  BuilderControl() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_), 0);
    control_.emplace(sockets_[1], -1);
  }
  ~BuilderControl() override {
    hangUp();
    close(sockets_[1]);
  }

  void send(const std::string& bytes) {
    EXPECT_EQ(write(sockets_[0], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void hangUp() {
    if (sockets_[0] >= 0) close(sockets_[0]);
    sockets_[0] = -1;
  }
  std::string faultOfHello() {
    try {
      control_->hello();
    } catch (const std::exception& fault) {
      return fault.what();
    }
    return "";
  }
  int serve() { return control_->serve(monitor_, ladder_, told_); }

  int sockets_[2] = {-1, -1};
  std::optional<Control> control_;
  BuildMonitor monitor_{0, {}};
  EngineBuild build_{BuildRequest(), monitor_};
  EventFd wake_;
  EventFd told_;
  EventLines lines_{monitor_, "b"};
  EventWriter writer_{-1, lines_, wake_};
  Ladder ladder_{build_, writer_, 10'000'000'000};
};

TEST_F(BuilderControl, TakesTheRequestFromTheFirstFrame) {
  send(frameOf({"build", "model", "m.onnx", "output", "m.engine"}));
  EXPECT_EQ(control_->hello().output, "m.engine");
}

TEST_F(BuilderControl, TakesAFrameThatComesInPieces) {
  const std::string frame = frameOf({"build", "model", std::string(10'000, 'm')});
  send(frame.substr(0, 3));
  send(frame.substr(3));
  EXPECT_EQ(control_->hello().model.size(), 10'000U);
}

TEST_F(BuilderControl, SaysWhatIsWrongWithTheFirstFrame) {
  send(frameOf({"cancel"}));
  EXPECT_EQ(faultOfHello(), "The first frame is \"cancel\", not \"build\".");
}

TEST_F(BuilderControl, SaysThatTheFirstFrameIsMissing) {
  hangUp();
  EXPECT_EQ(faultOfHello(), "File descriptor 3 ended before its first frame.");
}

TEST_F(BuilderControl, LeavesWellWhenTheBuildHasBeenTold) {
  told_.raise();
  EXPECT_EQ(serve(), 0);
  EXPECT_FALSE(monitor_.cancelRequested());
}

TEST_F(BuilderControl, CancelsOnAFrameThatSaysSoAndPassesOverOthers) {
  send(frameOf({"greet", "kindly"}) + frameOf({"cancel"}));
  std::thread builder([&] {
    while (!monitor_.cancelRequested()) std::this_thread::yield();
    told_.raise();
  });
  EXPECT_EQ(serve(), 0);
  builder.join();
}

TEST_F(BuilderControl, LeavesAtOnceOnSigterm) {
  raise(SIGTERM);
  EXPECT_EQ(serve(), 128 + SIGTERM);
  EXPECT_FALSE(monitor_.cancelRequested());
}

TEST_F(BuilderControl, IsDeafToWhatATerminalSendsToTheWholeGroup) {
  raise(SIGINT);
  raise(SIGHUP);
  told_.raise();
  EXPECT_EQ(serve(), 0);
}

TEST_F(BuilderControl, LeavesAtOnceWhenTheParentIsGone) {
  hangUp();
  EXPECT_EQ(serve(), 128 + SIGTERM);
}

TEST_F(BuilderControl, TakesAParentThatSpeaksNonsenseForGone) {
  send(std::string("\x02\0\0\0hi", 6));
  EXPECT_EQ(serve(), 128 + SIGTERM);
}

}  // namespace
}  // namespace trtscope
