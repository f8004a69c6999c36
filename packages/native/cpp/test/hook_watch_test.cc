#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "abi/object.h"
#include "hook/hook_interface.h"
#include "hook/watch/channel.h"
#include "hook_program.h"

namespace trtscope::test {
namespace {

// As a program of TensorRT-RTX 1.7 has it.
class HookWatch : public testing::TestWithParam<std::int32_t> {
 protected:
  HookWatch() { current = this; }

  void createBuilder(void* logger) {
    TrtscopeLibrary library{"/lib/libfake.so", [] { return GetParam(); }, 1, reinterpret_cast<void*>(&create)};
    ASSERT_EQ(trtscopeWatcher()->createBuilder(&library, logger, 1), &tensorrt.builder);
  }

  FakeTensorrt tensorrt{GetParam()};

 private:
  static void* create(void* logger, std::int32_t) {
    current->tensorrt.logger = logger;
    return &current->tensorrt.builder;
  }
  static inline HookWatch* current = nullptr;
};

class Program final : public abi::ProgressMonitor {
 public:
  void phaseStart(const char*, const char*, std::int32_t) noexcept override { ++heard; }
  bool stepComplete(const char*, std::int32_t step) noexcept override {
    ++heard;
    return step < stopAt;
  }
  void phaseFinish(const char*) noexcept override { ++heard; }

