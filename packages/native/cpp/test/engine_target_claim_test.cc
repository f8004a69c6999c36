#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include "engine/target_claim.h"
#include "temporary_folder.h"

namespace trtscope {
namespace {

class EngineTargetClaim : public testing::Test {
 protected:
  std::filesystem::path target() const { return folder_.path() / "m.engine"; }
  std::string own(const std::string& tag) const { return test::temporaryName("m.engine", tag); }
  using Names = std::set<std::string>;

  const test::TemporaryFolder folder_;
};

// A child that has claimed the target, and what it told of it.
class Holder {
 public:
  explicit Holder(const std::string& target) {
    int told[2];
    EXPECT_EQ(pipe(told), 0);
    pid_ = fork();
    if (pid_ == 0) {
      const Claim claim = claimTarget(target, "held");
      const char taken = claim.file.get() >= 0 ? 'y' : 'n';
      if (write(told[1], &taken, 1) == 1) pause();
      _exit(0);
    }
    close(told[1]);
    EXPECT_EQ(read(told[0], &taken_, 1), 1);
    close(told[0]);
  }
  ~Holder() { kill(); }
  void kill() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  pid_t pid() const { return pid_; }
  bool taken() const { return taken_ == 'y'; }

 private:
  pid_t pid_ = 0;
  char taken_ = ' ';
};

TEST_F(EngineTargetClaim, IsAnEmptyTemporaryBesideTheTarget) {
  const Claim claim = claimTarget(target(), "a1");
  EXPECT_GE(claim.file.get(), 0);
  EXPECT_EQ(claim.temporary, folder_.path() / own("a1"));
  EXPECT_EQ(claim.holder + claim.fault, "");
  EXPECT_EQ(folder_.names(), Names{own("a1")});
  EXPECT_EQ(folder_.read(own("a1")), "");
}

TEST_F(EngineTargetClaim, IsRefusedWhileAnotherProcessHasTheTarget) {
  Holder other(target());
  ASSERT_TRUE(other.taken());
  const Claim claim = claimTarget(target(), "a1");
  EXPECT_LT(claim.file.get(), 0);
  EXPECT_EQ(claim.holder, std::to_string(other.pid()));
  EXPECT_EQ(folder_.names().size(), 1U);
}

TEST_F(EngineTargetClaim, EndsWithItsProcessAndSweepsWhatThatLeft) {
  Holder other(target());
  const std::string left = test::temporaryName("m.engine", "held", other.pid());
  other.kill();
  EXPECT_EQ(folder_.names(), Names{left});
  const Claim claim = claimTarget(target(), "a1");
  EXPECT_GE(claim.file.get(), 0);
  EXPECT_EQ(claim.swept, std::vector<std::string>{folder_.path() / left});
  EXPECT_EQ(folder_.names(), Names{own("a1")});
}

TEST_F(EngineTargetClaim, IsForOneTargetOnly) {
  folder_.write("m", "");
  const Claim engine = claimTarget(target(), "a1");
  const Claim shorter = claimTarget(folder_.path() / "m", "a1");
  const Claim longer = claimTarget(folder_.path() / ("m.engine." + std::to_string(getpid())), "a1");
  const Claim cache = claimTarget(folder_.path() / "m.cache", "a1");
  for (const Claim* claim : {&engine, &shorter, &longer, &cache}) EXPECT_GE(claim->file.get(), 0);
  EXPECT_EQ(folder_.names().size(), 5U);
}

TEST_F(EngineTargetClaim, TouchesNoFileThatIsNotATemporaryOfTheTarget) {
  const Names others = {".m.engine.trtscope-tmp",
                        ".m.engine.12.trtscope-tmp",
                        ".m.engine.12.a1.trtscope-tm",
                        ".m.engine.x.a1.trtscope-tmp",
                        ".m.engine.12.A.trtscope-tmp",
                        "m.engine.12.a1.trtscope-tmp",
                        ".x.engine.12.a1.trtscope-tmp",
                        ".m.engine.12.a.b.trtscope-tmp",
                        ".m.engine.12.0123456789abcdef.trtscope-tmp",
                        ".trtscope-tmp"};
  for (const std::string& name : others) folder_.write(name, "mine");
  EXPECT_TRUE(claimTarget(target(), "a1").swept.empty());
  Names left = folder_.names();
  left.erase(own("a1"));
  EXPECT_EQ(left, others);
}

TEST_F(EngineTargetClaim, SweepsNeitherLinksNorPipesNorFolders) {
  folder_.write("precious", "precious");
  std::filesystem::create_symlink("precious", folder_.path() / own("link"));
  std::filesystem::create_directory(folder_.path() / own("folder"));
  ASSERT_EQ(mkfifo((folder_.path() / own("pipe")).c_str(), 0600), 0);
  EXPECT_TRUE(claimTarget(target(), "a1").swept.empty());
  EXPECT_EQ(folder_.names().size(), 5U);
}

TEST_F(EngineTargetClaim, FollowsNoLinkThatStandsInItsPlace) {
  folder_.write("precious", "precious");
  std::filesystem::create_symlink("precious", folder_.path() / own("a1"));
  EXPECT_NE(claimTarget(target(), "a1").fault, "");
  EXPECT_EQ(folder_.read("precious"), "precious");
}

TEST_F(EngineTargetClaim, SaysWhyATargetCannotBeTaken) {
  EXPECT_EQ(claimTarget(folder_.path(), "a1").fault, "it is not a regular file");
  EXPECT_EQ(claimTarget("/dev/null", "a1").fault, "it is not a regular file");
  EXPECT_EQ(claimTarget(folder_.path() / "none" / "m.engine", "a1").fault, "No such file or directory");
  EXPECT_NE(claimTarget("/proc/self/m.engine", "a1").fault, "");
}

TEST_F(EngineTargetClaim, WaitsOnlySoLongForAFolderThatSomebodyKeepsLocked) {
  const Descriptor folder(folder_.path(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(folder.get(), LOCK_EX), 0);
  EXPECT_GE(claimTarget(target(), "a1").file.get(), 0);
}

TEST_F(EngineTargetClaim, OfAnyNumberOfThreadsAtOnceOneHasTheTarget) {
  for (int round = 0; round < 20; ++round) {
    std::vector<Claim> claims(16);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      threads.emplace_back([&, i] { claims[i] = claimTarget(target(), "t" + std::to_string(i)); });
    }
    for (std::thread& thread : threads) thread.join();
    const auto taken = std::count_if(claims.begin(), claims.end(), [](const Claim& c) { return c.file.get() >= 0; });
    EXPECT_EQ(taken, 1);
    for (const Claim& claim : claims) {
      EXPECT_EQ(claim.fault, "");
      EXPECT_TRUE(claim.file.get() >= 0 || claim.holder == std::to_string(getpid()));
    }
    EXPECT_EQ(folder_.names().size(), 1U);
  }
}

// Without the folder's lock, a claim that is looking may take a temporary for a dead one's between its birth and its
// lock.
TEST_F(EngineTargetClaim, IsNeverSweptWhileItLivesEvenWithoutTheFoldersLock) {
  const Descriptor folder(folder_.path(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(folder.get(), LOCK_EX), 0);
  std::vector<Claim> claims(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    threads.emplace_back([&, i] { claims[i] = claimTarget(target(), "t" + std::to_string(i)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Claim& claim : claims) {
    EXPECT_EQ(claim.file.get() >= 0, folder_.names().contains(std::filesystem::path(claim.temporary).filename()));
  }
}

}  // namespace
}  // namespace trtscope
