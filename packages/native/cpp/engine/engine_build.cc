#include "engine/engine_build.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <utility>

#include "engine/build_failure.h"
#include "engine/build_objects.h"
#include "engine/timing_cache_file.h"

namespace trtscope {
namespace {

constexpr int kDigitsAndLetters = 36;
constexpr const char* kOutOfMemory[] = {"out of memory", "outofmemory", "cannot allocate memory", "bad_alloc"};

// No other build of this process began in the same nanosecond. packages/native/src/temporaries.ts knows it.
std::string tagOf(const BuildRequest& request) {
  std::array<char, 16> tag;
  return {tag.data(), std::to_chars(tag.begin(), tag.end(), request.originNs, kDigitsAndLetters).ptr};
}

// TensorRT, CUDA and the C++ library each say it in their own words.
bool isOfMemory(std::string words) {
  std::transform(words.begin(), words.end(), words.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::any_of(std::begin(kOutOfMemory), std::end(kOutOfMemory),
                     [&](const char* said) { return words.find(said) != std::string::npos; });
}

BuildFailure failureOf(const BuildObjects& objects) {
  const auto error = objects.recorder.first();
  const std::string path = error ? error->phasePath : objects.progress.failurePath();
  std::string where;
  if (error) where = "code " + std::to_string(error->code);
  if (!path.empty()) where += where.empty() ? "in " : ", in ";
  for (const char c : path) where += c == '\n' ? " > " : std::string(1, c);
  if (!where.empty()) where = " (" + where + ")";

  const std::string reason = objects.reason();
  const bool ofMemory = isOfMemory(reason);
  BuildFailure failure("BUILD_FAILED",
                       std::string("TensorRT ") + (ofMemory ? "ran out of memory and " : "") + "cannot build " +
                           objects.request.model + where + ": " + reason +
                           (ofMemory ? "; give it more memory, or the build less with memPoolSize." : "."));
  if (error) failure.tensorrtCode = error->code;
  failure.phasePath = path;
  return failure;
}

BuildFailure unwritable(const BuildRequest& request, const std::string& fault) {
  return {"WRITE_FAILED", "Cannot write the engine to " + request.output + ": " + fault + "."};
}

}  // namespace

EngineBuild::EngineBuild(BuildRequest request, BuildMonitor& monitor)
    : request_(std::move(request)),
      monitor_(monitor),
      engine_(request_.output, tagOf(request_)),
      timingCache_(request_.timingCacheFile, tagOf(request_)) {
  monitor_.limit(request_.limits);
}

void EngineBuild::run() noexcept {
  try {
    BuildObjects objects(request_, monitor_);
    Ending ending = attempt(objects);
    for (Placement* placement : {&engine_, &timingCache_}) {
      std::string removed = placement->release();
      if (!removed.empty()) ending.temporariesRemoved.push_back(std::move(removed));
    }
    monitor_.finished(ending);
  } catch (...) {
    // Only memory for a few words can be missing here.
    Ending ending;
    ending.errorCode = "BUILD_FAILED";
    monitor_.finished(ending);
  }
}

bool EngineBuild::stop(Escalation to) noexcept {
  Ending ending;
  ending.outcome = Outcome::kCancelled;
  const bool saved = timingCache_.abandon(&ending.temporariesRemoved);
  if (!request_.timingCacheFile.empty()) ending.timingCacheSaved = saved;
  if (engine_.abandon(&ending.temporariesRemoved)) return true;
  monitor_.escalated(to);
  monitor_.acknowledgeExit();
  monitor_.finished(ending);
  return false;
}

bool EngineBuild::abandon() noexcept {
  timingCache_.abandon();
  return engine_.abandon();
}

Ending EngineBuild::attempt(BuildObjects& objects) {
  Ending ending;
  if (!request_.timingCacheFile.empty()) ending.timingCacheSaved = false;
  try {
    inPhase(monitor_.beginOwn("start"), [&] { takeTarget(); });
    stopIfCancelled();
    inPhase("load TensorRT", [&] { loadTensorrt(objects); });
    loaded_.store(true, std::memory_order_release);
    stopIfCancelled();
    inPhase("parse", [&] { parseModel(objects); });
    stopIfCancelled();
    // TensorRT's first phase ends ours, so that what it does before is not unexplained.
    const std::uint32_t configuring = monitor_.beginOwn("configure");
    inPhase(configuring, [&] {
      configure(objects);
      stopIfCancelled();
      if (request_.monitored) {
        objects.progress.endsWithFirst(configuring);
      } else {
        monitor_.endOwn(configuring);
      }
      build(objects);
    });
    stopIfCancelled();
    inPhase("write", [&] {
      write(objects);
      if (ending.timingCacheSaved) ending.timingCacheSaved = keepTimingCache(objects);
    });
    ending.outcome = Outcome::kBuilt;
    ending.enginePath = request_.output;
    ending.engineBytes = objects.engine->bytes().size();
  } catch (const BuildCancelled&) {
    ending.outcome = Outcome::kCancelled;
    // What was measured before is worth as much as what a whole build measures.
    if (timingCacheHasGrown(objects)) inPhase("write", [&] { ending.timingCacheSaved = keepTimingCache(objects); });
  } catch (const BuildFailure& failure) {
    ending.errorCode = failure.code;
    ending.errorMessage = failure.message;
    ending.tensorrtCode = failure.tensorrtCode;
    ending.phasePath = failure.phasePath;
  } catch (const std::exception& fault) {
    ending.errorCode = "BUILD_FAILED";
    ending.errorMessage = std::string("The build stopped on a fault: ") + fault.what() + ".";
  }
  return ending;
}

void EngineBuild::takeTarget() {
  const Placement::Answer answer = engine_.claim();
  tellSwept(answer.swept, monitor_);
  if (!answer.fault.empty()) throw unwritable(request_, answer.fault);
  if (answer.holder.empty()) return;
  const bool here = answer.holder == std::to_string(::getpid());
  throw BuildFailure("TARGET_BUSY", request_.output + " is being built by process " + answer.holder +
                                        (here ? ", this one" : "") +
                                        "; wait until that build has ended, stop it, or choose another output.");
}

void EngineBuild::build(BuildObjects& objects) {
  // What TensorRT complained about so far did not keep us from building.
  objects.forgetErrors();
  monitor_.coverTail(true);
  const abi::HostMemory& engine = objects.engine.emplace(objects.builder->build(*objects.network, *objects.config));
  monitor_.coverTail(false);
  if (engine) return;
  if (objects.progress.saidNo()) throw BuildCancelled();
  throw failureOf(objects);
}

void EngineBuild::write(BuildObjects& objects) {
  const std::string fault = engine_.put(objects.engine->bytes(), [&] { stopIfCancelled(); });
  if (!fault.empty()) throw unwritable(request_, fault);
}

// The build has come to its outcome: no fault changes that any more.
bool EngineBuild::keepTimingCache(BuildObjects& objects) noexcept {
  try {
    return saveTimingCache(objects, timingCache_);
  } catch (...) {
    return false;  // abandoned, or no memory
  }
}

// A phase of ours. A failure keeps the path of what was live.
template <class Work>
void EngineBuild::inPhase(std::uint32_t phase, Work work) {
  try {
    work();
  } catch (BuildFailure& failure) {
    if (failure.phasePath.empty()) failure.phasePath = monitor_.livePath();
    monitor_.endOwn(phase);
    throw;
  } catch (...) {
    monitor_.endOwn(phase);
    throw;
  }
  monitor_.endOwn(phase);
}

template <class Work>
void EngineBuild::inPhase(const char* name, Work work) {
  inPhase(monitor_.beginOwn(name), work);
}

void EngineBuild::stopIfCancelled() {
  if (monitor_.acknowledgeBetween()) throw BuildCancelled();
}

}  // namespace trtscope
