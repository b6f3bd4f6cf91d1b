// Lines of Markdown of at most 120 characters.
#pragma once

#include <string>

namespace lgode::reproduce {

// A paragraph or list item, broken at blanks. All lines but the first get the indent. Ends with a newline.
std::string wrapped(const std::string& text, const std::string& indent);

}  // namespace lgode::reproduce
