#pragma once

#include <optional>

#include "abi/library.h"
#include "engine/build_request.h"
#include "monitor/build_monitor.h"
#include "monitor/error_recorder.h"
#include "monitor/logger_adaptor.h"
#include "monitor/progress_adaptor.h"

namespace trtscope {

// All that one build has of TensorRT, filled step by step and ended in reverse order: what TensorRT calls ends last.
struct BuildObjects {
  BuildObjects(const BuildRequest& theRequest, BuildMonitor& theMonitor)
      : request(theRequest),
        monitor(theMonitor),
        logger(theMonitor, theRequest.logSeverity),
        progress(theMonitor),
        recorder(theMonitor, progress) {}

  // TensorRT's errors since forgetErrors(): whether there are any, and what they (or a warning) say in its own words.
  bool hasErrors() const;
  std::string reason() const;
  void forgetErrors() noexcept;

  const BuildRequest& request;
  BuildMonitor& monitor;
  LoggerAdaptor logger;
  ProgressAdaptor progress;
  ErrorRecorder recorder;
  std::optional<abi::Library> library;
  std::optional<abi::Builder> builder;
  std::optional<abi::Network> network;
  std::optional<abi::Parser> parser;
  std::optional<abi::TimingCache> timingCache;
  bool timingCacheRefused = false;
  std::size_t timingCacheBytes = 0;  // before the build
  std::optional<abi::BuilderConfig> config;
  std::optional<abi::HostMemory> engine;
};

// The build up to TensorRT's own part, in this order. Each throws BuildFailure.
void loadTensorrt(BuildObjects& objects);
void parseModel(BuildObjects& objects);
void configure(BuildObjects& objects);

}  // namespace trtscope
