// The columns of a table by the names that the roles give, or by their usual names; refuses what does not fit.
#include "table/roles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/cursor.h"
#include "lgode/table/unit_names.h"

namespace lgode::table {
namespace {

// In place of advice on options: the table is to be like the one of a set or a run, and its reader has no options for
// columns.
[[noreturn]] void refuse_unlike(const ColumnNames& table, const Roles& roles, const std::string& name) {
  std::vector<std::string> wanted;
  if (!roles.system.empty()) wanted.push_back(roles.system);
  if (roles.object_from == ObjectFrom::kColumn) wanted.push_back(roles.object);
  wanted.push_back(roles.time);
  wanted.insert(wanted.end(), roles.features.begin(), roles.features.end());
  throw ConfigError(fmt::format("{}: has no column '{}'{}; expected the columns of the imported table, {}; it has {}",
                                table.where, name, did_you_mean(name, table.names), fmt::join(wanted, ", "),
                                fmt::join(table.names, ", ")));
}

// Names that are numbers are most often the first row of a table without names.
std::string names_advice(const std::vector<std::string>& header) {
  const bool numbers = std::any_of(header.begin(), header.end(),
                                   [](const std::string& name) { return parse_number(name, true).has_value(); });
  return numbers ? "; if the table has no line of names, give them with `columns`" : "";
}

std::size_t default_column(const ColumnNames& table, const char* name, const char* option) {
  const auto& header = table.names;
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  throw ConfigError(fmt::format("{}: has no column '{}'; name the one to take with {}; its columns are {}{}{}",
                                table.where, name, option, fmt::join(header, ", "),
                                header.size() < 2 ? "; is the `delimiter` right?" : "", names_advice(header)));
}

// Two columns with the same name cannot be distinguished.
void check_once(const ColumnNames& table, const std::vector<std::size_t>& used) {
  const auto& header = table.names;
  for (const std::size_t column : used) {
    for (std::size_t other = 0; other < header.size(); ++other) {
      if (other == column || header[other] != header[column]) continue;
      throw DataError(fmt::format("{}: columns {} and {} are both named '{}'; rename one", table.where,
                                  std::min(column, other) + 1, std::max(column, other) + 1, header[column]));
    }
  }
}

// kNoColumn where each file is an object. A table of several such files in one has their names in a column.
std::size_t object_column(const ColumnNames& table, const Roles& roles) {
  if (roles.object_from == ObjectFrom::kColumn)
    return roles.object.empty() ? default_column(table, "object", "`object`")
                                : find_column(table, roles.object, "`object`");
  return column_named(table.names, table.units, roles.object.empty() ? kFileObject : roles.object).value_or(kNoColumn);
}

void check_like(const ColumnNames& table, const Roles& roles) {
  std::vector<std::string> wanted = roles.features;
  if (!roles.object.empty() && roles.object_from == ObjectFrom::kColumn) wanted.push_back(roles.object);
  if (!roles.time.empty()) wanted.push_back(roles.time);
  if (!roles.system.empty() && roles.system.find(',') == std::string::npos) wanted.push_back(roles.system);
  for (const std::string& name : wanted)
    if (!column_named(table.names, table.units, name)) refuse_unlike(table, roles, name);
}

std::vector<std::size_t> feature_columns(const ColumnNames& table, const Roles& roles, const TableRoles& chosen) {
  const auto taken = [&](std::size_t c) {
    return c == chosen.object || c == chosen.time ||
           std::find(chosen.system.begin(), chosen.system.end(), c) != chosen.system.end();
  };
  std::vector<std::size_t> columns;
  for (const std::string& name : roles.features) columns.push_back(find_column(table, name, "`features`"));
  if (roles.features.empty()) {
    // A column without a name is most often a row number that some program wrote.
    for (std::size_t c = 0; c < table.names.size(); ++c)
      if (!taken(c) && !table.names[c].empty()) columns.push_back(c);
  }
  if (columns.empty())
    throw ConfigError(fmt::format("{}: has no column left that could be a feature; its columns are {}", table.where,
                                  fmt::join(table.names, ", ")));
  const std::set<std::size_t> once(columns.begin(), columns.end());
  if (once.size() < columns.size()) throw ConfigError("`features`: names a column twice");
  for (const std::size_t c : columns)
    if (taken(c))
      throw ConfigError(
          fmt::format("`features` {}: this column is the system, the object or the time", table.names[c]));
  return columns;
}

}  // namespace

std::size_t find_column(const ColumnNames& table, const std::string& name, const std::string& option) {
  const auto& header = table.names;
  if (const auto found = column_named(header, table.units, name)) return *found;
  throw ConfigError(fmt::format("{} {}: {} has no such column{}; its columns are {}{}", option, name, table.where,
                                did_you_mean(name, header), fmt::join(header, ", "), names_advice(header)));
}

std::vector<std::size_t> system_columns(const ColumnNames& table, const std::string& name) {
  const auto& header = table.names;
  if (std::find(header.begin(), header.end(), name) != header.end() || name.find(',') == std::string::npos)
    return {find_column(table, name, "`system`")};
  std::vector<std::size_t> columns;
  CsvCursor cursor(name, ',');
  if (cursor.next())
    for (const std::string_view part : cursor.fields())
      columns.push_back(find_column(table, std::string(part), "`system`"));
  const std::set<std::size_t> once(columns.begin(), columns.end());
  if (once.size() < columns.size()) throw ConfigError(fmt::format("`system` {}: names a column twice", name));
  return columns;
}

void join_system(std::span<const std::string_view> fields, const std::vector<std::size_t>& columns, std::string& id) {
  id.clear();
  for (const std::size_t column : columns) {
    if (column != columns.front()) id += '/';
    id += fields[column];
  }
}

// Whether the table has the columns of `name`, which may be several: "game,period".
bool has_system(const ColumnNames& table, const std::string& name) {
  const auto has = [&](const std::string& column) {
    return column_named(table.names, table.units, column).has_value();
  };
  const std::optional<std::vector<std::string>> parts = parse_names(name);
  return has(name) || (parts && std::all_of(parts->begin(), parts->end(), has));
}

TableRoles choose_columns(const ColumnNames& table, const Roles& asked) {
  const auto& header = table.names;
  Roles roles = asked;
  if (roles.system_may_lack && !has_system(table, roles.system)) roles.system.clear();
  if (!roles.same_features.empty()) check_like(table, roles);
  TableRoles chosen;
  if (!roles.system.empty())
    chosen.system = system_columns(table, roles.system);
  else if (const auto found = std::find(header.begin(), header.end(), "system"); found != header.end())
    chosen.system = {static_cast<std::size_t>(found - header.begin())};
  chosen.object = object_column(table, roles);
  chosen.time = roles.time.empty() ? default_column(table, "time", "`time`") : find_column(table, roles.time, "`time`");
  chosen.features = feature_columns(table, roles, chosen);
  std::vector<std::size_t> used = chosen.features;
  if (chosen.object != kNoColumn) used.push_back(chosen.object);
  used.push_back(chosen.time);
  used.insert(used.end(), chosen.system.begin(), chosen.system.end());
  check_once(table, used);
  return chosen;
}

TableRoles table_roles(const Roles& roles, const std::string& where, const std::vector<std::string>& names) {
  const TableRoles chosen = choose_columns(column_names(where, names), roles);
  if (chosen.object == kNoColumn)
    throw ConfigError(
        fmt::format("`object_from` file: is about files; name the column of objects in {} with `object`", where));
  return chosen;
}

ColumnNames column_names(std::string where, const std::vector<std::string>& names) {
  ColumnNames table{std::move(where), {}, {}};
  for (UnitName& name : split_units(names))
    table.names.push_back(std::move(name.name)), table.units.push_back(std::move(name.unit));
  return table;
}

}  // namespace lgode::table
