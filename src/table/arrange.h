// Recordings become systems that train and test. Internal to the import.
#pragma once

#include <memory>

#include "lgode/table/import.h"
#include "table/assemble.h"

namespace lgode::table {

// Thins and cuts the recordings, and splits them into parts. Sets `gap` to the typical gap of the thinned recordings.
std::shared_ptr<Systems> arrange(const Arrangement& arrangement, std::shared_ptr<Systems> systems,
                                 const ScratchPlace& place, double& gap, ImportReport& report);

}  // namespace lgode::table
