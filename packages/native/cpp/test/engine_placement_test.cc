#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "engine/build_failure.h"
#include "engine/placement.h"

namespace trtscope {
namespace {

namespace fs = std::filesystem;

class EnginePlacement : public testing::Test {
 protected:
  EnginePlacement() : folder_(fs::path(testing::TempDir()) / ("placement." + std::to_string(getpid()))) {
    fs::create_directory(folder_);
  }
  ~EnginePlacement() override { fs::remove_all(folder_); }

  fs::path target() const { return folder_ / "m.engine"; }
  fs::path temporary() const { return folder_ / (".m.engine." + std::to_string(getpid()) + ".trtscope-tmp"); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static void write(const fs::path& path, const std::string& bytes) { std::ofstream(path) << bytes; }
  static std::string read(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const fs::path folder_;
  Placement placement_;
};

TEST_F(EnginePlacement, TheOldBytesStandUntilTheNewOnesAreWhole) {
  write(target(), "old");
  std::string during;
  EXPECT_EQ(placement_.put(target(), "new bytes",
                           [&] {
                             during = read(target());
                             EXPECT_EQ(read(temporary()), "new bytes");
                           }),
            "");
  EXPECT_EQ(during, "old");
  EXPECT_EQ(read(target()), "new bytes");
  EXPECT_EQ(files(), 1U);
}

TEST_F(EnginePlacement, AFaultBeforeTheRenameLeavesNothing) {
  EXPECT_THROW(placement_.put(target(), "new", [] { throw std::runtime_error("stop"); }), std::runtime_error);
  EXPECT_EQ(files(), 0U);
}

TEST_F(EnginePlacement, AbandoningRemovesTheTemporaryAndForbidsTheRename) {
  EXPECT_THROW(placement_.put(target(), "new", [&] { EXPECT_FALSE(placement_.abandon()); }), BuildCancelled);
  EXPECT_EQ(files(), 0U);
  EXPECT_THROW(placement_.put(target(), "new", [] {}), BuildCancelled);
  EXPECT_EQ(files(), 0U);
}

TEST_F(EnginePlacement, AbandoningSaysWhenItIsTooLate) {
  EXPECT_EQ(placement_.put(target(), "engine", [] {}), "");
  EXPECT_TRUE(placement_.abandon());
  EXPECT_EQ(read(target()), "engine");
}

TEST_F(EnginePlacement, ADiskThatTakesNoMoreIsTheReasonAndTheOldBytesStand) {
  write(target(), "old");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit narrow = {2, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &narrow);
  const std::string fault = placement_.put(target(), "new", [] {});
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(fault, "File too large (after 2 of 3 bytes)");
  EXPECT_EQ(read(target()), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(EnginePlacement, DoesNotFollowALinkThatStandsInTheTemporarysPlace) {
  write(folder_ / "precious", "precious");
  fs::create_symlink("precious", temporary());
  EXPECT_NE(placement_.put(target(), "new", [] {}), "");
  EXPECT_EQ(read(folder_ / "precious"), "precious");
}

TEST_F(EnginePlacement, SaysWhyATargetCannotBeWritten) {
  EXPECT_EQ(placement_.put(folder_, "new", [] {}), "it is not a regular file");
  EXPECT_EQ(placement_.put("/dev/null", "new", [] {}), "it is not a regular file");
  EXPECT_EQ(placement_.put(folder_ / "none" / "m.engine", "new", [] {}), "No such file or directory");
}

TEST_F(EnginePlacement, TakesOverWhatADeadProcessLeftAndNotWhatAnotherBuildWrites) {
  write(temporary(), "left over, and longer than the new bytes");
  EXPECT_EQ(placement_.put(target(), "new", [] {}), "");
  EXPECT_EQ(read(target()), "new");

  Placement other;
  EXPECT_EQ(
      placement_.put(
          target(), "mine",
          [&] { EXPECT_EQ(other.put(target(), "theirs", [] {}), "another build in this process is writing it"); }),
      "");
  EXPECT_EQ(read(target()), "mine");
}

TEST_F(EnginePlacement, WritesAnEmptyFileToo) {
  EXPECT_EQ(placement_.put(target(), "", [] {}), "");
  EXPECT_TRUE(fs::exists(target()));
}

}  // namespace
}  // namespace trtscope
