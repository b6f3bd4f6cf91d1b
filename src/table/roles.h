// Finds the columns of a table by name. Internal to the import.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/table/memory.h"
#include "lgode/table/options.h"

namespace lgode::table {

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

// What the columns of a table are called, and the table in messages.
struct ColumnNames {
  std::string where;
  std::vector<std::string> names;
  std::vector<std::string> units = {};  // that stood with the names; empty where there were none
};
// Splits units off the names of a table in memory.
ColumnNames column_names(std::string where, const std::vector<std::string>& names);

// The column called `name`. ConfigError names `option`, lists the columns and suggests the nearest one.
std::size_t find_column(const ColumnNames& table, const std::string& name, const std::string& option);

// The columns of a system's id: the one of this name or, where there is none, a list of them such as "game,period".
std::vector<std::size_t> system_columns(const ColumnNames& table, const std::string& name);
// The id of a row: the texts of its fields joined with /.
void join_system(std::span<const std::string_view> fields, const std::vector<std::size_t>& columns, std::string& id);

// The columns that the roles name, or the columns with the usual names. The object is kNoColumn where objects are
// files.
TableRoles choose_columns(const ColumnNames& table, const Roles& roles);

}  // namespace lgode::table
