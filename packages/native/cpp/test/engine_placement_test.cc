#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "engine/build_failure.h"
#include "engine/placement.h"
#include "temporary_folder.h"

namespace trtscope {
namespace {

class EnginePlacement : public testing::Test {
 protected:
  std::filesystem::path target() const { return folder_.path() / "m.engine"; }
  std::filesystem::path temporary() const { return folder_.path() / test::temporaryName("m.engine", "a1"); }
  void claim() {
    const Placement::Answer answer = placement_.claim();
    EXPECT_EQ(answer.holder + answer.fault, "");
  }

  const test::TemporaryFolder folder_;
  Placement placement_{target(), "a1"};
};

TEST_F(EnginePlacement, TheOldBytesStandUntilTheNewOnesAreWhole) {
  folder_.write("m.engine", "old");
  claim();
  std::string during;
  EXPECT_EQ(placement_.put("new bytes",
                           [&] {
                             during = folder_.read("m.engine");
                             EXPECT_EQ(folder_.read(temporary().filename()), "new bytes");
                           }),
            "");
  EXPECT_EQ(during, "old");
  EXPECT_EQ(folder_.read("m.engine"), "new bytes");
  EXPECT_EQ(placement_.release(), "");
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"m.engine"}));
}

TEST_F(EnginePlacement, WhatIsReleasedBeforeTheRenameLeavesNothing) {
  claim();
  EXPECT_THROW(placement_.put("new", [] { throw std::runtime_error("stop"); }), std::runtime_error);
  EXPECT_EQ(placement_.release(), temporary());
  EXPECT_EQ(placement_.release(), "");
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(EnginePlacement, AbandoningRemovesTheTemporaryAndForbidsTheRename) {
  claim();
  EXPECT_THROW(placement_.put("new", [&] { EXPECT_FALSE(placement_.abandon()); }), BuildCancelled);
  EXPECT_TRUE(folder_.names().empty());
  EXPECT_THROW(placement_.claim(), BuildCancelled);
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(EnginePlacement, AbandoningSaysWhenItIsTooLate) {
  claim();
  EXPECT_EQ(placement_.put("engine", [] {}), "");
  EXPECT_TRUE(placement_.abandon());
  EXPECT_EQ(folder_.read("m.engine"), "engine");
}

TEST_F(EnginePlacement, ADiskThatTakesNoMoreIsTheReasonAndTheOldBytesStand) {
  folder_.write("m.engine", "old");
  claim();
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit narrow = {2, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &narrow);
  const std::string fault = placement_.put("new", [] {});
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(fault, "File too large (after 2 of 3 bytes)");
  EXPECT_EQ(folder_.read("m.engine"), "old");
  EXPECT_EQ(placement_.release(), temporary());
}

TEST_F(EnginePlacement, TheTargetIsFreeOnceTheBytesAreInPlace) {
  claim();
  Placement next(target(), "a2");
  EXPECT_EQ(next.claim().holder, std::to_string(getpid()));
  EXPECT_EQ(placement_.put("first", [] {}), "");
  EXPECT_EQ(next.claim().holder, "");
  EXPECT_EQ(next.put("second", [] {}), "");
  EXPECT_EQ(folder_.read("m.engine"), "second");
}

TEST_F(EnginePlacement, ATemporaryThatSomebodyTidiedUpIsMadeAgain) {
  claim();
  std::filesystem::remove(temporary());
  EXPECT_EQ(placement_.put("engine", [] {}), "");
  EXPECT_EQ(folder_.read("m.engine"), "engine");
}

TEST_F(EnginePlacement, AfterItsTemporaryWasTidiedUpItYieldsToAnotherBuild) {
  claim();
  std::filesystem::remove(temporary());
  Placement next(target(), "a2");
  EXPECT_EQ(next.claim().holder, "");
  EXPECT_EQ(placement_.put("engine", [] {}), "process " + std::to_string(getpid()) + " is writing it");
  EXPECT_EQ(next.put("next", [] {}), "");
  EXPECT_EQ(folder_.read("m.engine"), "next");
}

TEST_F(EnginePlacement, WritesAnEmptyFileToo) {
  claim();
  EXPECT_EQ(placement_.put("", [] {}), "");
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"m.engine"}));
}

}  // namespace
}  // namespace trtscope
