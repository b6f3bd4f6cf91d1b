// Which column of a table is what, and how its fields are read. Internal to the import.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lgode/data/time_text.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/file.h"
#include "lgode/table/options.h"
#include "table/roles.h"

namespace lgode::table {

enum class TimeKind { kUnknown, kNumber, kDate, kClock };

// What the rows are read with.
struct Layout {
  std::size_t width = 0;  // columns of the table
  TableRoles roles;
  std::string file_system;         // the system, where no column has it
  std::string file_object;         // the object, where no column has it
  std::vector<std::string> names;  // of all columns
  std::vector<std::string> units;  // that stood with the names
  char delimiter = ',';
  bool decimal_comma = false;
  MissingWords missing;
  TimeKind kind = TimeKind::kUnknown;
  bool zoned = false;  // dates have a zone
  double largest_time = 0;
  bool all_features = false;  // by default, not chosen
  bool like_set = false;      // the options are those of a set: messages name none of them

  std::string column(std::size_t i) const { return names[i].empty() ? std::to_string(i + 1) : names[i]; }
};

ColumnNames names_of(const CsvFile& file);

// `stems`: without a column of systems, a file is a system, named after it.
Layout make_layout(const CsvFile& file, const ImportOptions& options, bool stems);

// Sets kind and zone by the first time of the block that can be read, if there is one; returns how instants are
// written.
std::optional<data::TimeStyle> find_time_kind(const std::string& block, Layout& layout);

}  // namespace lgode::table
