// Compares what cpp/abi declares by hand with NVIDIA's headers. Compiled once against every version of them, and run:
// it prints each difference, then how much it has compared. Needs cpp/abi/layout.cc and cpp/abi/enums.cc beside it.
#include <NvInfer.h>
#include <NvOnnxParser.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "abi/enum_list.h"
#include "abi/enums.h"
#include "abi/interfaces.h"
#include "abi/layout.h"
#include "abi/profile.h"

namespace {

using namespace trtscope::abi;
using nvinfer1::apiv::VBuilder;
using nvinfer1::apiv::VBuilderConfig;
using nvinfer1::apiv::VHostMemory;
using nvinfer1::apiv::VNetworkDefinition;
using nvinfer1::apiv::VOptimizationProfile;
using nvinfer1::apiv::VRefitter;
using nvinfer1::apiv::VRuntime;
using nvinfer1::apiv::VTensor;
using nvinfer1::apiv::VTimingCache;
using nvonnxparser::IParser;
using nvonnxparser::IParserError;

int compared = 0;
int different = 0;

void compare(const std::string& what, long ours, long theirs) {
  ++compared;
  if (ours == theirs) return;
  ++different;
  std::printf("%s: we have %ld, NVIDIA's headers %ld\n", what.c_str(), ours, theirs);
}

// Itanium C++ ABI: a pointer to a virtual member function holds 1 + the offset of its slot in the virtual table (on
// aarch64 the 1 is in the adjustment instead).
template <class Function>
long slotOf(Function function) {
  static_assert(std::is_member_function_pointer_v<Function> && sizeof(Function) == 2 * sizeof(long));
  long words[2];
  std::memcpy(words, &function, sizeof(words));
  return words[0] / static_cast<long>(sizeof(void*));
}

// Templates, so that a member that a version lacks is no error but kNone.
#define TRTSCOPE_SLOT_FINDER(name, interface, function, ...)                               \
  template <class Interface>                                                               \
  long find_##name() {                                                                     \
    if constexpr (requires { &Interface::function; }) return slotOf(&Interface::function); \
    return Layout::kNone;                                                                  \
  }
TRTSCOPE_SLOTS(TRTSCOPE_SLOT_FINDER)

