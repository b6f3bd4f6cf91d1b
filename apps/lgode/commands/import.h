// The formats of lgode import, one file per format; import.cpp lists them.
#pragma once

#include <filesystem>
#include <string>

#include "command.h"

namespace lgode::app {

Command add_import_csv(Flags import);
Command add_import_cmu(Flags import);
Command add_import_lgode(Flags import);

// The folder of the output, or its nearest existing parent: where temporary files go.
std::filesystem::path scratch_folder(const std::string& out);

}  // namespace lgode::app
