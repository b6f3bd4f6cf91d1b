// What is read may not be written over.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lgode::app {

// A ConfigError where `out` is one of the inputs; `what` is made from them, "the data set" say.
void check_not_input(const std::string& out, const std::vector<std::filesystem::path>& inputs, const char* what);

}  // namespace lgode::app
