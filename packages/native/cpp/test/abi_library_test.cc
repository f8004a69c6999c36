#include "abi/library.h"

#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace trtscope::abi {
namespace {

namespace fs = std::filesystem;

class AbiLibrary : public testing::Test {
 protected:
  AbiLibrary() : file_(fs::path(testing::TempDir()) / ("library." + std::to_string(getpid()))) {}
  ~AbiLibrary() override { fs::remove(file_); }

  static LoadFailure failureOf(const std::string& path) {
    const auto loaded = Library::load(path, "");
    return std::holds_alternative<LoadFailure>(loaded) ? std::get<LoadFailure>(loaded) : LoadFailure{};
  }
  void writeHeader(Elf64_Half machine, Elf64_Off sectionsAt) const {
    Elf64_Ehdr head{};
    std::copy(ELFMAG, ELFMAG + SELFMAG, head.e_ident);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_machine = machine;
    head.e_shoff = sectionsAt;
    std::ofstream(file_, std::ios::binary).write(reinterpret_cast<const char*>(&head), sizeof(head));
  }

  const fs::path file_;
};

TEST_F(AbiLibrary, IsMissingWithoutAPathOrAFile) {
  EXPECT_EQ(failureOf("").code, "TENSORRT_MISSING");
  const LoadFailure failure = failureOf(file_);
  EXPECT_EQ(failure.code, "TENSORRT_MISSING");
  EXPECT_NE(failure.message.find(file_.string()), std::string::npos);
}

TEST_F(AbiLibrary, IsUnloadableWhenItIsNoLibrary) {
  std::ofstream(file_) << "INPUT(-lnvinfer) /* a linker script is text */ and long enough for a header to be read";
  EXPECT_EQ(failureOf(file_).code, "TENSORRT_UNLOADABLE");
  EXPECT_NE(failureOf(file_).message.find("no ELF file"), std::string::npos);
  EXPECT_EQ(failureOf(fs::temp_directory_path()).code, "TENSORRT_UNLOADABLE");
}

TEST_F(AbiLibrary, IsUnloadableWhenItIsForAnotherMachine) {
  writeHeader(EM_PPC64, 0);
  EXPECT_EQ(failureOf(file_).code, "TENSORRT_UNLOADABLE");
  EXPECT_NE(failureOf(file_).message.find("built for machine 21"), std::string::npos);
}

TEST_F(AbiLibrary, IsUnloadableWhenItsDownloadWasCutShort) {
#if defined(__aarch64__)
  writeHeader(EM_AARCH64, 1'000'000);
#else
  writeHeader(EM_X86_64, 1'000'000);
#endif
  EXPECT_EQ(failureOf(file_).message, file_.string() + " is cut short. Install it again.");
}

TEST_F(AbiLibrary, IsUnloadableWhenItIsNotTensorrts) {
  Dl_info own;
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&std::terminate), &own), 0);
  const LoadFailure failure = failureOf(own.dli_fname);
  EXPECT_EQ(failure.code, "TENSORRT_UNLOADABLE");
  EXPECT_NE(failure.message.find("it has no getInferLibVersion"), std::string::npos);
}

}  // namespace
}  // namespace trtscope::abi
