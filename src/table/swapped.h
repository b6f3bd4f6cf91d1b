// Recognises a table whose columns of objects and times are exchanged. Internal to the import.
#pragma once

#include <vector>

#include "lgode/table/options.h"
#include "table/observations.h"

namespace lgode::table {

// ConfigError if the positions (features, as indices of the table's values) jump far less from row to row where the
// columns of object and time are exchanged. Only where both are numbers, times whole ones.
void check_not_swapped(const ImportOptions& options, const ObservationTable& table,
                       const std::vector<std::size_t>& positions);

}  // namespace lgode::table
