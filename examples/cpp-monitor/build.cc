// A program that builds an engine and tells trtscope of it by itself: build LIBRARY PARSER MODEL ENGINE [cancel]
//
// What a program of yours has from NvInfer.h comes from trtscope's own declarations here, so that this one compiles
// without NVIDIA's headers. The lines that matter are those with trtscope_.
#include <trtscope.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "abi/library.h"

namespace {

using namespace trtscope;

class Logger final : public abi::VersionedLogger {
 public:
  void log(std::int32_t severity, const char* message) noexcept override {
    constexpr std::int32_t kError = 1;
    if (severity <= kError) lastError = message;
  }
  std::string lastError;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const auto loaded = abi::Library::load(argv[1], argv[2]);
  if (const auto* failure = std::get_if<abi::LoadFailure>(&loaded)) {
    std::fprintf(stderr, "%s\n", failure->message.c_str());
    return 1;
  }
  const auto& tensorrt = std::get<abi::Library>(loaded);
  Logger logger;
  const abi::Builder builder = tensorrt.createBuilder(static_cast<abi::VersionedInterface*>(&logger));
  const abi::Network network = builder.createNetwork(0);
  const abi::Parser parser = tensorrt.createParser(network, static_cast<abi::VersionedInterface*>(&logger));
  if (!parser.parseFile(argv[3], 2)) return 1;
  const abi::BuilderConfig config = builder.createConfig();
  config.setCapabilityCount(1);
  config.setCapability(86, 0);

  const std::string edition(tensorrt.layout().editionName());
  const std::string version(tensorrt.layout().versionText());
  trtscope_monitor* const monitor = trtscope_monitor_create(edition.c_str(), version.c_str());
  config.setProgressMonitor(reinterpret_cast<abi::ProgressMonitor*>(monitor));
  if (argc > 5) trtscope_cancel(monitor, "there is no time for it");
  const abi::HostMemory engine = builder.build(network, config);
  trtscope_monitor_finish(monitor, static_cast<bool>(engine), logger.lastError.c_str());
  config.setProgressMonitor(nullptr);
  const bool cancelled = trtscope_cancelled(monitor) != 0;
  trtscope_monitor_destroy(monitor);

  if (cancelled) std::puts("cancelled");
  if (!engine) return 1;
  std::ofstream(argv[4], std::ios::binary) << engine.bytes();
  std::puts("built");
  return 0;
}
