// The formats of lgode import, a file each; import.cpp lists them.
#pragma once

#include <filesystem>
#include <string>

#include "command.h"

namespace lgode::app {

Command add_import_csv(Flags import);
Command add_import_cmu(Flags import);
Command add_import_lgode(Flags import);

// The folder of the output, or the nearest one above it that is there: where temporary files go.
std::filesystem::path scratch_folder(const std::string& out);

}  // namespace lgode::app
