// From rows in the order of the table to arrays: grouped by object and sorted by time. Internal to the import.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "table/observations.h"
#include "table/systems.h"

namespace lgode::table {

// Two rows of one object at one time.
struct Duplicate {
  std::uint32_t line = 0, first_line = 0;
  std::string object;
  double time = 0;
};

// A system of the table each, with what grouping found.
struct Grouped {
  Systems systems;
  std::vector<std::int32_t> local_of = {};  // of each object of the index: its place in its system
  std::vector<Duplicate> duplicates = {};   // dropped rows that contradict another of the same object and time
  std::int64_t joined = 0;                  // rows joined with another, which they do not contradict
};

// Groups and sorts. Derived features are missing in all rows. Objects are in the order of their first row. Frees the
// cells of the table.
Grouped group_rows(ObservationTable& table, const std::vector<data::Feature>& features, const ScratchPlace& place,
                   int threads);

}  // namespace lgode::table
