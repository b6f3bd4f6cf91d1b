// The relations of an edge table among the objects of the observations. Internal to the import.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "table/import_context.h"

namespace lgode::table {

// A relation of the edge table; objects by their number in ObjectIndex.
struct EdgeRow {
  std::uint32_t source = 0, target = 0;
  std::int32_t type = 0;
  float weight = 1.0F;
};
struct EdgeTable {
  std::vector<std::string> types;
  std::vector<std::vector<EdgeRow>> by_system;  // in the order of the file
};
// Bad rows go to `problems`; an object of `excused` may be unknown, because its rows are bad.
EdgeTable read_edges(const ImportContext& context, const ObjectIndex& index, Problems& problems,
                     const std::unordered_set<std::string>& excused);

}  // namespace lgode::table
