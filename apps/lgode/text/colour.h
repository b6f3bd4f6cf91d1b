// Coloured text on a terminal.
#pragma once

#include <string>

namespace lgode::app {

enum class Colour { kGood, kDoubtful, kBad };

// The text, in colour where standard output is a terminal that is not dumb, unless NO_COLOR is set.
std::string coloured(const std::string& text, Colour colour);

}  // namespace lgode::app
