// Relations of an imported set: a rule, none, or a table of them. Internal to the import.
#pragma once

#include <optional>
#include <vector>

#include "table/assemble.h"
#include "table/edges.h"

namespace lgode::table {

// Fills the relations of all systems, and their rule and types in the description.
void add_relations(const RelationSource& source, Systems& systems, const std::optional<EdgeTable>& edges,
                   const std::vector<std::int32_t>& local_of, data::Description& description);

// The relations of the table, among the objects that a system has.
void add_table_relations(Systems& systems, const EdgeTable& edges, const std::vector<std::int32_t>& local_of);

}  // namespace lgode::table
