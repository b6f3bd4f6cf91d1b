// Keeps a command from overwriting its own input.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lgode::app {

// Throws ConfigError if `out` is one of the inputs; `what` names the result, such as "the data set".
void check_not_input(const std::string& out, const std::vector<std::filesystem::path>& inputs, const char* what);

}  // namespace lgode::app
