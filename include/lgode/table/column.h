// Columns of a table, wherever it comes from: numbers, times and names that are read in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lgode/data/time_text.h"

namespace lgode::table {

// Numbers in memory, not owned.
class NumberColumn {
 public:
  enum class Type : std::uint8_t { kFloat64, kFloat32, kInt64, kInt32, kUint8 };
  // A cell that is not a number, and what is there. The number itself is ignored.
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

// Nanoseconds since 1970 are about 2e18; beyond this, differences of times are lost in rounding.
inline constexpr double kLargestTime = 1e20;

// Times of one kind: numbers, or instants (dates, times of day) in whole nanoseconds as data::Instant counts them,
// which a double would round.
struct TimeColumn {
  static constexpr std::int64_t kMissing = std::numeric_limits<std::int64_t>::min();  // in place of an instant

  NumberColumn cells = {};                       // instants are of type kInt64
  std::optional<data::TimeStyle> instants = {};  // how they are written; empty: times are numbers

  double number(std::size_t row) const { return cells[row]; }  // NaN: missing
  std::int64_t instant(std::size_t row) const { return cells.integer(row); }
};

}  // namespace lgode::table
