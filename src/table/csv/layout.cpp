// Finds the columns of a table by the options or by their usual names, and refuses what does not fit.
#include "table/csv/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/table/csv/cursor.h"

namespace lgode::table {
namespace {

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

std::vector<std::size_t> feature_columns(const ColumnNames& table, const ImportOptions& options, const Layout& layout) {
  const auto taken = [&](std::size_t c) {
    return c == layout.object || c == layout.time ||
           std::find(layout.system.begin(), layout.system.end(), c) != layout.system.end();
  };
  std::vector<std::size_t> columns;
  for (const std::string& name : options.features) columns.push_back(find_column(table, name, "`features`"));
  if (options.features.empty()) {
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

// A first line in which no field is a number where all should be is a line of names.
void check_first_row(const CsvFile& file, const Layout& layout) {
  if (file.first_row().empty()) return;
  const auto number = [&](std::size_t column) {
    const std::string& field = file.first_row()[column];
    return parse_number(field, layout.decimal_comma) || parse_number(field, true) || layout.missing(field);
  };
  const std::string& time = file.first_row()[layout.time];
  if (number(layout.time) || data::parse_iso8601(time) || data::parse_clock(time)) return;
  if (std::any_of(layout.features.begin(), layout.features.end(), number)) return;
  throw ConfigError(fmt::format(
      "`columns`: line {} of {} has names already: {}; leave `columns` out and choose among these names with "
      "`time`, `object` and `features`, or remove the line",
      file.first_line(), file.path().string(), fmt::join(file.first_row(), ", ")));
}

}  // namespace

ColumnNames names_of(const CsvFile& file) { return {file.path().string(), file.header()}; }

std::size_t find_column(const ColumnNames& table, const std::string& name, const std::string& option) {
  const auto& header = table.names;
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
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

void choose_columns(const ColumnNames& table, const ImportOptions& options, Layout& layout) {
  layout.names = table.names;
  layout.width = layout.names.size();
  const auto& header = table.names;
  if (!options.system.empty())
    layout.system = system_columns(table, options.system);
  else if (const auto found = std::find(header.begin(), header.end(), "system"); found != header.end())
    layout.system = {static_cast<std::size_t>(found - header.begin())};
  layout.object = options.object.empty() ? default_column(table, "object", "`object`")
                                         : find_column(table, options.object, "`object`");
  layout.time =
      options.time.empty() ? default_column(table, "time", "`time`") : find_column(table, options.time, "`time`");
  layout.features = feature_columns(table, options, layout);
  layout.all_features = options.features.empty();
  layout.largest_time = options.known ? std::numeric_limits<double>::max() : kLargestTime;
  std::vector<std::size_t> used = layout.features;
  used.push_back(layout.object), used.push_back(layout.time);
  used.insert(used.end(), layout.system.begin(), layout.system.end());
  check_once(table, used);
}

Layout make_layout(const CsvFile& file, const ImportOptions& options, bool stems) {
  Layout layout;
  layout.delimiter = file.delimiter();
  layout.decimal_comma = options.decimal_comma;
  layout.missing = MissingWords(options.missing, options.decimal_comma);
  if (options.decimal_comma && layout.delimiter == ',')
    throw ConfigError(
        fmt::format("`decimal_comma`: {} has commas between its columns; pass another `delimiter` if that is wrong",
                    file.path().string()));
  choose_columns(names_of(file), options, layout);
  if (layout.system.empty() && stems) layout.file_system = file.path().stem().string();
  check_first_row(file, layout);
  return layout;
}

void find_time_kind(const std::string& block, Layout& layout, data::TimeStyle& style) {
  CsvCursor cursor(block, layout.delimiter);
  while (layout.kind == TimeKind::kUnknown && cursor.next()) {
    if (cursor.fault() || cursor.fields().size() != layout.width) continue;
    std::string_view field = cursor.fields()[layout.time];
    if (parse_number(field, layout.decimal_comma)) layout.kind = TimeKind::kNumber;
    while (field.starts_with(' ')) field.remove_prefix(1);
    while (field.ends_with(' ')) field.remove_suffix(1);
    if (const std::optional<data::Instant> instant = data::parse_iso8601(field)) {
      layout.kind = TimeKind::kDate;
      layout.zoned = !instant->style.zone.empty();
      style = instant->style;
    } else if (const std::optional<data::Instant> clock = data::parse_clock(field)) {
      layout.kind = TimeKind::kClock;
      style = clock->style;
    }
  }
}

}  // namespace lgode::table
