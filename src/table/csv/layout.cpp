// Finds the columns of a table by the options or by their usual names, and refuses what does not fit.
#include "table/csv/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/table/csv/cursor.h"
#include "lgode/table/import.h"

namespace lgode::table {
namespace {

// A first line in which no field is a number where all should be is a line of names.
void check_first_row(const CsvFile& file, const Layout& layout) {
  if (file.first_row().empty()) return;
  const auto number = [&](std::size_t column) {
    const std::string& field = file.first_row()[column];
    return parse_number(field, layout.decimal_comma) || parse_number(field, true) || layout.missing(field);
  };
  const std::string& time = file.first_row()[layout.roles.time];
  if (number(layout.roles.time) || data::parse_iso8601(time) || data::parse_clock(time)) return;
  if (std::any_of(layout.roles.features.begin(), layout.roles.features.end(), number)) return;
  if (layout.like_set)
    throw ConfigError(fmt::format("{}, line {}: has names, {}, which the imported table had not; remove the line",
                                  file.path().string(), file.first_line(), fmt::join(file.first_row(), ", ")));
  throw ConfigError(fmt::format(
      "`columns`: line {} of {} has names already: {}; leave `columns` out and choose among these names with "
      "`time`, `object` and `features`, or remove the line",
      file.first_line(), file.path().string(), fmt::join(file.first_row(), ", ")));
}

// Empty: the table is one system without a name. Files that are objects belong to the system of their folder.
std::string system_of_file(const std::filesystem::path& path, const ImportOptions& options, bool stems) {
  if (!options.file_system.empty()) return options.file_system;
  if (options.roles.object_from == ObjectFrom::kFile) {
    const std::string folder = std::filesystem::absolute(path).parent_path().filename().string();
    return path.string().starts_with("/dev/fd/") || folder.empty() ? "table" : folder;
  }
  return stems ? file_name(path) : "";
}

}  // namespace

ColumnNames names_of(const CsvFile& file) { return {file.path().string(), file.header(), file.units()}; }

Layout make_layout(const CsvFile& file, const ImportOptions& options, bool stems) {
  Layout layout;
  layout.delimiter = file.delimiter();
  layout.decimal_comma = options.format.decimal_comma;
  layout.missing = MissingWords(options.format.missing, options.format.decimal_comma);
  if (options.format.decimal_comma && layout.delimiter == ',' && !options.roles.same_features.empty())
    throw ConfigError(fmt::format("{}: has commas between its columns, but the imported table has decimal commas",
                                  file.path().string()));
  if (options.format.decimal_comma && layout.delimiter == ',')
    throw ConfigError(
        fmt::format("`decimal_comma`: {} has commas between its columns; pass another `delimiter` if that is wrong",
                    file.path().string()));
  layout.names = file.header();
  layout.width = layout.names.size();
  layout.roles = choose_columns(names_of(file), options.roles);
  layout.all_features = options.roles.features.empty();
  layout.like_set = !options.roles.same_features.empty();
  layout.largest_time = options.known ? std::numeric_limits<double>::max() : kLargestTime;
  layout.units = file.units();
  // The names of the set, whatever units stand with them in this table.
  if (!options.roles.same_features.empty())
    for (std::size_t f = 0; f < options.roles.features.size(); ++f)
      layout.names[layout.roles.features[f]] = options.roles.features[f];
  if (layout.roles.object == kNoColumn) layout.file_object = file_name(file.path());
  if (layout.roles.system.empty()) layout.file_system = system_of_file(file.path(), options, stems);
  check_first_row(file, layout);
  return layout;
}

std::optional<data::TimeStyle> find_time_kind(const std::string& block, Layout& layout) {
  std::optional<data::TimeStyle> style;
  CsvCursor cursor(block, layout.delimiter);
  while (layout.kind == TimeKind::kUnknown && cursor.next()) {
    if (cursor.fault() || cursor.fields().size() != layout.width) continue;
    std::string_view field = cursor.fields()[layout.roles.time];
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
  return style;
}

SystemOfRow::SystemOfRow(const CsvFile& file, const ImportOptions& options) {
  const Layout layout = make_layout(file, options, options.file_systems);
  columns_ = layout.roles.system;
  file_system_ = layout.file_system;
}

std::string SystemOfRow::operator()(std::span<const std::string_view> fields) const {
  if (columns_.empty()) return file_system_;
  std::string id;
  join_system(fields, columns_, id);
  return id;
}

}  // namespace lgode::table
