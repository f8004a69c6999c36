#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "monitor/limit_check.h"
#include "observed.h"

namespace trtscope::test {
namespace {

std::string jsonOf(std::string_view text) {
  std::string out;
  appendJsonString(out, text);
  return out;
}

// The lines with what differs from run to run taken out.
std::string plain(const std::string& lines) {
  std::string text =
      std::regex_replace(lines, std::regex("\"(timeNs|requestedAtNs|thread|forNs|ns|peakMemoryBytes)\":[0-9]+,?"), "");
  return std::regex_replace(text, std::regex("\"build\":\"b\",|,(?=\\})"), "");
}

TEST(JsonString, EscapesWhatJsonForbids) {
  EXPECT_EQ(jsonOf("a \"b\" \\ \n\r\t"), R"("a \"b\" \\ \n\r\t")");
  EXPECT_EQ(jsonOf(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
}

TEST(JsonString, KeepsWellFormedUtf8) { EXPECT_EQ(jsonOf("Größe 形 🎈 \U0010FFFF"), "\"Größe 形 🎈 \U0010FFFF\""); }

TEST(JsonString, ReplacesBytesThatAreNotUtf8) {
  const std::string_view broken[] = {"\x80",     "\xC0\xAF",         "\xE0\x80\xAF", "\xED\xA0\x80",
                                     "\xF5\x80", "\xF4\x90\x80\x80", "\xE2\x82",     "\xF0\x9F\x8E"};
  for (const std::string_view bytes : broken) {
    std::string expected;
    for (std::size_t i = 0; i < bytes.size(); ++i) expected += "\uFFFD";
    EXPECT_EQ(jsonOf(bytes), "\"" + expected + "\"");
    EXPECT_EQ(jsonOf("a" + std::string(bytes) + "b"), "\"a" + expected + "b\"");
  }
}

TEST(EventLines, WriteABuildAsTheVocabularySays) {
  BuildMonitor monitor(0, nullptr);
  monitor.loaded("tensorrt_rtx", "1.7.1", "/lib.so");
  monitor.phaseStart("Building engine", nullptr, 6);
  monitor.phaseStart("lost", "Nobody", 0);
  monitor.phaseStart("child", "Building engine", 1);
  monitor.step("child", 0);
  monitor.log(2, "careful", Origin::kTensorrt, 3);
  monitor.cancel();
  monitor.step("Nobody", 7);
  monitor.phaseFinish("child");
  Ending ending;
  ending.outcome = Outcome::kFailed;
  ending.errorCode = "BUILD_FAILED";
  ending.errorMessage = "no";
  ending.tensorrtCode = 4;
  ending.phasePath = "Building engine\nchild";
  monitor.finished(ending);
  EXPECT_EQ(plain(linesOf(monitor)),
            R"({"v":1,"type":"tensorrt.loaded","seq":1,"edition":"tensorrt_rtx","version":"1.7.1","path":"/lib.so"}
{"type":"phase.started","seq":2,"phase":1,"name":"Building engine","steps":6,"origin":"tensorrt"}
{"type":"phase.started","seq":3,"phase":2,"parentName":"Nobody","name":"lost","origin":"tensorrt"}
{"type":"phase.started","seq":4,"phase":3,"parent":1,"name":"child","steps":1,"origin":"tensorrt"}
{"type":"step.completed","seq":5,"phase":3,"step":0,"done":1}
{"type":"log","seq":6,"severity":"warning","message":"careful","origin":"tensorrt","code":3,"phase":3}
{"type":"step.completed","seq":7,"phase":0,"step":7,"done":1}
{"type":"cancel.acknowledged","seq":8,"by":"step","step":7}
{"type":"phase.finished","seq":9,"phase":3,"done":1}
)"
            R"({"type":"build.finished","seq":10,"outcome":"failed","error":{"code":"BUILD_FAILED","message":"no",)"
            R"("tensorrtCode":4,"phasePath":["Building engine","child"]},"callbacks":{"count":6}})"
            "\n");
}

TEST(EventLines, NameTheEngineOfABuiltOne) {
  BuildMonitor monitor(0, nullptr);
  Ending ending;
  ending.outcome = Outcome::kBuilt;
  ending.enginePath = "/tmp/e";
  ending.engineBytes = 5'000'000'000;
  monitor.finished(ending);
  EXPECT_EQ(plain(linesOf(monitor)), R"({"v":1,"type":"build.finished","seq":1,"outcome":"built",)"
                                     R"("engine":{"path":"/tmp/e","bytes":5000000000},"callbacks":{"count":0}})"
                                     "\n");
}

TEST(EventLines, SayWhatBecameOfABuildsOtherFiles) {
  const auto told = [](const Ending& ending) {
    BuildMonitor monitor(0, nullptr);
    monitor.finished(ending);
    return plain(linesOf(monitor));
  };
  Ending ending;
  ending.outcome = Outcome::kCancelled;
  ending.timingCacheSaved = true;
  EXPECT_EQ(told(ending), R"({"v":1,"type":"build.finished","seq":1,"outcome":"cancelled",)"
                          R"("cleanup":{"temporariesRemoved":[],"timingCacheSaved":true},"callbacks":{"count":0}})"
                          "\n");
  ending.timingCacheSaved.reset();
  ending.temporariesRemoved = {"/tmp/.a", "/tmp/\"b\""};
  EXPECT_EQ(told(ending), R"({"v":1,"type":"build.finished","seq":1,"outcome":"cancelled",)"
                          R"("cleanup":{"temporariesRemoved":["/tmp/.a","/tmp/\"b\""]},"callbacks":{"count":0}})"
                          "\n");
}

