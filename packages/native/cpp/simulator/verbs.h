#pragma once

#include "simulator/script.h"
#include "simulator/script_line.h"

namespace trtscope::simulator {

// Where a line stands: before or after the line `build`.
enum class Section { kParsing, kBuilding, kBoth };

// What a line says, as something to do; nothing to do when it says something about the model. Throws
// std::invalid_argument.
Deed deedOf(ScriptLine& line, Section section, Script& script);

}  // namespace trtscope::simulator
