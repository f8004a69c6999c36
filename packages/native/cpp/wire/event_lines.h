#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/build_monitor.h"

namespace trtscope {

// Turns a build's records into the JSON lines of docs/events.md. One per build and consumer thread.
class EventLines {
 public:
  EventLines(BuildMonitor& monitor, std::string build);

  // Appends what waits to `out`, at most `limit` records and little more than 64 KiB; answers whether more waits.
  bool drainTo(std::string& out, std::size_t limit);
  // From now on steps are left out, as a gap in the numbers. What a phase has done is then told by its end alone.
  void leaveOutSteps() { leavesOutSteps_ = true; }
  // True once build.finished has been written: nothing follows.
  bool finished() const;

 private:
  void append(std::string& out, const Record& record);

  BuildMonitor& monitor_;
  std::string build_;
  std::vector<Record> batch_;
  std::size_t next_ = 0;
  bool more_ = false;
  std::uint64_t seq_ = 0;
  bool leavesOutSteps_ = false;
  bool finished_ = false;
};

// Appends `text` as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD.
void appendJsonString(std::string& out, std::string_view text);

}  // namespace trtscope
