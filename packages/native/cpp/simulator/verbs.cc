#include "simulator/verbs.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>

namespace trtscope::simulator {
namespace {

using std::chrono::nanoseconds;

std::int32_t number(ScriptLine& line, const char* what) {
  const std::int64_t value = line.number(what);
  if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument(std::string(what) + " is out of range");
  }
  return static_cast<std::int32_t>(value);
}

template <class Value, std::size_t kCount>
Value oneOf(const std::pair<const char*, Value> (&known)[kCount], const std::string& word) {
  std::string names;
  for (const auto& [name, value] : known) {
    if (word == name) return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw std::invalid_argument("\"" + word + "\" is none of " + names);
}

constexpr std::pair<const char*, std::int32_t> kSeverities[] = {
    {"internal_error", 0}, {"error", 1}, {"warning", 2}, {"info", 3}, {"verbose", 4}};
constexpr std::pair<const char*, int> kSignals[] = {{"SEGV", SIGSEGV}, {"ABRT", SIGABRT}, {"BUS", SIGBUS},
                                                    {"FPE", SIGFPE},   {"ILL", SIGILL},   {"KILL", SIGKILL}};

// In both sections.

Deed pause(ScriptLine& line, Script&) {
  return [time = line.duration()](Actor&) { std::this_thread::sleep_for(time); };
}

Deed await(ScriptLine& line, Script&) {
  return [path = line.rest("a file")](Actor&) {
    while (!std::filesystem::exists(path)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
}

Deed log(ScriptLine& line, Script&) {
  const std::int32_t severity = oneOf(kSeverities, line.word("a severity"));
  return [severity, words = line.rest("a message")](Actor& actor) { actor.stage().log(severity, words); };
}

Deed grow(ScriptLine& line, Script&) {
  const std::uint64_t bytes = line.bytes();
  return
      [bytes, over = line.takes("over") ? line.duration() : nanoseconds(0)](Actor& actor) { actor.grow(bytes, over); };
}

Deed crash(ScriptLine& line, Script&) {
  return [signal = oneOf(kSignals, line.word("a signal"))](Actor&) { raise(signal); };
}

Deed leave(ScriptLine& line, Script&) {
  return [code = number(line, "an exit code")](Actor&) { _exit(code); };
}

Deed hang(ScriptLine&, Script&) {
  return [](Actor&) {
    for (;;) ::pause();
  };
}

// While parsing.

Deed layers(ScriptLine& line, Script& script) {
  script.layers = number(line, "a number of layers");
  return {};
}

Deed outputs(ScriptLine& line, Script& script) {
  script.outputs = number(line, "a number of outputs");
  return {};
}

Deed input(ScriptLine& line, Script& script) {
  std::string extents = line.word("a shape, such as -1x3x224x224,") + "x";
  Script::Input input{line.rest("the input's name"), {}};
  for (std::size_t end = 0; (end = extents.find('x')) != std::string::npos; extents.erase(0, end + 1)) {
    if (input.dims.count == abi::Dims::kMaxCount) throw std::invalid_argument("a shape has at most 8 dimensions");
    ScriptLine extent(std::string_view(extents).substr(0, end));
    input.dims.extent[input.dims.count++] = extent.number("a dimension");
  }
  script.inputs.push_back(std::move(input));
  return {};
}

Deed node(ScriptLine& line, Script&) {
  const std::int32_t index = number(line, "a node's number");
  const std::string nodeOperator = line.word("an operator");
  return [node = Refusal{0, "", index, nodeOperator, line.rest("a node's name")}](Actor& actor) {
    actor.stage().node = node;
  };
}

Deed refuse(ScriptLine& line, Script&) {
  const std::int32_t code = number(line, "a code");
  return [code, words = line.rest("a description")](Actor& actor) {
    Refusal refusal = actor.stage().node;
    refusal.code = code;
    refusal.words = words;
    actor.stage().refusals.push_back(std::move(refusal));
  };
}

// While building.

Deed engine(ScriptLine& line, Script& script) {
  script.engineBytes = line.bytes();
  if (!line.empty()) script.engineSeed = static_cast<std::uint64_t>(line.number("a seed"));
  return {};
}

Deed phase(ScriptLine& line, Script&) {
  const std::int32_t steps = number(line, "a number of steps");
  std::string name = line.rest("a phase's name");
  std::optional<std::string> parent;
  if (const std::size_t at = name.rfind(" < "); at != std::string::npos) {
    parent = name.substr(at + 3);
    name.erase(at);
  }
  return [=](Actor& actor) { actor.open(steps, name, parent); };
}

Deed steps(ScriptLine& line, Script&) {
  Actor::Steps steps{.count = line.number("a number of steps")};
  if (line.takes("every")) steps.every = line.duration();
  if (line.takes("from")) steps.from = line.number("a step");
  if (line.takes("of")) steps.phase = line.rest("a phase's name");
  return [=](Actor& actor) { actor.step(steps); };
}

Deed finish(ScriptLine& line, Script&) {
  return [name = line.empty() ? "" : line.rest("a phase's name")](Actor& actor) { actor.finish(name); };
}

Deed ignore(ScriptLine& line, Script&) {
  const std::int64_t count =
      line.empty() ? std::numeric_limits<std::int64_t>::max() : line.number("a number of answers");
  return [count](Actor& actor) { actor.stage().ignored.store(count, std::memory_order_relaxed); };
}

Deed error(ScriptLine& line, Script&) {
  const std::int32_t code = number(line, "a code");
  return [failure = Failure{code, line.rest("a description")}](Actor& actor) { actor.stage().report(failure); };
}

Deed fail(ScriptLine& line, Script&) {
  const std::int32_t code = number(line, "a code");
  return [failure = Failure{code, line.rest("a description")}](Actor&) { throw Failure(failure); };
}

Deed null(ScriptLine&, Script&) {
  return [](Actor&) { throw Failure{-1, ""}; };
}

Deed answers(ScriptLine&, Script& script) {
  script.tellsAnswers = true;
  return {};
}

Deed calls(ScriptLine&, Script&) {
  return [](Actor& actor) {
    for (const std::string& call : actor.stage().calls) actor.stage().log(kInfo, "simulator: " + call);
  };
}

struct Verb {
  const char* name;
  Section section;
  Deed (*read)(ScriptLine&, Script&);
};

constexpr Verb kVerbs[] = {
    {"pause", Section::kBoth, pause},
    {"await", Section::kBoth, await},
    {"log", Section::kBoth, log},
    {"grow", Section::kBoth, grow},
    {"crash", Section::kBoth, crash},
    {"exit", Section::kBoth, leave},
    {"hang", Section::kBoth, hang},
    {"layers", Section::kParsing, layers},
    {"outputs", Section::kParsing, outputs},
    {"input", Section::kParsing, input},
    {"node", Section::kParsing, node},
    {"refuse", Section::kParsing, refuse},
    {"engine", Section::kBuilding, engine},
    {"phase", Section::kBuilding, phase},
    {"steps", Section::kBuilding, steps},
    {"finish", Section::kBuilding, finish},
    {"ignore", Section::kBuilding, ignore},
    {"error", Section::kBuilding, error},
    {"fail", Section::kBuilding, fail},
    {"null", Section::kBuilding, null},
    {"answers", Section::kBuilding, answers},
    {"calls", Section::kBuilding, calls},
};

}  // namespace

Deed deedOf(ScriptLine& line, Section section, Script& script) {
  const std::string word = line.word("a line's first word");
  for (const Verb& verb : kVerbs) {
    if (word != verb.name) continue;
    if (verb.section == Section::kBoth || verb.section == section) return verb.read(line, script);
    throw std::invalid_argument("`" + word + "` belongs " + (section == Section::kParsing ? "after" : "before") +
                                " the line `build`");
  }
  throw std::invalid_argument("`" + word + "` is no line of a script");
}

}  // namespace trtscope::simulator
