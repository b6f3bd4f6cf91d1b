// The command line as it was typed, to suggest another one.
#pragma once

#include <string>

namespace lgode::app {

void keep_command_line(int argc, char** argv);

// The command line with this flag and value, in place of the value that the flag had. Words are quoted for a shell
// where they need it.
std::string command_line_with(const std::string& flag, const std::string& value);

}  // namespace lgode::app
