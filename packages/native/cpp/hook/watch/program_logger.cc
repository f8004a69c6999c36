#include "hook/watch/program_logger.h"

#include <cstdint>
#include <unordered_map>

#include "abi/interfaces.h"
#include "abi/object.h"
#include "hook/watch/forked.h"
#include "hook/watch/watched_build.h"

namespace trtscope::hook {
namespace {

constexpr int kUnversionedLog = 0;
constexpr int kVersionedLog = 4;

class UnversionedStandIn final : public abi::UnversionedLogger {
 public:
  explicit UnversionedStandIn(void* logger) : logger_(logger) {}
  void log(std::int32_t severity, const char* message) noexcept override {
    abi::callVirtual<void, std::int32_t, const char*>(logger_, kUnversionedLog, severity, message);
    WatchedBuild::heard(severity, message);
  }

 private:
  void* const logger_;
};

class VersionedStandIn final : public abi::VersionedInterface {
 public:
  explicit VersionedStandIn(void* logger) : logger_(static_cast<abi::VersionedInterface*>(logger)) {}
  std::int32_t getAPILanguage() const noexcept override { return logger_->getAPILanguage(); }
  abi::InterfaceInfo getInterfaceInfo() const noexcept override { return logger_->getInterfaceInfo(); }
  virtual void log(std::int32_t severity, const char* message) noexcept {
    abi::callVirtual<void, std::int32_t, const char*>(logger_, kVersionedLog, severity, message);
    WatchedBuild::heard(severity, message);
  }

 private:
  abi::VersionedInterface* const logger_;
};

struct StandIns {
  std::unordered_map<void*, void*> byLogger;
  std::unordered_map<void*, void*> byStandIn;
};

// Never destroyed: TensorRT may speak while the process ends.
StandIns& standIns() {
  static auto* const all = new StandIns;
  return *all;
}

void* find(const std::unordered_map<void*, void*>& map, void* key) {
  const auto found = map.find(key);
  return found == map.end() ? key : found->second;
}

}  // namespace

void* ProgramLogger::standIn(void* logger, const abi::Layout& layout) {
  if (logger == nullptr) return nullptr;
  const Locked lock;
  StandIns& all = standIns();
  if (all.byStandIn.contains(logger)) return logger;
  void*& standIn = all.byLogger[logger];
  if (standIn == nullptr) {
    standIn = layout.loggerIsVersioned() ? static_cast<void*>(new VersionedStandIn(logger))
                                         : static_cast<void*>(new UnversionedStandIn(logger));
    all.byStandIn[standIn] = logger;
  }
  return standIn;
}

void* ProgramLogger::known(void* logger) {
  const Locked lock;
  return find(standIns().byLogger, logger);
}

void* ProgramLogger::original(void* logger) {
  const Locked lock;
  return find(standIns().byStandIn, logger);
}

}  // namespace trtscope::hook
