#include "builder/event_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

namespace trtscope {
namespace {

std::string readAll(int fd) {
  std::string all;
  char bytes[1024];
  for (ssize_t count = 0; (count = read(fd, bytes, sizeof(bytes))) > 0;)
    all.append(bytes, static_cast<std::size_t>(count));
  return all;
}

class BuilderEventWriter : public testing::Test {
 protected:
  BuilderEventWriter() : monitor_(0, [this] { wake_.raise(); }), lines_(monitor_, "b") {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_), 0);
    signal(SIGPIPE, SIG_IGN);
  }
  void build(std::int32_t steps) {
    monitor_.phaseStart("p", nullptr, steps);
    for (std::int32_t i = 0; i < steps; ++i) monitor_.step("p", i);
    monitor_.phaseFinish("p");
    monitor_.finished({});
  }
  void writeAll() {
    EventWriter(sockets_[1], lines_, wake_).run();
    close(sockets_[1]);
  }

  int sockets_[2];
  EventFd wake_;
  BuildMonitor monitor_;
  EventLines lines_;
};

TEST_F(BuilderEventWriter, EndsWithTheLineThatTellsTheOutcome) {
  build(3);
  writeAll();
  const std::string all = readAll(sockets_[0]);
  EXPECT_EQ(all.back(), '\n');
  EXPECT_NE(all.rfind("build.finished"), std::string::npos);
}

TEST_F(BuilderEventWriter, HoldsNobodyUpButItselfWhenTheReaderIsSlow) {
  fcntl(sockets_[1], F_SETFL, O_NONBLOCK);  // as a parent may have made it
  std::thread writer([&] { writeAll(); });
  build(100'000);  // far more than the socket holds, while nobody reads
  const std::string all = readAll(sockets_[0]);
  writer.join();
  EXPECT_NE(all.find("\"done\":100000"), std::string::npos);
  EXPECT_NE(all.rfind("build.finished"), std::string::npos);
}

TEST_F(BuilderEventWriter, GoesOnToTheEndWhenTheReaderIsGone) {
  close(sockets_[0]);
  build(10'000);
  writeAll();
  EXPECT_TRUE(lines_.finished());
}

TEST_F(BuilderEventWriter, HurriedTellsTheRestWithoutTheStepsThatNobodyReads) {
  build(100'000);
  EventWriter writer(sockets_[1], lines_, wake_);
  writer.hurry();
  writer.run();
  close(sockets_[1]);
  const std::string all = readAll(sockets_[0]);
  EXPECT_EQ(all.back(), '\n');
  EXPECT_NE(all.find("phase.finished"), std::string::npos);
  EXPECT_NE(all.find("build.finished"), std::string::npos);
  EXPECT_LT(all.size(), 250'000U);
}

TEST_F(BuilderEventWriter, HurriedLeavesEvenWhenItHasWaitedForAReader) {
  EventWriter writer(sockets_[1], lines_, wake_);
  std::thread writing([&] {
    writer.run();
    close(sockets_[1]);
  });
  monitor_.phaseStart("p", nullptr, 1);
  for (std::int32_t i = 0; i < 100'000; ++i) monitor_.step("p", i);
  monitor_.escalated(Escalation::kTerminate);
  writer.hurry();
  writing.join();
  EXPECT_NE(readAll(sockets_[0]).find("cancel.escalated"), std::string::npos);
}

}  // namespace
}  // namespace trtscope
