// The formats of lgode import, a file each; import.cpp lists them.
#pragma once

#include "command.h"

namespace lgode::app {

Command add_import_csv(CLI::App& import);
Command add_import_cmu(CLI::App& import);
Command add_import_lgode(CLI::App& import);

}  // namespace lgode::app
