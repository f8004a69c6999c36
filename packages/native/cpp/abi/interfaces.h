#pragma once

#include <cstdint>

// The interfaces through which TensorRT calls us, declared by hand so that no NVIDIA header is needed. What TensorRT
// relies on is the order of the virtual functions and the size of what is passed: nothing here may be reordered.
// test/abi compares all of it with NVIDIA's headers.
namespace trtscope::abi {

struct InterfaceInfo {
  const char* kind;
  std::int32_t major;
  std::int32_t minor;
};

struct Dims {
  static constexpr std::int32_t kMaxCount = 8;
  std::int32_t count;
  std::int64_t extent[kMaxCount];
};

class VersionedInterface {
 public:
  // 0: C++.
  virtual std::int32_t getAPILanguage() const noexcept { return 0; }
  virtual InterfaceInfo getInterfaceInfo() const noexcept = 0;
  virtual ~VersionedInterface() noexcept = default;
};

// May be called from several threads at once.
class ProgressMonitor : public VersionedInterface {
 public:
  InterfaceInfo getInterfaceInfo() const noexcept final { return {"IProgressMonitor", 1, 0}; }
  virtual void phaseStart(const char* phaseName, const char* parentPhase, std::int32_t nbSteps) noexcept = 0;
  // False asks TensorRT to give the build up.
  virtual bool stepComplete(const char* phaseName, std::int32_t step) noexcept = 0;
  virtual void phaseFinish(const char* phaseName) noexcept = 0;
};

// Where buildSerializedNetworkToStream puts an engine. Answers how many bytes it has taken.
class StreamWriter : public VersionedInterface {
 public:
  InterfaceInfo getInterfaceInfo() const noexcept final { return {"IStreamWriter", 1, 0}; }
  virtual std::int64_t write(const void* data, std::int64_t count) = 0;
};

// TensorRT 10, TensorRT-RTX 1.3 and 1.4. Severity: 0 internal error … 4 verbose.
class UnversionedLogger {
 public:
  virtual void log(std::int32_t severity, const char* message) noexcept = 0;
  virtual ~UnversionedLogger() = default;
};

// TensorRT-RTX 1.5 and up, TensorRT 11.
class VersionedLogger : public VersionedInterface {
 public:
  InterfaceInfo getInterfaceInfo() const noexcept final { return {"ILogger", 1, 0}; }
  virtual void log(std::int32_t severity, const char* message) noexcept = 0;
};

class ErrorRecorder : public VersionedInterface {
 public:
  InterfaceInfo getInterfaceInfo() const noexcept final { return {"IErrorRecorder", 1, 0}; }
  virtual std::int32_t getNbErrors() const noexcept = 0;
  virtual std::int32_t getErrorCode(std::int32_t index) const noexcept = 0;
  virtual const char* getErrorDesc(std::int32_t index) const noexcept = 0;
  virtual bool hasOverflowed() const noexcept = 0;
  virtual void clear() noexcept = 0;
  // True ends the run that reported it.
  virtual bool reportError(std::int32_t code, const char* description) noexcept = 0;
  virtual std::int32_t incRefCount() noexcept = 0;
  virtual std::int32_t decRefCount() noexcept = 0;
};

}  // namespace trtscope::abi
