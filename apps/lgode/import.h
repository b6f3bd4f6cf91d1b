// The formats of lgode import, a file each; import.cpp lists them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command.h"

namespace lgode::app {

Command add_import_csv(CLI::App& import);
Command add_import_cmu(CLI::App& import);
Command add_import_lgode(CLI::App& import);

// What is read may not be written over: a ConfigError where `out` is one of the inputs.
void check_not_input(const std::string& out, const std::vector<std::filesystem::path>& inputs);

// The folder of the output, or the nearest one above it that is there: where temporary files go.
std::filesystem::path scratch_folder(const std::string& out);

}  // namespace lgode::app
