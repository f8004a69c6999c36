// A builder and its config, derived from NVIDIA's own classes: what a program of theirs would call, seen from the other
// side. It logs what is set, calls back as TensorRT does, and asks every function that it has been given. Compiled
// against real headers, with a header beside them in which every virtual function that is not overridden here ends the
// process (refusing-classes.ts writes it).
#include <NvInfer.h>

#include <memory>
#include <string>
#include <utility>

#include "refusing_classes.h"

namespace {

using nvinfer1::ErrorCode;
using nvinfer1::ILogger;

class Memory final : public nvinfer1::IHostMemory {
 public:
  Memory() { mImpl = &bytes_; }

 private:
  struct Bytes final : RefusingVHostMemory {
    void* data() const noexcept override { return const_cast<char*>("an engine of nothing"); }
    std::size_t size() const noexcept override { return 20; }
  } bytes_;
};

void say(ILogger& logger, const std::string& words) { logger.log(ILogger::Severity::kINFO, words.c_str()); }

void say(ILogger& logger, const char* function, long value) { say(logger, function + (" " + std::to_string(value))); }

template <class Interface>
std::string kindOf(const Interface& object) {
  const nvinfer1::InterfaceInfo info = object.getInterfaceInfo();
  return std::string(info.kind) + " " + std::to_string(info.major) + "." + std::to_string(info.minor) +
         " in language " + std::to_string(static_cast<int>(object.getAPILanguage()));
}

// The versions of the API before 11 have a logger without a version.
template <class Logger>
std::string kindOfLogger(const Logger& logger) {
  if constexpr (requires { logger.getInterfaceInfo(); }) return kindOf(logger);
  return "ILogger without a version";
}

class Settings final : public RefusingVBuilderConfig {
 public:
  explicit Settings(ILogger& logger) : logger_(logger) {}

  void setFlag(nvinfer1::BuilderFlag flag) noexcept override { say(logger_, "setFlag", static_cast<int>(flag)); }
  void clearFlag(nvinfer1::BuilderFlag flag) noexcept override { say(logger_, "clearFlag", static_cast<int>(flag)); }
  bool getFlag(nvinfer1::BuilderFlag flag) const noexcept override { return flag == nvinfer1::BuilderFlag::kREFIT; }
  void setProfilingVerbosity(nvinfer1::ProfilingVerbosity verbosity) noexcept override {
    say(logger_, "setProfilingVerbosity", static_cast<int>(verbosity));
  }
  void setMemoryPoolLimit(nvinfer1::MemoryPoolType pool, std::size_t bytes) noexcept override {
    say(logger_, "setMemoryPoolLimit " + std::to_string(static_cast<int>(pool)) + " " + std::to_string(bytes));
  }
  void setBuilderOptimizationLevel(std::int32_t level) noexcept override {
    say(logger_, "setBuilderOptimizationLevel", level);
  }
  // Not every version has a result.
  using Answer = decltype(std::declval<nvinfer1::IBuilderConfig&>().setMaxAuxStreams(0));
  Answer setMaxAuxStreams(std::int32_t count) noexcept override {
    say(logger_, "setMaxAuxStreams", count);
    return Answer(true);
  }
  void setMaxNbTactics(std::int32_t count) noexcept override { say(logger_, "setMaxNbTactics", count); }
  void setProgressMonitor(nvinfer1::IProgressMonitor* monitor) noexcept override { monitor_ = monitor; }
  nvinfer1::IProgressMonitor* getProgressMonitor() const noexcept override { return monitor_; }

 private:
  ILogger& logger_;
  nvinfer1::IProgressMonitor* monitor_ = nullptr;
};

class Config final : public nvinfer1::IBuilderConfig {
 public:
  explicit Config(ILogger& logger) : settings_(logger), logger_(logger) { mImpl = &settings_; }
  ~Config() noexcept override { say(logger_, "the config is deleted"); }

 private:
  Settings settings_;
  ILogger& logger_;
};

class Works final : public RefusingVBuilder {
 public:
  explicit Works(ILogger& logger) : logger_(logger) {}

  nvinfer1::IBuilderConfig* createBuilderConfig() noexcept override {
    return std::make_unique<Config>(logger_).release();
  }
  void setErrorRecorder(nvinfer1::IErrorRecorder* recorder) noexcept override { recorder_ = recorder; }
  ILogger* getLogger() const noexcept override { return &logger_; }
  bool setMaxThreads(std::int32_t count) noexcept override {
    say(logger_, "setMaxThreads", count);
    return true;
  }

  nvinfer1::IHostMemory* buildSerializedNetwork(nvinfer1::INetworkDefinition&,
                                                nvinfer1::IBuilderConfig& config) noexcept override {
    nvinfer1::IProgressMonitor& monitor = *config.getProgressMonitor();
    say(logger_, kindOfLogger(logger_));
    say(logger_, kindOf(*recorder_));
    say(logger_, kindOf(monitor));
    monitor.phaseStart("Building engine", nullptr, 2);
    monitor.phaseStart("Timing tactics", "Building engine", 3);
    bool goesOn = true;
    for (std::int32_t step = 0; goesOn && step < 3; ++step) goesOn = monitor.stepComplete("Timing tactics", step);
    monitor.phaseFinish("Timing tactics");
    monitor.phaseFinish("Building engine");
    if (goesOn) return std::make_unique<Memory>().release();
    report();
    return nullptr;
  }

 private:
  void report() const {
    nvinfer1::IErrorRecorder& recorder = *recorder_;
    say(logger_, "incRefCount", recorder.incRefCount());
    const bool fatal = recorder.reportError(static_cast<ErrorCode>(7), "canceled");
    say(logger_, "reportError", fatal);
    say(logger_, "getNbErrors", recorder.getNbErrors());
    say(logger_, "getErrorCode", static_cast<int>(recorder.getErrorCode(0)));
    say(logger_, std::string("getErrorDesc ") + recorder.getErrorDesc(0));
    say(logger_, "hasOverflowed", recorder.hasOverflowed());
    recorder.clear();
    say(logger_, "decRefCount", recorder.decRefCount());
  }

  ILogger& logger_;
  nvinfer1::IErrorRecorder* recorder_ = nullptr;
};

class Builder final : public nvinfer1::IBuilder {
 public:
  explicit Builder(ILogger& logger) : works_(logger), logger_(logger) { mImpl = &works_; }
  ~Builder() noexcept override { say(logger_, "the builder is deleted"); }

 private:
  Works works_;
  ILogger& logger_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) std::int32_t getInferLibVersion() noexcept {
  return NV_TENSORRT_VERSION;
}

extern "C" __attribute__((visibility("default"))) void* createInferBuilder_INTERNAL(void* logger,
                                                                                    std::int32_t) noexcept {
  return static_cast<nvinfer1::IBuilder*>(std::make_unique<Builder>(*static_cast<ILogger*>(logger)).release());
}

// There is none, but a library of TensorRT has one beside it.
extern "C" __attribute__((visibility("default"))) void* createNvOnnxParser_INTERNAL(void*, void*, int) noexcept {
  return nullptr;
}
