#include "builder/control.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>
#include <utility>

#include "observed.h"

namespace trtscope::test {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

struct Pair {
  Pair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0); }
  ~Pair() {
    hangUp();
    close(fds[1]);
  }
  void send(const std::string& bytes) const {
    EXPECT_EQ(write(fds[0], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void hangUp() {
    if (fds[0] >= 0) close(std::exchange(fds[0], -1));
  }

  int fds[2] = {-1, -1};
};

// A control whose build runs on no thread: it answers nothing.
class BuilderControl : public testing::Test {
 protected:
  BuilderControl() { monitor_.phaseStart("one", nullptr, 9); }
  ~BuilderControl() override {
    if (writing_.joinable()) {
      writer_.hurry();
      writing_.join();
    }
  }

  std::string faultOfHello() {
    try {
      control_.hello();
    } catch (const std::exception& fault) {
      return fault.what();
    }
    return "";
  }
  int serve(std::uint64_t graceNs = 60'000 * kMillisecond) {
    writing_ = std::thread([&] {
      writer_.run();
      told_.raise();
    });
    Ladder ladder(build_, writer_, graceNs);
    return control_.serve(monitor_, ladder, told_);
  }
  // What has come up to the parent.
  std::string told() {
    std::string all;
    char bytes[4096];
    for (ssize_t count = 0; (count = recv(parent_.fds[0], bytes, sizeof(bytes), MSG_DONTWAIT)) > 0;) {
      all.append(bytes, static_cast<std::size_t>(count));
    }
    return all;
  }

  Pair parent_;
  Pair link_;
  Control control_{parent_.fds[1], link_.fds[1]};
  EventFd wake_;
  EventFd told_;
  BuildMonitor monitor_{0, [this] { wake_.raise(); }};
  EventLines lines_{monitor_, "b"};
  EventWriter writer_{parent_.fds[1], lines_, wake_};
  EngineBuild build_{BuildRequest(), monitor_};
  std::thread writing_;
};

constexpr int kTerminated = 128 + SIGTERM;

TEST_F(BuilderControl, TakesTheRequestFromTheFirstFrame) {
  parent_.send(encodeFrame({"build", "model", "m.onnx", "output", "m.engine"}));
  EXPECT_EQ(control_.hello().output, "m.engine");
}

TEST_F(BuilderControl, TakesAFrameThatComesInPieces) {
  const std::string frame = encodeFrame({"build", "model", std::string(10'000, 'm')});
  parent_.send(frame.substr(0, 3));
  parent_.send(frame.substr(3));
  EXPECT_EQ(control_.hello().model.size(), 10'000U);
}

TEST_F(BuilderControl, SaysWhatIsWrongWithTheFirstFrame) {
  parent_.send(encodeFrame({"cancel"}));
  EXPECT_EQ(faultOfHello(), "The first frame is \"cancel\", not \"build\".");
}

TEST_F(BuilderControl, SaysThatTheFirstFrameIsMissing) {
  parent_.hangUp();
  EXPECT_EQ(faultOfHello(), "File descriptor 3 ended before its first frame.");
}

TEST_F(BuilderControl, LeavesWellWhenTheBuildHasBeenTold) {
  monitor_.finished(Ending{});
  EXPECT_EQ(serve(), 0);
  EXPECT_FALSE(monitor_.cancelRequested());
}

TEST_F(BuilderControl, CancelsOnAFrameThatSaysSoWithoutRepeatingIt) {
  parent_.send(encodeFrame({"greet", "kindly"}) + encodeFrame({}) + encodeFrame({"cancel"}));
  std::thread builder([&] {
    while (!monitor_.cancelRequested()) std::this_thread::yield();
    EXPECT_FALSE(monitor_.step("one", 0));
    monitor_.finished(Ending{});
  });
  EXPECT_EQ(serve(), 0);
  builder.join();
  EXPECT_EQ(told().find("cancel.requested"), std::string::npos);
}

TEST_F(BuilderControl, CancelsOnAFrameOfTheLinkAndPutsItOnRecord) {
  link_.send(encodeFrame({"cancel", "agent", "why", "what", "7"}));
  std::thread builder([&] {
    while (!monitor_.cancelRequested()) std::this_thread::yield();
    EXPECT_FALSE(monitor_.step("one", 0));
    monitor_.finished(Ending{});
  });
  EXPECT_EQ(serve(), 0);
  builder.join();
  EXPECT_NE(told().find(R"("reason":{"source":"agent","message":"why","requestedAtNs":7,"detail":"what"})"),
            std::string::npos);
}

TEST_F(BuilderControl, DoesWithoutALinkThatEndsOrSpeaksNonsense) {
  link_.send(std::string("\x02\0\0\0hi", 6));
  link_.hangUp();
  std::thread builder([&] {
    parent_.send(encodeFrame({"cancel"}));
    while (!monitor_.cancelRequested()) std::this_thread::yield();
    monitor_.finished(Ending{});
  });
  EXPECT_EQ(serve(), 0);
  builder.join();
}

TEST_F(BuilderControl, CancelsWhenALimitIsPassed) {
  Limits limits;
  limits.totalNs = 1;
  monitor_.limit(limits);
  std::thread builder([&] {
    while (!monitor_.cancelRequested()) std::this_thread::yield();
    monitor_.finished(Ending{});
  });
  EXPECT_EQ(serve(), 0);
  builder.join();
  EXPECT_NE(told().find(R"("source":"budget")"), std::string::npos);
}

TEST_F(BuilderControl, LeavesAGraceAfterACancelAndTellsHow) {
  monitor_.request({"call", "enough", ""});
  EXPECT_EQ(serve(400 * kMillisecond), kTerminated);
  const std::string text = told();
  EXPECT_NE(text.find(R"("type":"cancel.escalated")"), std::string::npos);
  EXPECT_NE(text.find(R"("to":"terminate")"), std::string::npos);
  EXPECT_NE(text.find(R"("by":"exit")"), std::string::npos);
  EXPECT_NE(text.find(R"("outcome":"cancelled")"), std::string::npos);
}

TEST_F(BuilderControl, LeavesAtOnceWhenItIsToldToGoUp) {
  parent_.send(encodeFrame({"cancel"}) + encodeFrame({"escalate"}));
  EXPECT_EQ(serve(), kTerminated);
  EXPECT_NE(told().find(R"("to":"terminate")"), std::string::npos);
}

TEST_F(BuilderControl, LeavesAtOnceOnSigterm) {
  raise(SIGTERM);
  EXPECT_EQ(serve(), kTerminated);
  EXPECT_FALSE(monitor_.cancelRequested());
}

TEST_F(BuilderControl, TakesSigtermForAStepUpOfACancelThatIsUnderWay) {
  monitor_.cancel();
  raise(SIGTERM);
  EXPECT_EQ(serve(), kTerminated);
  EXPECT_NE(told().find(R"("to":"terminate")"), std::string::npos);
}

TEST_F(BuilderControl, IsDeafToWhatATerminalSendsToTheWholeGroup) {
  raise(SIGINT);
  raise(SIGHUP);
  monitor_.finished(Ending{});
  EXPECT_EQ(serve(), 0);
}

TEST_F(BuilderControl, LeavesAtOnceWhenTheParentIsGone) {
  parent_.hangUp();
  EXPECT_EQ(serve(), kTerminated);
}

TEST_F(BuilderControl, TakesAParentThatSpeaksNonsenseForGone) {
  parent_.send(std::string("\x02\0\0\0hi", 6));
  EXPECT_EQ(serve(), kTerminated);
}

using BuilderLadderDeathTest = BuilderControl;

TEST_F(BuilderLadderDeathTest, WithoutAGraceTheProcessIsKilledAtOnce) {
  monitor_.cancel();
  EXPECT_EXIT(_exit(serve(0)), testing::KilledBySignal(SIGKILL), "");
  EXPECT_NE(told().find(R"("to":"kill")"), std::string::npos);
}

TEST_F(BuilderLadderDeathTest, ATimerOfTheKernelEndsAProcessThatDoesNotGoUpItself) {
  const auto hang = [&] {
    Ladder ladder(build_, writer_, kMillisecond);
    ladder.begin();
    for (;;) pause();
  };
  EXPECT_EXIT(hang(), testing::KilledBySignal(SIGKILL), "");
}

}  // namespace
}  // namespace trtscope::test
