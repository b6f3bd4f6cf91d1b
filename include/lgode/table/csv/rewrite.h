// Copies a table byte for byte, except for replaced fields and one added last column.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/core/file.h"

namespace lgode::table {

struct CsvRewrite {
  std::filesystem::path table;  // a regular file, packed or not
  char delimiter = ',';
  std::string column;         // name of the new one
  std::size_t no_header = 0;  // number of columns where the table has no line of names; 0: it has one
  // Called for each row with as many fields as the header: puts texts into `replace` (one place per field, initially
  // empty) where a field is to change, and returns the row's field of the new column. Both are quoted if needed.
  std::function<std::string(std::span<const std::string_view> fields, std::span<std::optional<std::string>> replace)>
      change;
  // Rows to write after the others, with the field of the new column at their end; called after all rows.
  std::function<std::vector<std::vector<std::string>>()> more;
};

// Returns the number of rows before the ones that `more` adds. Blank lines, a byte order mark and line ends stay as
// they are; rows with another number of fields or bad quotes, too, which get no further field. ConfigError where the
// table has a column of the new one's name; DataError.
std::int64_t rewrite_csv(const CsvRewrite& rewrite, FileSink& out);

}  // namespace lgode::table