void compareSlots(const Layout& layout) {
#define TRTSCOPE_COMPARE_SLOT(name, interface, function, ...) \
  compare(#interface "::" #function, layout.slot(Slot::name), find_##name<interface>());
  TRTSCOPE_SLOTS(TRTSCOPE_COMPARE_SLOT)
}

// Destructors have two slots, the second is the deleting one. What comes after shows where they are.
struct AfterObjectDestructor : nvinfer1::INoCopy {
  virtual void probe() = 0;
};
void compareDestructors(const Layout& layout) {
  compare("INoCopy's deleting destructor", layout.slot(Slot::kObjectDelete), slotOf(&AfterObjectDestructor::probe) - 1);
  compare("IParser's deleting destructor", layout.slot(Slot::kParserDelete),
          slotOf(&IParser::getUsedVCPluginLibraries) - 1);
  compare("IParser's slots before its destructors", layout.slot(Slot::kParserDelete),
          slotOf(&IParser::clearErrors) + 2);
}

// What we implement: the same functions in the same slots.
void compareInterfaces(const Layout& layout) {
#define TRTSCOPE_COMPARE(ours, theirs, function) \
  compare(#theirs "::" #function, slotOf(&ours::function), slotOf(&nvinfer1::theirs::function))
  TRTSCOPE_COMPARE(VersionedInterface, IVersionedInterface, getAPILanguage);
  TRTSCOPE_COMPARE(VersionedInterface, IVersionedInterface, getInterfaceInfo);
  TRTSCOPE_COMPARE(ProgressMonitor, IProgressMonitor, phaseStart);
  TRTSCOPE_COMPARE(ProgressMonitor, IProgressMonitor, stepComplete);
  TRTSCOPE_COMPARE(ProgressMonitor, IProgressMonitor, phaseFinish);
  TRTSCOPE_COMPARE(StreamWriter, IStreamWriter, write);
  TRTSCOPE_COMPARE(ErrorRecorder, IErrorRecorder, getNbErrors);
  TRTSCOPE_COMPARE(ErrorRecorder, IErrorRecorder, getErrorCode);
  TRTSCOPE_COMPARE(ErrorRecorder, IErrorRecorder, getErrorDesc);
  TRTSCOPE_COMPARE(ErrorRecorder, IErrorRecorder, hasOverflowed);
  TRTSCOPE_COMPARE(ErrorRecorder, IErrorRecorder, clear);
  TRTSCOPE_COMPARE(ErrorRecorder, IErrorRecorder, reportError);
  TRTSCOPE_COMPARE(ErrorRecorder, IErrorRecorder, incRefCount);
  TRTSCOPE_COMPARE(ErrorRecorder, IErrorRecorder, decRefCount);
  compare("ILogger::log", layout.loggerIsVersioned() ? slotOf(&VersionedLogger::log) : slotOf(&UnversionedLogger::log),
          slotOf(&nvinfer1::ILogger::log));
  using Result = decltype(std::declval<VBuilderConfig&>().setMaxAuxStreams(0));
  compare("VBuilderConfig::setMaxAuxStreams has a result", layout.auxStreamsAnswer(), !std::is_void_v<Result>);
  compare("ILogger is an IVersionedInterface", layout.loggerIsVersioned(),
          std::is_base_of_v<nvinfer1::IVersionedInterface, nvinfer1::ILogger>);
}

#define TRTSCOPE_VALUE_FINDER(name, ...)                                                \
  template <class Enum>                                                                 \
  long value_##name() {                                                                 \
    if constexpr (requires { Enum::k##name; }) return static_cast<long>(Enum::k##name); \
    return -1;                                                                          \
  }
TRTSCOPE_BUILDER_FLAGS(TRTSCOPE_VALUE_FINDER)
TRTSCOPE_MEMORY_POOLS(TRTSCOPE_VALUE_FINDER)
TRTSCOPE_VALUE_FINDER(NONE)
TRTSCOPE_VALUE_FINDER(AMPERE_PLUS)
TRTSCOPE_VALUE_FINDER(SAME_COMPUTE_CAPABILITY)
TRTSCOPE_VALUE_FINDER(LAYER_NAMES_ONLY)
TRTSCOPE_VALUE_FINDER(DETAILED)
TRTSCOPE_NETWORK_FLAGS(TRTSCOPE_VALUE_FINDER)

void compareEnums(const Layout& layout) {
#define TRTSCOPE_COMPARE_VALUE(Enum, values, name) \
  compare(#Enum "::k" #name, values.value(#name, layout).value_or(-1), value_##name<nvinfer1::Enum>());
#define TRTSCOPE_FLAG(name, ...) TRTSCOPE_COMPARE_VALUE(BuilderFlag, kBuilderFlags, name)
#define TRTSCOPE_POOL(name, ...) TRTSCOPE_COMPARE_VALUE(MemoryPoolType, kMemoryPools, name)
#define TRTSCOPE_LEVEL(name, ...) TRTSCOPE_COMPARE_VALUE(HardwareCompatibilityLevel, kHardwareCompatibilityLevels, name)
#define TRTSCOPE_VERBOSITY(name, ...) TRTSCOPE_COMPARE_VALUE(ProfilingVerbosity, kProfilingVerbosities, name)
#define TRTSCOPE_NETWORK_FLAG(name, ...) TRTSCOPE_COMPARE_VALUE(NetworkDefinitionCreationFlag, kNetworkFlags, name)
  TRTSCOPE_BUILDER_FLAGS(TRTSCOPE_FLAG)
  TRTSCOPE_MEMORY_POOLS(TRTSCOPE_POOL)
  TRTSCOPE_HARDWARE_COMPATIBILITY_LEVELS(TRTSCOPE_LEVEL)
  TRTSCOPE_PROFILING_VERBOSITIES(TRTSCOPE_VERBOSITY)
  TRTSCOPE_NETWORK_FLAGS(TRTSCOPE_NETWORK_FLAG)
}

// A builder flag that is new in NVIDIA's headers shows in where they say that flags end.
void compareEnd(const Layout& layout) {
  std::int32_t highest = -1;
#define TRTSCOPE_HIGHEST(name, ...) highest = std::max(highest, kBuilderFlags.value(#name, layout).value_or(-1));
  TRTSCOPE_BUILDER_FLAGS(TRTSCOPE_HIGHEST)
  compare("the end of BuilderFlag", highest + 1, nvinfer1::EnumMax<nvinfer1::BuilderFlag>());
}

// 86 is what we pass for 8.6. TensorRT proper has no such enumeration.
template <class Config, class Capability>
long sm86(bool (Config::*)(Capability, std::int32_t) noexcept) {
  return static_cast<long>(Capability::kSM86);
}
template <class Config>
void compareCapability() {
  if constexpr (requires { &Config::setComputeCapability; }) {
    compare("ComputeCapability::kSM86", 86, sm86(&Config::setComputeCapability));
  }
}

static_assert(sizeof(Dims) == sizeof(nvinfer1::Dims) && sizeof(Dims) == 72);
static_assert(offsetof(Dims, extent) == offsetof(nvinfer1::Dims, d));
static_assert(Dims::kMaxCount == nvinfer1::Dims::MAX_DIMS);
static_assert(sizeof(InterfaceInfo) == sizeof(nvinfer1::InterfaceInfo) && sizeof(InterfaceInfo) == 16);
static_assert(static_cast<int>(ProfileSelector::kMin) == static_cast<int>(nvinfer1::OptProfileSelector::kMIN));
static_assert(static_cast<int>(ProfileSelector::kOpt) == static_cast<int>(nvinfer1::OptProfileSelector::kOPT));
static_assert(static_cast<int>(ProfileSelector::kMax) == static_cast<int>(nvinfer1::OptProfileSelector::kMAX));
// Severities and parser codes that the rest of the code knows by number.
static_assert(static_cast<int>(nvinfer1::ILogger::Severity::kINTERNAL_ERROR) == 0);
static_assert(static_cast<int>(nvinfer1::ILogger::Severity::kERROR) == 1);
static_assert(static_cast<int>(nvinfer1::ILogger::Severity::kWARNING) == 2);
static_assert(static_cast<int>(nvinfer1::ILogger::Severity::kVERBOSE) == 4);
static_assert(static_cast<int>(nvinfer1::ErrorCode::kUNSPECIFIED_ERROR) == 1);
static_assert(static_cast<int>(nvonnxparser::ErrorCode::kMODEL_DESERIALIZE_FAILED) == 3);
static_assert(static_cast<int>(nvonnxparser::ErrorCode::kUNSUPPORTED_NODE) == 8);
static_assert(static_cast<int>(nvonnxparser::ErrorCode::kREFIT_FAILED) == 14);

}  // namespace

int main() {
  const auto version = static_cast<std::int32_t>(NV_TENSORRT_VERSION);
  const auto layout = Layout::of(version);
  if (!layout) {
    std::printf("there is no layout for %s\n", versionText(version).c_str());
    return 1;
  }
  compareSlots(*layout);
  compareDestructors(*layout);
  compareInterfaces(*layout);
  compareEnums(*layout);
  compareEnd(*layout);
  compareCapability<VBuilderConfig>();
  std::printf("%s: %d compared, %d different\n", layout->title().c_str(), compared, different);
  return different == 0 ? 0 : 1;
}