  int heard = 0;
  int stopAt = 1 << 30;
};

class UnversionedLog final : public abi::UnversionedLogger {
 public:
  void log(std::int32_t, const char* message) noexcept override { heard += message; }
  std::string heard;
};

class VersionedLog final : public abi::VersionedLogger {
 public:
  void log(std::int32_t, const char* message) noexcept override { heard += message; }
  std::string heard;
};

std::size_t count(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; ++at) ++found;
  return found;
}

bool stepwise(abi::ProgressMonitor* monitor, int steps) {
  monitor->phaseStart("one", nullptr, steps);
  bool goesOn = true;
  for (int step = 0; step < steps && goesOn; ++step) goesOn = monitor->stepComplete("one", step);
  monitor->phaseFinish("one");
  return goesOn;
}

TEST_P(HookWatch, TellsOfABuildAndLeavesEverythingAsItWas) {
  Listening listening;
  createBuilder(nullptr);
  Program program;
  tensorrt.monitor = &program;
  tensorrt.building = [](abi::ProgressMonitor* monitor) { return stepwise(monitor, 3); };
  EXPECT_TRUE(tensorrt.buildSerializedNetwork());
  EXPECT_EQ(program.heard, 5);
  EXPECT_EQ(tensorrt.monitor, &program);
  listening.await("build.finished");
  const std::string said = listening.said();
  EXPECT_NE(said.find(R"("type":"hello")"), std::string::npos);
  EXPECT_NE(said.find(R"("done":3)"), std::string::npos);
  EXPECT_NE(said.find(R"("outcome":"built")"), std::string::npos);
}

TEST_P(HookWatch, PassesTheProgramsNoOnAndPutsItOnRecord) {
  Listening listening;
  createBuilder(nullptr);
  Program program;
  program.stopAt = 1;
  tensorrt.monitor = &program;
  tensorrt.building = [](abi::ProgressMonitor* monitor) { return stepwise(monitor, 3); };
  EXPECT_FALSE(tensorrt.buildSerializedNetwork());
  listening.await("build.finished");
  EXPECT_NE(listening.said().find(R"("source":"program")"), std::string::npos);
  EXPECT_NE(listening.said().find(R"("outcome":"cancelled")"), std::string::npos);
}

TEST_P(HookWatch, CancelsABuildByItsIdAndEveryLaterOneByAStar) {
  Listening listening;
  createBuilder(nullptr);
  tensorrt.building = [](abi::ProgressMonitor* monitor) {
    monitor->phaseStart("one", nullptr, 9);
    while (monitor->stepComplete("one", 0)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    monitor->phaseFinish("one");
    return false;
  };
  std::thread canceller([&] {
    listening.await(R"("name":"one")");
    listening.send({"cancel", "2"});
    listening.send({"cancel", "1"});
  });
  EXPECT_FALSE(tensorrt.buildSerializedNetwork());
  canceller.join();
  listening.send({"cancel", "*"});
  EXPECT_FALSE(tensorrt.buildSerializedNetwork());
}

// Waits out a limit twice: for one layout.
using HookLimits = HookWatch;

TEST_P(HookLimits, AreKeptAndDroppedWithWhoSetThem) {
  Listening listening({"welcome", "budgetTotalNs", "2000000000"});
  createBuilder(nullptr);
  tensorrt.building = [&](abi::ProgressMonitor* monitor) {
    monitor->phaseStart("one", nullptr, 9);
    while (monitor->stepComplete("one", 0)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    monitor->phaseFinish("one");
    return false;
  };
  EXPECT_FALSE(tensorrt.buildSerializedNetwork());
  listening.await(R"("source":"budget")");
  tensorrt.building = [&](abi::ProgressMonitor* monitor) {
    monitor->phaseStart("two", nullptr, 9);
    listening.await(R"("name":"two")");
    listening.hangUp();
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    return stepwise(monitor, 3);
  };
  EXPECT_TRUE(tensorrt.buildSerializedNetwork());
  tensorrt.building = [](abi::ProgressMonitor* monitor) { return monitor == nullptr; };
  EXPECT_TRUE(tensorrt.buildSerializedNetwork());
}

TEST_P(HookWatch, HearsTheLogOfTheProgramsLoggerWhichStaysTheProgramsOwn) {
  Listening listening;
  UnversionedLog unversioned;
  VersionedLog versioned;
  const bool isVersioned = tensorrt.layout.loggerIsVersioned();
  void* const logger = isVersioned ? static_cast<void*>(&versioned) : static_cast<void*>(&unversioned);
  createBuilder(logger);
  EXPECT_NE(tensorrt.logger, logger);
  EXPECT_EQ(tensorrt.loggerOfBuilder(), logger);
  tensorrt.building = [&](abi::ProgressMonitor*) {
    if (isVersioned) {
      abi::callVirtual<void, std::int32_t, const char*>(tensorrt.logger, 4, 1, "no luck");
    } else {
      static_cast<abi::UnversionedLogger*>(tensorrt.logger)->log(1, "no luck");
    }
    return false;
  };
  EXPECT_FALSE(tensorrt.buildSerializedNetwork());
  listening.await("build.finished");
  EXPECT_EQ(isVersioned ? versioned.heard : unversioned.heard, "no luck");
  EXPECT_NE(listening.said().find(R"("severity":"error","message":"no luck")"), std::string::npos);
  EXPECT_NE(listening.said().find("cannot build the program's network: no luck."), std::string::npos);
}

TEST_P(HookWatch, TellsTwoBuildsAtOnceApart) {
  Listening listening;
  createBuilder(nullptr);
  FakeTensorrt other(GetParam());
  other.builderObject.functions = tensorrt.builderObject.functions;
  const auto building = [](abi::ProgressMonitor* monitor) { return stepwise(monitor, 20'000); };
  tensorrt.building = building;
  other.building = building;
  std::thread second([&] { EXPECT_TRUE(other.buildSerializedNetwork()); });
  EXPECT_TRUE(tensorrt.buildSerializedNetwork());
  second.join();
  listening.await(R"("type":"build.finished","build":"1")");
  listening.await(R"("type":"build.finished","build":"2")");
}

TEST_P(HookWatch, GivesAChildProcessItsOwnConnection) {
  if (kSanitized) GTEST_SKIP() << kNoForkSanitized;
  Listening listening;
  createBuilder(nullptr);
  tensorrt.building = [](abi::ProgressMonitor* monitor) { return stepwise(monitor, 3); };
  ASSERT_TRUE(tensorrt.buildSerializedNetwork());
  const pid_t child = fork();
  if (child == 0) {
    tensorrt.buildSerializedNetwork();
    for (;;) pause();
  }
  listening.await("\"pid\":" + std::to_string(child));
  while (count(listening.said(), "build.finished") < 2) std::this_thread::yield();
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(tensorrt.buildSerializedNetwork());
}

TEST_P(HookWatch, TellsOfABuildWhoseProgramLeavesAtOnce) {
  if (kSanitized) GTEST_SKIP() << kNoForkSanitized;
  Listening listening;
  createBuilder(nullptr);
  tensorrt.building = [](abi::ProgressMonitor* monitor) { return stepwise(monitor, 3); };
  const pid_t child = fork();
  if (child == 0) {
    tensorrt.buildSerializedNetwork();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  listening.await("build.finished");
}

TEST_P(HookWatch, LeavesABuildAloneWhenNobodyListens) {
  setenv("TRTSCOPE_SOCKET", "/nowhere/at/all", 1);
  createBuilder(&tensorrt);
  EXPECT_EQ(tensorrt.logger, &tensorrt);
  tensorrt.building = [](abi::ProgressMonitor* monitor) { return monitor == nullptr; };
  EXPECT_TRUE(tensorrt.buildSerializedNetwork());
}

INSTANTIATE_TEST_SUITE_P(Of, HookLimits, testing::Values(10701));
INSTANTIATE_TEST_SUITE_P(Of, HookWatch, testing::Values(100001, 101303, 110400, 10400, 10701));

TEST(HookChannel, WritesNothingToADescriptorThatIsNotItsOwnAnyMore) {
  Listening listening;
  const auto channel = hook::Channel::open(std::getenv("TRTSCOPE_SOCKET"));
  ASSERT_NE(channel, nullptr);
  std::string words = "first";
  EXPECT_TRUE(channel->send(words));
  listening.await("first");
  int ours = -1;
  for (int fd = 3; fd < 1024; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) ours = fd;
  }
  ASSERT_GT(ours, 100);
  int pair[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  dup2(pair[0], ours);
  ASSERT_EQ(write(pair[1], "theirs", 6), 6);
  words = "second";
  std::string heard;
  EXPECT_FALSE(channel->send(words));
  EXPECT_FALSE(channel->receive(heard));
  EXPECT_EQ(heard, "");
  char byte = 0;
  EXPECT_EQ(recv(pair[1], &byte, 1, MSG_DONTWAIT), -1);
}

}  // namespace
}  // namespace trtscope::test
