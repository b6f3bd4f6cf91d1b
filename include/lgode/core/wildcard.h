// Patterns with * (any text) and ? (any byte).
#pragma once

#include <string_view>

namespace lgode {

bool is_pattern(std::string_view text);
// Whether the whole text fits the pattern.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace lgode
