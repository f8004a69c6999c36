#pragma once

#include <string>
#include <vector>

#include "monitor/build_monitor.h"
#include "wire/event_lines.h"

namespace trtscope::test {

// A record with its words, which the monitor itself keeps only until the next drain.
struct Observed : Record {
  std::string name;
  std::string parentName;
  std::string third;
};

inline std::vector<Observed> observe(BuildMonitor& monitor) {
  std::vector<Observed> all;
  std::vector<Record> batch;
  for (bool more = true; more;) {
    more = monitor.drain(batch, 1000);
    for (const Record& record : batch) {
      all.push_back({record, std::string(monitor.text(record)), std::string(monitor.parentText(record)),
                     std::string(monitor.pathText(record))});
    }
  }
  return all;
}

inline std::vector<Observed> observe(BuildMonitor& monitor, RecordKind kind) {
  std::vector<Observed> all = observe(monitor);
  std::erase_if(all, [&](const Observed& one) { return one.kind != kind; });
  return all;
}

inline std::string linesOf(BuildMonitor& monitor) {
  EventLines lines(monitor, "b");
  std::string out;
  while (lines.drainTo(out, 1000)) {}
  return out;
}

}  // namespace trtscope::test