TEST(EventLines, TellLimitsSilenceAndHowACancelWent) {
  BuildMonitor monitor(0, nullptr);
  Limits limits;
  limits.totalNs = 5'000'000'000;
  monitor.limit(limits);
  const std::uint32_t phase = monitor.beginOwn("parse");
  Moment at{monitor.elapsedNs(), 0, 0};
  monitor.checkLimits(at);
  at.nowNs += LimitCheck::kFirstQuiet;
  at.cpuNs = LimitCheck::kFirstQuiet / 4;
  monitor.checkLimits(at);
  monitor.request({"call", "a \"worker\" asked", ""});
  monitor.escalated(Escalation::kTerminate);
  monitor.escalated(Escalation::kKill);
  monitor.acknowledgeExit();
  monitor.endOwn(phase);
  const std::string lines =
      std::regex_replace(plain(linesOf(monitor)), std::regex("\"usedNs\":[0-9]+"), "\"usedNs\":9");
  EXPECT_EQ(lines, R"({"v":1,"type":"phase.started","seq":1,"phase":1,"name":"parse","origin":"trtscope"}
{"type":"budget.warning","seq":2,"budget":"total","limitNs":5000000000,"usedNs":9}
{"type":"cancel.requested","seq":3,"reason":{"source":"budget","message":"the budget of 5 s is spent","detail":"total"}}
{"type":"quiet","seq":4,"phase":1,"alive":true,"cpu":0.25}
{"type":"cancel.requested","seq":5,"reason":{"source":"call","message":"a \"worker\" asked"}}
{"type":"cancel.escalated","seq":6,"to":"terminate"}
{"type":"cancel.escalated","seq":7,"to":"kill"}
{"type":"cancel.acknowledged","seq":8,"by":"exit"}
{"type":"phase.finished","seq":9,"phase":1,"done":0}
)");
}

TEST(EventLines, ShowMergedStepsAsAGap) {
  BuildMonitor monitor(0, nullptr);
  monitor.phaseStart("one", nullptr, 1);
  const int steps = static_cast<int>(BuildMonitor::kMaxWaiting) + 9;
  for (int step = 0; step < steps; ++step) monitor.step("one", step);
  const std::string lines = linesOf(monitor);
  const std::string last = plain(lines.substr(lines.rfind('\n', lines.size() - 2) + 1));
  EXPECT_TRUE(std::regex_match(
      last, std::regex(R"(\{"type":"step.completed","seq":65546,"phase":1,"step":65544,"done":65545,"merged":9,)"
                       R"("longest":\{"step":[0-9]+\}\}\n)")))
      << last;
}

TEST(EventLines, StayUnderTheirLimitsAndLoseNothing) {
  BuildMonitor monitor(0, nullptr);
  for (int i = 0; i < 100; ++i) monitor.log(1, std::string(10'000, '\1'), Origin::kTensorrt);
  monitor.finished(Ending{});
  EventLines lines(monitor, "b");
  std::size_t told = 0;
  for (bool more = true; more;) {
    std::string out;
    more = lines.drainTo(out, 50);
    told += static_cast<std::size_t>(std::count(out.begin(), out.end(), '\n'));
    EXPECT_LT(out.size(), 128u * 1024);
    EXPECT_EQ(lines.finished(), !more);
  }
  EXPECT_EQ(told, 101u);
}

}  // namespace
}  // namespace trtscope::test
