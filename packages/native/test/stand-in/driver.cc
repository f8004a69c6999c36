// Drives a stand-in by the path that is given, with our own ABI, monitor, logger and error recorder, and prints the
// events. With a second word the build is cancelled before its first step.
#include <cstdio>

#include "abi/enums.h"
#include "abi/library.h"
#include "monitor/error_recorder.h"
#include "monitor/logger_adaptor.h"
#include "monitor/progress_adaptor.h"
#include "wire/event_lines.h"

namespace {

using namespace trtscope;

constexpr std::int32_t kInfo = 3;

void print(BuildMonitor& monitor) {
  EventLines lines(monitor, "stand-in");
  std::string out;
  while (lines.drainTo(out, 1000)) {}
  std::fputs(out.c_str(), stdout);
}

// The bytes of the engine; "" for none.
std::string build(const abi::Library& library, BuildMonitor& monitor) {
  LoggerAdaptor logger(monitor, kInfo);
  ProgressAdaptor progress(monitor);
  ErrorRecorder recorder(monitor, progress);
  void* const ownLogger = logger.forLayout(library.layout());
  const abi::Builder builder = library.createBuilder(ownLogger);
  builder.setErrorRecorder(&recorder);
  const auto flag = [&](const char* name) { return *abi::kBuilderFlags.value(name, library.layout()); };
  const auto check = [&](bool right) {
    if (!right) monitor.log(0, "a wrong answer", Origin::kTrtscope);
  };
  check(builder.setMaxThreads(3));
  const int getLogger = library.layout().slot(abi::Slot::kBuilderLogger);
  check(abi::callVirtual<void*>(static_cast<void**>(builder.get())[1], getLogger) == ownLogger);
  const abi::BuilderConfig config = builder.createConfig();
  config.setFlag(flag("VERSION_COMPATIBLE"));
  config.clearFlag(flag("TF32"));
  check(config.flag(flag("REFIT")));
  check(!config.flag(flag("DEBUG")));
  config.setProfilingVerbosity(2);
  config.setMemoryPoolLimit(5, 640);
  config.setOptimizationLevel(4);
  check(config.setMaxAuxStreams(2));
  config.setMaxTactics(9);
  config.setProgressMonitor(&progress);
  const abi::HostMemory engine = builder.build(abi::Network(nullptr, library.layout()), config);
  check(static_cast<bool>(engine) != progress.saidNo());
  return engine ? std::string(engine.bytes()) : "";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto loaded = abi::Library::load(argv[1], argv[1]);
  if (const auto* failure = std::get_if<abi::LoadFailure>(&loaded)) {
    std::fprintf(stderr, "%s\n", failure->message.c_str());
    return 1;
  }
  const auto& library = std::get<abi::Library>(loaded);
  BuildMonitor monitor(0, nullptr);
  monitor.loaded(library.layout().editionName(), library.layout().versionText(), argv[1]);
  if (argc > 2) monitor.cancel();
  const std::string engine = build(library, monitor);
  monitor.log(kInfo, "engine: " + engine, Origin::kTrtscope);
  print(monitor);
  return 0;
}
