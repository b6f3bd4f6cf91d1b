// Messages of the library in the words of the command line. The library names an option by its key in backquotes,
// `edge_columns`; the command calls it --edge-columns.
#pragma once

#include <string>
#include <string_view>

#include "lgode/use/message.h"

namespace lgode::app {

// "--edge-columns" for "edge_columns".
std::string flag_name(std::string_view key);

// The message with every backquoted key replaced by its flag. A key is a lowercase letter followed by lowercase
// letters, digits and underscores; other text between backquotes stays.
std::string with_flags(std::string_view message);

// Each on standard error: "note: text", or "warning: about: text".
void print_messages(const use::Messages& messages, const std::string& about = "");

}  // namespace lgode::app
