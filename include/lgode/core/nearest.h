// Suggestions for mistyped words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lgode {

// The candidate with the smallest edit distance; empty if none is close enough to be a typing error.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean springs?", for the end of a message; empty if nothing is close.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace lgode
