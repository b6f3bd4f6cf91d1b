// Which column of a table is what, and how its fields are read. Internal to the import.
#pragma once

#include <string>
#include <vector>

#include "lgode/data/time_text.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/file.h"
#include "lgode/table/import.h"

namespace lgode::table {

// Nanoseconds since 1970 are about 2e18; beyond this, differences of times are lost in rounding.
inline constexpr double kLargestTime = 1e20;

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

enum class TimeKind { kUnknown, kNumber, kDate, kClock };

// What the rows are read with.
struct Layout {
  std::size_t width = 0;  // columns of the table
  std::size_t object = 0, time = 0;
  std::vector<std::size_t> system;  // columns whose texts make the id; none: `file_system`
  std::string file_system;
  std::vector<std::size_t> features;
  std::vector<std::string> names;  // of all columns
  char delimiter = ',';
  bool decimal_comma = false;
  MissingWords missing;
  TimeKind kind = TimeKind::kUnknown;
  bool zoned = false;  // dates have a zone
  double largest_time = 0;
  bool all_features = false;  // by default, not chosen

  std::string column(std::size_t i) const { return names[i].empty() ? std::to_string(i + 1) : names[i]; }
};

// What the columns of a table are called, and the table in messages.
struct ColumnNames {
  std::string where;
  std::vector<std::string> names;
};
ColumnNames names_of(const CsvFile& file);

// The column called `name`. ConfigError names `option`, lists the columns and suggests the nearest one.
std::size_t find_column(const ColumnNames& table, const std::string& name, const std::string& option);

// The columns of a system's id: the one of this name or, where there is none, those of a list such as "game,period".
std::vector<std::size_t> system_columns(const ColumnNames& table, const std::string& name);
// The id that a row's fields make, with / between them.
void join_system(std::span<const std::string_view> fields, const std::vector<std::size_t>& columns, std::string& id);

// The columns that the options name, or those of the usual names: sets system, object, time and features of the layout.
void choose_columns(const ColumnNames& table, const ImportOptions& options, Layout& layout);

// `stems`: without a column of systems, a file is a system, named after it.
Layout make_layout(const CsvFile& file, const ImportOptions& options, bool stems);

// Sets kind and zone by the first time of the block that can be read, if there is one.
void find_time_kind(const std::string& block, Layout& layout, data::TimeStyle& style);

}  // namespace lgode::table
