#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "monitor/build_monitor.h"

namespace trtscope {

// Turns a build's records into the JSON lines of docs/events.md. One per build and consumer thread.
class EventLines {
 public:
  EventLines(BuildMonitor& monitor, std::string build);

  // Appends what waits, at most `limit` records, to `out`; answers whether more waits.
  bool drainTo(std::string& out, std::size_t limit);
  // True once build.finished has been written: nothing follows.
  bool finished() const;

 private:
  void append(std::string& out, const Record& record);

  BuildMonitor& monitor_;
  std::string build_;
  std::vector<Record> batch_;
  std::uint64_t seq_ = 0;
  bool finished_ = false;
};

// Appends `text` as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD.
void appendJsonString(std::string& out, std::string_view text);

}  // namespace trtscope
