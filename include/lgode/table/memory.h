// Imports a long table that lies in memory, column by column, as import_csv imports a file: the same options, checks
// and order of systems and objects, and so the same data set. Numbers are read where they lie; the data set's own
// arrays are their only copy.
//
// Leaves out text in columns of numbers: the caller converts it, and names the cells that are no numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/data/time_text.h"
#include "lgode/table/import.h"

namespace lgode::table {

// Which column of a table is what, by place.
struct TableRoles {
  std::vector<std::size_t> system;  // columns whose texts make the id of a system; none: the table is one system
  std::size_t object = 0, time = 0;
  std::vector<std::size_t> features;
};
// By the options (system, object, time, features) or by the usual names. ConfigError names the option; `where` is what
// messages call the table.
TableRoles table_roles(const ImportOptions& options, const std::string& where, const std::vector<std::string>& names);

// Numbers in memory, not owned.
class NumberColumn {
 public:
  enum class Type : std::uint8_t { kFloat64, kFloat32, kInt64, kInt32, kUint8 };
  // A cell that is no number, and what is there. The number itself is ignored.
  struct Bad {
    std::int64_t row = 0;
    std::string found;
  };

  Type type = Type::kFloat64;
  const std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;  // bytes from row to row
  std::vector<Bad> bad = {};  // ascending rows

  double operator[](std::size_t row) const {
    switch (type) {
      case Type::kFloat64:
        return read<double>(row);
      case Type::kFloat32:
        return static_cast<double>(read<float>(row));
      case Type::kInt64:
        return static_cast<double>(read<std::int64_t>(row));
      case Type::kInt32:
        return read<std::int32_t>(row);
      case Type::kUint8:
        return read<std::uint8_t>(row);
    }
    return 0;
  }
  std::int64_t integer(std::size_t row) const { return read<std::int64_t>(row); }  // of kInt64

 private:
  template <class T>
  T read(std::size_t row) const {
    T value;
    std::memcpy(&value, data + static_cast<std::ptrdiff_t>(row) * stride, sizeof(T));
    return value;
  }
};

// Names in memory: numbers of names, not owned. A negative one: the name is missing.
struct NameColumn {
  const std::int32_t* codes = nullptr;
  std::vector<std::string> names = {};
};

struct MemoryTable {
  std::string where = "the table";   // in messages
  std::vector<std::string> columns;  // names of all columns
  std::int64_t rows = 0;
  TableRoles roles;
  std::vector<NameColumn> system;  // as roles.system
  NameColumn object;
  // NaN: missing. With `dates`: nanoseconds as Instant counts them, the smallest number where one is missing.
  NumberColumn time;
  std::optional<data::TimeStyle> dates;
  std::vector<NumberColumn> features;  // as roles.features
};

// A small table of texts, such as a table of edges.
struct TextTable {
  std::string where;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// `options`: observations, columns, missing, delimiter, decimal_comma and known are not used; with Edges::kTable the
// relations are those of `edges` or, where that is null, of the file edge_table. Rows are counted from 0 in messages.
// Throws as import_csv.
data::Dataset import_table(const ImportOptions& options, const MemoryTable& table, const TextTable* edges,
                           ImportReport& report, const StopFlag* stop = nullptr);

}  // namespace lgode::table
