#include "engine/build_failure.h"
#include "engine/build_objects.h"
#include "engine/device.h"

namespace trtscope {

void loadTensorrt(BuildObjects& objects) {
  const BuildRequest& request = objects.request;
  auto loaded = abi::Library::load(request.library, request.parser);
  if (const auto* failure = std::get_if<abi::LoadFailure>(&loaded)) {
    throw BuildFailure(failure->code, failure->message);
  }
  const abi::Library& library = objects.library.emplace(std::get<abi::Library>(loaded));
  const abi::Layout& layout = library.layout();
  objects.monitor.loaded(layout.editionName(), layout.versionText(), request.library);

  for (const std::string& path : request.plugins) {
    const std::string fault = abi::loadPlugins(path);
    if (!fault.empty()) {
      throw BuildFailure("PLUGIN_UNLOADABLE", "Cannot load the plugin library " + path + ": " + fault + ".");
    }
  }
  if (request.device) useDevice(*request.device);

  const abi::Builder& builder = objects.builder.emplace(library.createBuilder(LoggerAdaptor::forLayout(layout)));
  if (!builder) {
    throw BuildFailure("BUILD_FAILED", layout.title() + " made no builder: " + objects.reason() + ".");
  }
  builder.setErrorRecorder(&objects.recorder);
  if (request.maxThreads && !builder.setMaxThreads(*request.maxThreads)) {
    throw BuildFailure("OPTION_UNSUPPORTED", layout.title() + " does not take maxThreads " +
                                                 std::to_string(*request.maxThreads) + ": " + objects.reason() + ".");
  }
}

}  // namespace trtscope
