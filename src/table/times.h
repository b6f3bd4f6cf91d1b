// The times of an imported table as times of a data set. Internal to the import.
#pragma once

#include "lgode/data/dataset.h"
#include "lgode/table/options.h"
#include "table/observations.h"

namespace lgode::table {

// Sets the clock of the table (origin of dates, rate of counts), and unit, origin and format of times in the
// description.
void settle_times(const ImportOptions& options, ObservationTable& table, data::Description& description);

}  // namespace lgode::table
