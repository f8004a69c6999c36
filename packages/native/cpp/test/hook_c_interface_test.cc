#include <gtest/gtest.h>
#include <sys/wait.h>

#include "hook/hook_interface.h"
#include "hook_program.h"
#include "trtscope.h"

namespace trtscope::test {
namespace {

abi::ProgressMonitor* interfaceOf(trtscope_monitor* monitor) {
  return reinterpret_cast<abi::ProgressMonitor*>(monitor);
}

// What TensorRT does with a monitor; answers whether it built.
bool build(trtscope_monitor* monitor, int steps = 3) {
  abi::ProgressMonitor& told = *interfaceOf(monitor);
  told.phaseStart("one", nullptr, steps);
  bool goesOn = true;
  for (int step = 0; step < steps && goesOn; ++step) goesOn = told.stepComplete("one", step);
  told.phaseFinish("one");
  return goesOn;
}

std::size_t count(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
  return found;
}

void expectSaid(const Listening& listening, const std::string& words) {
  EXPECT_NE(const_cast<Listening&>(listening).said().find(words), std::string::npos) << words;
}

TEST(HookCInterface, TellsOfABuildThatTheProgramGivesItsMonitorTo) {
  Listening listening;
  trtscope_monitor* monitor = trtscope_monitor_create("tensorrt_rtx", "1.7.1");
  ASSERT_NE(monitor, nullptr);
  EXPECT_STREQ(interfaceOf(monitor)->getInterfaceInfo().kind, "IProgressMonitor");
  EXPECT_TRUE(build(monitor));
  trtscope_monitor_finish(monitor, 1, nullptr);
  trtscope_monitor_finish(monitor, 0, "too late");
  listening.await("build.finished");
  trtscope_monitor_destroy(monitor);
  expectSaid(listening, R"("edition":"tensorrt_rtx","version":"1.7.1")");
  expectSaid(listening, R"("done":3)");
  expectSaid(listening, R"("name":"finish")");
  expectSaid(listening, R"("outcome":"built")");
  EXPECT_EQ(count(listening.said(), "build.finished"), 1U);
}

TEST(HookCInterface, NeedsNoVersion) {
  Listening listening;
  for (const char* edition : {static_cast<const char*>(nullptr), "tensorrt", "another"}) {
    trtscope_monitor* monitor = trtscope_monitor_create(edition, nullptr);
    trtscope_monitor_finish(monitor, 1, nullptr);
    trtscope_monitor_destroy(monitor);
  }
  listening.await(R"("type":"build.finished","build":"3")");
  EXPECT_EQ(listening.said().find("tensorrt.loaded"), std::string::npos);
}

TEST(HookCInterface, SaysWhyABuildHasFailed) {
  Listening listening;
  trtscope_monitor* monitor = trtscope_monitor_create(nullptr, nullptr);
  build(monitor);
  trtscope_monitor_finish(monitor, 0, "no memory is left");
  listening.await("build.finished");
  trtscope_monitor_destroy(monitor);
  expectSaid(listening, R"("code":"BUILD_FAILED","message":"no memory is left")");
}

TEST(HookCInterface, CountsABuildThatIsGivenUpAsFailed) {
  Listening listening;
  trtscope_monitor_destroy(trtscope_monitor_create(nullptr, nullptr));
  listening.await("build.finished");
  expectSaid(listening, R"("outcome":"failed")");
}

TEST(HookCInterface, CancelsForTheProgram) {
  Listening listening;
  trtscope_monitor* monitor = trtscope_monitor_create(nullptr, nullptr);
  EXPECT_EQ(trtscope_cancelled(monitor), 0);
  trtscope_cancel(monitor, "the user left");
  trtscope_cancel(monitor, "again");
  EXPECT_NE(trtscope_cancelled(monitor), 0);
  EXPECT_FALSE(build(monitor));
  trtscope_monitor_finish(monitor, 0, "not said");
  listening.await("build.finished");
  trtscope_monitor_destroy(monitor);
  expectSaid(listening, R"("source":"program","message":"the user left")");
  expectSaid(listening, R"("outcome":"cancelled")");
  EXPECT_EQ(count(listening.said(), "cancel.requested"), 1U);
}

TEST(HookCInterface, IsCancelledFromTheOtherEnd) {
  Listening listening;
  trtscope_monitor* monitor = trtscope_monitor_create(nullptr, nullptr);
  listening.await(R"("type":"build")");
  listening.send({"cancel", "1"});
  while (trtscope_cancelled(monitor) == 0) std::this_thread::yield();
  EXPECT_FALSE(build(monitor));
  trtscope_monitor_finish(monitor, 0, nullptr);
  listening.await(R"("outcome":"cancelled")");
  trtscope_monitor_destroy(monitor);
}

TEST(HookCInterface, KeepsTheLimitsOfTheOtherEnd) {
  Listening listening({"welcome", "budgetTotalNs", "100000000"});
  trtscope_monitor* monitor = trtscope_monitor_create(nullptr, nullptr);
  interfaceOf(monitor)->phaseStart("one", nullptr, 1);
  while (interfaceOf(monitor)->stepComplete("one", 0)) std::this_thread::yield();
  EXPECT_NE(trtscope_cancelled(monitor), 0);
  trtscope_monitor_destroy(monitor);
  listening.await(R"("source":"budget")");
}

TEST(HookCInterface, IsAMonitorLikeAnyWhenNobodyListens) {
  for (const char* path : {"/nowhere/at/all", ""}) {
    setenv("TRTSCOPE_SOCKET", path, 1);
    trtscope_monitor* monitor = trtscope_monitor_create("tensorrt", "10.13.3");
    ASSERT_NE(monitor, nullptr);
    EXPECT_TRUE(build(monitor));
    EXPECT_EQ(trtscope_cancelled(monitor), 0);
    trtscope_cancel(monitor, nullptr);
    EXPECT_NE(trtscope_cancelled(monitor), 0);
    EXPECT_FALSE(build(monitor));
    trtscope_monitor_finish(monitor, 0, nullptr);
    trtscope_monitor_destroy(monitor);
  }
}

TEST(HookCInterface, TakesNullForAMonitor) {
  trtscope_monitor_finish(nullptr, 1, nullptr);
  trtscope_cancel(nullptr, "nothing");
  EXPECT_EQ(trtscope_cancelled(nullptr), 0);
  trtscope_monitor_destroy(nullptr);
}

TEST(HookCInterface, TellsBuildsOfSeveralThreadsApart) {
  Listening listening;
  std::vector<std::thread> threads;
  for (int at = 0; at < 4; ++at) {
    threads.emplace_back([] {
      trtscope_monitor* monitor = trtscope_monitor_create(nullptr, nullptr);
      const bool built = build(monitor, 10'000);
      trtscope_monitor_finish(monitor, built ? 1 : 0, nullptr);
      trtscope_monitor_destroy(monitor);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const char* id : {"1", "2", "3", "4"}) {
    listening.await(R"("type":"build.finished","build":")" + std::string(id) + '"');
  }
  EXPECT_EQ(count(listening.said(), R"("phase":1,"done":10000})"), 4U);
}

TEST(HookCInterface, EndsWithItsProcessThatForgotIt) {
  if (kSanitized) GTEST_SKIP() << kNoForkSanitized;
  Listening listening;
  const pid_t child = fork();
  if (child == 0) {
    build(trtscope_monitor_create(nullptr, nullptr));
    std::exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  listening.await("the program ended before it said how its build ended");
}

TEST(HookCInterface, LeavesABuildThatWentOnInAChildToTheParent) {
  Listening listening;
  trtscope_monitor* monitor = trtscope_monitor_create(nullptr, nullptr);
  interfaceOf(monitor)->phaseStart("one", nullptr, 3);
  const pid_t child = fork();
  if (child == 0) {
    const bool goesOn = interfaceOf(monitor)->stepComplete("one", 0);
    trtscope_monitor_finish(monitor, 0, "not the child's");
    trtscope_monitor_destroy(monitor);
    _exit(goesOn ? 7 : 8);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  trtscope_monitor_finish(monitor, 1, nullptr);
  listening.await(R"("outcome":"built")");
  trtscope_monitor_destroy(monitor);
}

// A program that uses trtscope.h and is under the hook as well.
class HookCInterfaceUnderHook : public testing::Test {
 protected:
  HookCInterfaceUnderHook() {
    current = this;
    TrtscopeLibrary library{"/lib/libfake.so", [] { return std::int32_t{10701}; }, 1, reinterpret_cast<void*>(&create)};
    trtscopeWatcher()->createBuilder(&library, nullptr, 1);
    tensorrt.building = [](abi::ProgressMonitor* told) {
      return told != nullptr && build(reinterpret_cast<trtscope_monitor*>(told));
    };
  }

  Listening listening;
  FakeTensorrt tensorrt{10701};

 private:
  static void* create(void*, std::int32_t) { return &current->tensorrt.builder; }
  static inline HookCInterfaceUnderHook* current = nullptr;
};

TEST_F(HookCInterfaceUnderHook, HasItsBuildToldOnceAndWithAllThatTheHookKnows) {
  trtscope_monitor* monitor = trtscope_monitor_create(nullptr, nullptr);
  tensorrt.monitor = interfaceOf(monitor);
  EXPECT_TRUE(tensorrt.buildSerializedNetwork());
  EXPECT_EQ(tensorrt.monitor, interfaceOf(monitor));
  trtscope_monitor_finish(monitor, 1, nullptr);
  trtscope_monitor_destroy(monitor);
  listening.await("build.finished");
  const std::string said = listening.said();
  EXPECT_EQ(count(said, R"("type":"build")"), 1U);
  EXPECT_EQ(count(said, R"("name":"one")"), 1U);
  EXPECT_EQ(count(said, "build.finished"), 1U);
  EXPECT_EQ(count(said, "tensorrt.loaded"), 1U);
  EXPECT_NE(said.find(R"("done":3)"), std::string::npos);
}

TEST_F(HookCInterfaceUnderHook, HasTheNextBuildOfOneMonitorToldToo) {
  trtscope_monitor* monitor = trtscope_monitor_create(nullptr, nullptr);
  tensorrt.monitor = interfaceOf(monitor);
  EXPECT_TRUE(tensorrt.buildSerializedNetwork());
  EXPECT_TRUE(tensorrt.buildSerializedNetwork());
  EXPECT_EQ(tensorrt.monitor, interfaceOf(monitor));
  listening.await(R"("type":"build.finished","build":"2")");
  trtscope_monitor_destroy(monitor);
  EXPECT_EQ(count(listening.said(), R"("outcome":"built")"), 2U);
}

TEST_F(HookCInterfaceUnderHook, CancelsForTheProgram) {
  trtscope_monitor* monitor = trtscope_monitor_create(nullptr, nullptr);
  tensorrt.monitor = interfaceOf(monitor);
  trtscope_cancel(monitor, "the user left");
  EXPECT_FALSE(tensorrt.buildSerializedNetwork());
  listening.await(R"("outcome":"cancelled")");
  trtscope_monitor_destroy(monitor);
  EXPECT_NE(listening.said().find("the user left"), std::string::npos);
}

}  // namespace
}  // namespace trtscope::test
