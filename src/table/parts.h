// The parts of an imported set: what training works with, and whether they hold values. Internal to the import.
#pragma once

#include "lgode/data/dataset.h"
#include "lgode/table/import.h"
#include "table/assemble.h"

namespace lgode::table {

// Ranges and lengths that training works with. `gap`: typical_gap of the recordings. Windows of frames are in
// the description.
void settle_ranges(const Arrangement& arrangement, const Systems& systems, double gap, data::Description& description);

// DataError where a part has no values; notes features that do not vary.
void check_parts(const ImportOptions& options, const Systems& systems, const data::Description& description,
                 ImportReport& report);

}  // namespace lgode::table
