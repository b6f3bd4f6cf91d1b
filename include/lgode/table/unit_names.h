// Names of columns that end in a unit: `X(cm)`, `x [m/s]`, `speed (deg/s)`, `x_mm`. The unit is one that is known, or a
// product, quotient or power of such, so that `pos (left)` and `x(1)` stay names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lgode::table {

struct UnitName {
  std::string name, unit;  // unit: empty where there is none
};

// A name that is in capitals altogether, and stood with a unit, is in lower case then: `X(cm)` is x in cm.
UnitName split_unit(std::string_view column);

// The names of all columns of a table. Columns whose names would be the same without their units keep them whole.
std::vector<UnitName> split_units(const std::vector<std::string>& columns);

// The place of a column that is called so, with its unit or without, among names and units that were split; nothing
// where there is none.
std::optional<std::size_t> column_named(const std::vector<std::string>& names, const std::vector<std::string>& units,
                                        const std::string& name);

}  // namespace lgode::table
