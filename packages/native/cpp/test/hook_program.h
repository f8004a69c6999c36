#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "abi/interfaces.h"
#include "abi/layout.h"
#include "temporary_folder.h"
#include "wire/frames.h"

namespace trtscope::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
constexpr const char* kNoForkSanitized =
    "A sanitizer's own locks and threads do not outlive a fork of a process that has threads.";

// Where trtscope would listen: keeps what a watched process says.
class Listening {
 public:
  explicit Listening(Frame welcome = {"welcome"}) : path_(folder_.path() / "hook"), welcome_(std::move(welcome)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path_.c_str(), sizeof(address.sun_path) - 1);
    server_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bind(server_, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    listen(server_, 8);
    setenv("TRTSCOPE_SOCKET", path_.c_str(), 1);
    thread_ = std::thread([this] { run(); });
  }
  ~Listening() {
    leaves_ = true;
    thread_.join();
    close(server_);
  }

  std::string said() {
    const std::lock_guard lock(mutex_);
    return said_;
  }
  void await(const std::string& words) {
    while (said().find(words) == std::string::npos) std::this_thread::yield();
  }
  void send(const Frame& frame) {
    const std::lock_guard lock(mutex_);
    const std::string bytes = encodeFrame(frame);
    for (const int fd : open_) write(fd, bytes.data(), bytes.size());
  }
  void hangUp() {
    const std::lock_guard lock(mutex_);
    for (const int fd : std::exchange(open_, {})) close(fd);
  }

 private:
  void run() {
    while (!leaves_) {
      std::vector<pollfd> sources{{server_, POLLIN, 0}};
      {
        const std::lock_guard lock(mutex_);
        for (const int fd : open_) sources.push_back({fd, POLLIN, 0});
      }
      poll(sources.data(), sources.size(), 5);
      const std::lock_guard lock(mutex_);
      if (sources[0].revents != 0) {
        open_.push_back(accept4(server_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        const std::string bytes = encodeFrame(welcome_);
        write(open_.back(), bytes.data(), bytes.size());
      }
      char bytes[65536];
      for (const int fd : open_) {
        for (ssize_t count = 0; (count = read(fd, bytes, sizeof(bytes))) > 0;) said_.append(bytes, count);
      }
    }
    hangUp();
  }

  TemporaryFolder folder_;
  std::string path_;
  Frame welcome_;
  int server_ = -1;
  std::mutex mutex_;
  std::vector<int> open_;
  std::string said_;
  std::atomic<bool> leaves_{false};
  std::thread thread_;
};

// What a program has of a TensorRT: a builder and a config as a layout wants them, whose build is a function of the
// test.
struct FakeTensorrt {
  static constexpr std::size_t kSlots = 160;
  struct Object {
    void** functions;
  };
  struct Handle {
    void* unused = nullptr;
    Object* implementation;
  };

  explicit FakeTensorrt(std::int32_t version) : layout(*abi::Layout::of(version, abi::Maker::kSimulator)) {
    put(builderTable, abi::Slot::kBuilderBuild, reinterpret_cast<void*>(&FakeTensorrt::build));
    put(builderTable, abi::Slot::kBuilderLogger, reinterpret_cast<void*>(&FakeTensorrt::getLogger));
    put(configTable, abi::Slot::kConfigSetMonitor, reinterpret_cast<void*>(&FakeTensorrt::setMonitor));
    put(configTable, abi::Slot::kConfigGetMonitor, reinterpret_cast<void*>(&FakeTensorrt::getMonitor));
    builderObject.self = this;
    configObject.self = this;
  }

  // As the program calls it: through the builder's table.
  bool buildSerializedNetwork() {
    const auto function = builderObject.functions[layout.slot(abi::Slot::kBuilderBuild)];
    return reinterpret_cast<void* (*)(void*, void*, void*)>(function)(&builderObject, nullptr, &config) != nullptr;
  }
  void* loggerOfBuilder() {
    const auto function = builderObject.functions[layout.slot(abi::Slot::kBuilderLogger)];
    return reinterpret_cast<void* (*)(void*)>(function)(&builderObject);
  }

  struct Own : Object {
    FakeTensorrt* self = nullptr;
  };

  abi::Layout layout;
  // In the program's own data, as a library has them, with something before them.
  static inline void* builderTableRoom[kSlots] = {};
  void** builderTable = builderTableRoom + 2;
  void* configTable[kSlots] = {};
  Own builderObject{{builderTable}};
  Own configObject{{configTable}};
  Handle builder{nullptr, &builderObject};
  Handle config{nullptr, &configObject};
  abi::ProgressMonitor* monitor = nullptr;
  void* logger = nullptr;
  std::function<bool(abi::ProgressMonitor*)> building = [](abi::ProgressMonitor*) { return true; };

 private:
  void put(void** table, abi::Slot slot, void* function) { table[layout.slot(slot)] = function; }
  static void* build(void* object, void*, void*) {
    FakeTensorrt& self = *static_cast<Own*>(static_cast<Object*>(object))->self;
    return self.building(self.monitor) ? &self : nullptr;
  }
  static void* getLogger(void* object) { return static_cast<Own*>(static_cast<Object*>(object))->self->logger; }
  static void setMonitor(void* object, abi::ProgressMonitor* monitor) {
    static_cast<Own*>(static_cast<Object*>(object))->self->monitor = monitor;
  }
  static abi::ProgressMonitor* getMonitor(void* object) {
    return static_cast<Own*>(static_cast<Object*>(object))->self->monitor;
  }
};

}  // namespace trtscope::test
