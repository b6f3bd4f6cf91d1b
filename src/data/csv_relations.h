// Relations of an imported set: from a table, all pairs, none, or the nearest objects. Internal to the import.
#pragma once

#include <string>
#include <vector>

#include "csv_assemble.h"

namespace lgode::data {

// Fills the relations of all systems and returns the names of their types.
std::vector<std::string> add_relations(const CsvImport& options, Systems& systems, const std::vector<Feature>& features,
                                       const EdgeTable& edges, const std::vector<std::int32_t>& local_of);

// Those of the table, by recording.
void add_table_relations(Systems& systems, const EdgeTable& edges, const std::vector<std::int32_t>& local_of);

}  // namespace lgode::data
