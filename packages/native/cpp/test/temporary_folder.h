#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace trtscope::test {

// A folder of one test, which is gone after it.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(testing::TempDir() + "trtscope-XXXXXX") { mkdtemp(path_.data()); }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path path() const { return path_; }
  void write(const std::string& name, const std::string& bytes) const { std::ofstream(path() / name) << bytes; }
  std::string read(const std::string& name) const {
    std::ifstream file(path() / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) names.insert(entry.path().filename());
    return names;
  }

 private:
  std::string path_;
};

inline std::string temporaryName(const std::string& target, const std::string& tag, pid_t pid = getpid()) {
  return "." + target + "." + std::to_string(pid) + "." + tag + ".trtscope-tmp";
}

}  // namespace trtscope::test
