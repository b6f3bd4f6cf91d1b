// A long table in memory, column by column; numbers are read in place.
//
// Text in columns of numbers is not read: the caller converts it, and names the cells that are not numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lgode/table/column.h"
#include "lgode/table/options.h"

namespace lgode::table {

// Which column of a table is what, by place.
struct TableRoles {
  std::vector<std::size_t> system;  // columns whose texts make the id of a system; none: the table is one system
  std::size_t object = 0, time = 0;
  std::vector<std::size_t> features;
};
// By the names that the roles give, or by the usual ones. ConfigError names the option; `where` is what
// messages call the table.
TableRoles table_roles(const Roles& roles, const std::string& where, const std::vector<std::string>& names);

struct MemoryTable {
  std::string where = "the table";   // in messages
  std::vector<std::string> columns;  // names of all columns
  std::int64_t rows = 0;
  TableRoles roles;
  std::vector<NameColumn> system;  // as roles.system
  NameColumn object;
  TimeColumn time;
  std::vector<NumberColumn> features;  // as roles.features
};

// A small table of texts, such as a table of edges.
struct TextTable {
  std::string where;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

}  // namespace lgode::table
