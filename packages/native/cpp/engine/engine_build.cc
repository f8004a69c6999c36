#include "engine/engine_build.h"

#include <utility>

#include "engine/build_failure.h"
#include "engine/build_objects.h"
#include "engine/timing_cache_file.h"

namespace trtscope {
namespace {

BuildFailure failureOf(const BuildObjects& objects) {
  const auto error = objects.recorder.first();
  const std::string path = error ? error->phasePath : objects.progress.failurePath();
  std::string where;
  if (error) where = "code " + std::to_string(error->code);
  if (!path.empty()) where += where.empty() ? "in " : ", in ";
  for (const char c : path) where += c == '\n' ? " > " : std::string(1, c);
  if (!where.empty()) where = " (" + where + ")";

  BuildFailure failure("BUILD_FAILED",
                       "TensorRT cannot build " + objects.request.model + where + ": " + objects.reason() + ".");
  if (error) failure.tensorrtCode = error->code;
  failure.phasePath = path;
  return failure;
}

}  // namespace

EngineBuild::EngineBuild(BuildRequest request, BuildMonitor& monitor)
    : request_(std::move(request)), monitor_(monitor) {}

void EngineBuild::run() noexcept {
  monitor_.endOwn(monitor_.beginOwn("start"));
  try {
    BuildObjects objects(request_, monitor_);
    monitor_.finished(attempt(objects));
  } catch (...) {
    // Only memory for a few words can be missing here.
    Ending ending;
    ending.errorCode = "BUILD_FAILED";
    monitor_.finished(ending);
  }
}

bool EngineBuild::abandon() noexcept { return placement_.abandon(); }

Ending EngineBuild::attempt(BuildObjects& objects) {
  Ending ending;
  try {
    stopIfCancelled();
    inPhase("load TensorRT", [&](std::uint32_t) { loadTensorrt(objects); });
    stopIfCancelled();
    inPhase("parse", [&](std::uint32_t) { parseModel(objects); });
    stopIfCancelled();
    // TensorRT's first phase ends ours, so that what it does before is not unexplained.
    inPhase("configure", [&](std::uint32_t phase) {
      configure(objects);
      stopIfCancelled();
      if (request_.monitored) {
        objects.progress.endsWithFirst(phase);
      } else {
        monitor_.endOwn(phase);
      }
      build(objects);
    });
    stopIfCancelled();
    inPhase("write", [&](std::uint32_t) { write(objects); });
    ending.outcome = Outcome::kBuilt;
    ending.enginePath = request_.output;
    ending.engineBytes = objects.engine->bytes().size();
  } catch (const BuildCancelled&) {
    ending.outcome = Outcome::kCancelled;
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
  const std::string fault = placement_.put(request_.output, objects.engine->bytes(), [&] { stopIfCancelled(); });
  if (!fault.empty()) {
    throw BuildFailure("WRITE_FAILED", "Cannot write the engine to " + request_.output + ": " + fault + ".");
  }
  saveTimingCache(objects, placement_);
}

// A phase of ours. A failure keeps the path of what was live.
template <class Work>
void EngineBuild::inPhase(const char* name, Work work) {
  const std::uint32_t phase = monitor_.beginOwn(name);
  try {
    work(phase);
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

void EngineBuild::stopIfCancelled() {
  if (monitor_.acknowledgeBetween()) throw BuildCancelled();
}

}  // namespace trtscope
