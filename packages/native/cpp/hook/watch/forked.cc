#include "hook/watch/forked.h"

#include <pthread.h>

#include <atomic>

namespace trtscope::hook {
namespace {

std::atomic<unsigned> forks{0};

// Never destroyed, and whole before anybody locks it.
std::mutex& mutex() {
  static auto* const one = [] {
    pthread_atfork([] { mutex().lock(); }, [] { mutex().unlock(); },
                   [] {
                     forks.fetch_add(1, std::memory_order_relaxed);
                     mutex().unlock();
                   });
    return new std::mutex;
  }();
  return *one;
}

}  // namespace

Locked::Locked() : lock_(mutex()) {}

unsigned generation() noexcept { return forks.load(std::memory_order_relaxed); }

}  // namespace trtscope::hook
