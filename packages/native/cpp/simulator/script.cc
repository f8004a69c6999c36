#include "simulator/script.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "simulator/verbs.h"

namespace trtscope::simulator {
namespace {

constexpr std::string_view kTitle = "trtscope simulator 1";

// Puts lines where they belong, one by one.
class Reader {
 public:
  explicit Reader(Script& script) : script_(script) {}

  void take(ScriptLine line) {
    if (line.empty() || line.takes("#")) return;
    if (line.takes("build")) {
      if (section_ == Section::kBuilding || threads_) throw std::invalid_argument("`build` is out of place here");
      section_ = Section::kBuilding;
    } else if (section_ == Section::kBuilding && line.takes("threads")) {
      if (threads_) throw std::invalid_argument("`threads` cannot hold `threads`");
      threads_ = line.number("a number of threads");
      if (*threads_ < 1 || *threads_ > 1000) throw std::invalid_argument("1 to 1000 threads are possible");
    } else if (threads_ && line.takes("end")) {
      const auto run = [threads = *threads_, block = std::exchange(block_, {})](Actor& actor) {
        actor.fork(threads, block);
      };
      threads_.reset();
      deeds().emplace_back(run);
    } else if (Deed deed = deedOf(line, section_, script_)) {
      deeds().push_back(std::move(deed));
    }
    line.end();
  }

  void end() const {
    if (threads_) throw std::invalid_argument("`end` is missing after `threads`");
  }

 private:
  std::vector<Deed>& deeds() {
    if (threads_) return block_;
    return section_ == Section::kParsing ? script_.parsing : script_.building;
  }

  Script& script_;
  Section section_ = Section::kParsing;
  std::optional<std::int64_t> threads_;
  std::vector<Deed> block_;
};

}  // namespace

Script Script::read(const std::string& path) {
  Script script;
  std::ifstream file(path, std::ios::binary);
  script.text = {std::istreambuf_iterator<char>(file), {}};
  std::string_view rest = script.text;
  Reader reader(script);
  for (int number = 1; number == 1 || !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    try {
      if (number > 1) {
        reader.take(ScriptLine(line));
      } else if (line != kTitle) {
        throw std::invalid_argument("A script for the simulator begins with \"" + std::string(kTitle) + "\"");
      }
      if (rest.empty()) reader.end();
    } catch (const std::invalid_argument& fault) {
      throw std::invalid_argument("Line " + std::to_string(number) + ": " + fault.what());
    }
  }
  return script;
}

}  // namespace trtscope::simulator
