// The rows of a table of edges, in a file or in memory: its columns by name, and what can be checked without the
// objects. Internal to the import and to streams of rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/table/csv/file.h"
#include "lgode/table/memory.h"
#include "lgode/table/problem.h"
#include "table/roles.h"

namespace lgode::table {

struct EdgeFormat {
  std::map<std::string, std::string> columns = {};  // what system, source, target, type and weight are called
  char delimiter = 0;
  bool decimal_comma = false;
  bool usual_names = false;  // the columns cannot be named otherwise
  bool float_weights =
      false;  // weights are the shortest texts of floats; by way of a double they would be rounded twice
};

// Texts are valid until the next row.
struct EdgeTexts {
  std::optional<std::string_view> system = {}, type = {};
  std::string_view source, target;
  float weight = 1.0F;
};

class EdgeRows {
 public:
  enum class Column { kRow, kSystem, kSource, kTarget, kType, kWeight };

  // Only source and target are required. ConfigError on columns that are not there. Bad rows go to `problems`.
  EdgeRows(const std::filesystem::path& path, const EdgeFormat& format, Problems& problems);
  EdgeRows(const TextTable& table, const EdgeFormat& format, Problems& problems);  // which must outlive this

  bool has_types() const { return type_ != kNoColumn; }
  // Calls `row` for each row whose fields, ends and weight are good. Interrupted on a stop request.
  void read(const std::function<void(const EdgeTexts&)>& row, const StopFlag* stop = nullptr);
  // Reports the row that is being read.
  void refuse(Column column, std::string_view found, std::string expected);

 private:
  void find_columns();
  std::size_t find(const std::string& what, bool needed) const;
  void refuse_at(std::size_t column, std::string_view found, std::string expected);
  std::optional<EdgeTexts> check(std::span<const std::string_view> fields);
  bool parse_weight(std::string_view field, float& weight);
  void read_file(const std::function<void(const EdgeTexts&)>& row, const StopFlag* stop);

  EdgeFormat format_;
  Problems& problems_;
  std::optional<CsvFile> file_;
  const TextTable* table_ = nullptr;
  ColumnNames columns_;
  std::size_t system_ = kNoColumn, source_ = kNoColumn, target_ = kNoColumn, type_ = kNoColumn, weight_ = kNoColumn;
  std::int64_t line_ = 0;
};

}  // namespace lgode::table
