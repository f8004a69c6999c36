// Prints nanoseconds per step callback, beside a monitor that does nothing: trtscope-bench [callbacks per thread]

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "monitor/build_monitor.h"

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t nanosecondsSince(Clock::time_point began) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began).count();
}

struct Figures {
  double mean = 0;
  std::int64_t p50 = 0;
  std::int64_t p99 = 0;
};

// The clock reads around each call are part of every figure, of the no-op's too.
template <typename Callback>
Figures measure(int threads, int calls, const Callback& callback) {
  std::vector<std::vector<std::int64_t>> took(threads, std::vector<std::int64_t>(calls));
  std::vector<std::thread> workers;
  std::atomic<int> ready = 0;
  for (int thread = 0; thread < threads; ++thread) {
    workers.emplace_back([&, thread] {
      for (++ready; ready < threads;) std::this_thread::yield();
      for (int call = 0; call < calls; ++call) {
        const Clock::time_point began = Clock::now();
        callback(thread, call);
        took[thread][call] = nanosecondsSince(began);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  std::vector<std::int64_t> all;
  double sum = 0;
  for (const auto& one : took) all.insert(all.end(), one.begin(), one.end());
  for (const std::int64_t ns : all) sum += static_cast<double>(ns);
  std::sort(all.begin(), all.end());
  return {sum / static_cast<double>(all.size()), all[all.size() / 2], all[all.size() * 99 / 100]};
}

Figures measureMonitor(int threads, int calls) {
  trtscope::BuildMonitor monitor(0, [] {});
  std::vector<std::string> names;
  for (int thread = 0; thread < threads; ++thread) {
    names.push_back("Computing profile costs " + std::to_string(thread));
    monitor.phaseStart(names.back().c_str(), nullptr, calls);
  }
  std::atomic<bool> over = false;
  std::thread consumer([&] {
    std::vector<trtscope::Record> records;
    while (!over) {
      while (monitor.drain(records, 4096)) {}
      std::this_thread::sleep_for(std::chrono::milliseconds(8));
    }
  });
  const Figures figures =
      measure(threads, calls, [&](int thread, int call) { monitor.step(names[thread].c_str(), call); });
  over = true;
  consumer.join();
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  const int calls = argc > 1 ? std::atoi(argv[1]) : 500'000;
  std::puts("threads   no-op p50  monitor p50  no-op p99  monitor p99  no-op mean  monitor mean  (ns)");
  for (const int threads : {1, 2, 4, 8}) {
    std::atomic<bool> stop = false;
    const Figures none =
        measure(threads, calls / threads, [&](int, int) { return !stop.load(std::memory_order_acquire); });
    const Figures ours = measureMonitor(threads, calls / threads);
    std::printf("%7d %11ld %12ld %10ld %12ld %11.0f %13.0f\n", threads, none.p50, ours.p50, none.p99, ours.p99,
                none.mean, ours.mean);
  }
}
