// What a mistyped word probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lgode {

// The candidate with the smallest edit distance; empty where none is near enough to be a slip of the pen.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean springs?", for the end of a message; empty where nothing is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace lgode
