#include <gtest/gtest.h>

#include <fstream>
#include <semaphore>
#include <thread>

#include "abi/library.h"
#include "engine/engine_build.h"
#include "observed.h"
#include "temporary_folder.h"

namespace trtscope::test {
namespace {

std::string simulator(const std::string& layout) {
  return TRTSCOPE_SIMULATORS "/libtrtscope_simulator_" + layout + ".so";
}

BuildRequest requestOf(const std::filesystem::path& folder, const std::string& script) {
  BuildRequest request;
  request.library = request.parser = simulator("tensorrt-10.13");
  request.model = folder / "model.onnx";
  request.output = folder / "model.engine";
  std::ofstream(request.model) << "trtscope simulator 1\n" << script;
  return request;
}

// Every thread makes half of its steps while the cancel is asked for, and half when it certainly has been.
TEST(Simulator, CallbacksOfEightThreadsAfterACancelAllAnswerNo) {
  constexpr int kThreads = 8;
  constexpr int kHalf = 1000;
  const TemporaryFolder folder;
  const std::filesystem::path gate = folder.path() / "gate";
  const std::string half = "steps " + std::to_string(kHalf) + "\n";
  const std::string script = "build\nanswers\nignore\nphase 1 Building engine\nthreads " + std::to_string(kThreads) +
                             "\nphase " + std::to_string(2 * kHalf) + " Timing tactics\n" + half + "await " +
                             gate.string() + "\n" + half + "end\n";
  std::counting_semaphore<> wakes(0);
  BuildMonitor monitor(0, [&] { wakes.release(); });
  EngineBuild build(requestOf(folder.path(), script), monitor);
  std::thread building([&] { build.run(); });

  std::string told;
  for (bool ended = false; !ended; wakes.acquire()) {
    for (const Observed& record : observe(monitor)) {
      ended = ended || record.kind == RecordKind::kFinished;
      if (record.kind == RecordKind::kLog) told = record.name;
      if (record.kind != RecordKind::kStepCompleted || monitor.cancelRequested()) continue;
      monitor.cancel();
      const std::ofstream open(gate);
    }
    if (ended) break;
  }
  building.join();

  int answers = 0;
  int no = 0;
  int late = -1;
  std::sscanf(told.c_str(), "simulator: %d answers, %d of them no, %d yes after a no", &answers, &no, &late);
  EXPECT_EQ(answers, 2 * kThreads * kHalf) << told;
  EXPECT_GE(no, kThreads * kHalf) << told;
  EXPECT_EQ(late, 0) << told;
  EXPECT_EQ(monitor.ending().outcome, Outcome::kCancelled);
}

class SimulatorLayout : public testing::TestWithParam<const char*> {};

TEST_P(SimulatorLayout, EndsTheProcessWithASentenceForASlotThatItDoesNotHave) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  abi::VersionedLogger* logger = nullptr;
  const auto loaded = abi::Library::load(simulator(GetParam()), simulator(GetParam()));
  const auto& library = std::get<abi::Library>(loaded);
  const abi::Builder builder = library.createBuilder(logger);
  const std::string words = library.layout().title() + " has no function in slot 70 of VBuilder\\.";
  EXPECT_DEATH(abi::callVirtual<void>(static_cast<void**>(builder.get())[1], 70), words);
}

INSTANTIATE_TEST_SUITE_P(Of, SimulatorLayout,
                         testing::Values("tensorrt-10.0", "tensorrt-10.13", "tensorrt-11.4", "tensorrt-rtx-1.4",
                                         "tensorrt-rtx-1.7"));

}  // namespace
}  // namespace trtscope::test
