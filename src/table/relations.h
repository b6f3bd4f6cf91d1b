// Relations of an imported set: a rule, none, or those of a table. Internal to the import.
#pragma once

#include <string>
#include <vector>

#include "table/assemble.h"

namespace lgode::table {

// Fills the relations of all systems, and their rule and types in the description.
void add_relations(const ImportOptions& options, Systems& systems, const EdgeTable& edges,
                   const std::vector<std::int32_t>& local_of, data::Description& description);

// The features that say where an object is: those of `positions` or, where it is empty, position_features.
std::vector<int> chosen_positions(const ImportOptions& options, const std::vector<data::Feature>& features);

// Those of the table, among the objects that a system has.
void add_table_relations(Systems& systems, const EdgeTable& edges, const std::vector<std::int32_t>& local_of);

}  // namespace lgode::table
