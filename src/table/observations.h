// The observation table as rows in scratch arrays, with an index of its objects. Internal to the import.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lgode/core/scratch.h"
#include "lgode/table/clock.h"
#include "lgode/table/column.h"

namespace lgode::table {

// Systems and objects, each numbered by first appearance.
class ObjectIndex {
 public:
  struct Object {
    std::uint32_t system = 0;
    std::string id;
  };

  std::uint32_t add_system(std::string_view id);
  std::uint32_t add(std::uint32_t system, std::string_view id);
  std::optional<std::uint32_t> find_system(std::string_view id) const;
  std::optional<std::uint32_t> find(std::uint32_t system, std::string_view id) const;
  const std::vector<std::string>& systems() const { return systems_; }
  const std::vector<Object>& objects() const { return objects_; }

 private:
  static std::string key(std::uint32_t system, std::string_view id);

  std::vector<std::string> systems_;
  std::vector<Object> objects_;
  std::unordered_map<std::string, std::uint32_t> system_of_, object_of_;
};

// In place of an object: the row is bad and skipped.
inline constexpr std::uint32_t kNoObject = static_cast<std::uint32_t>(-1);

// Cells of tables that are not in memory already. Columns of an ObservationTable point into them.
struct OwnCells {
  explicit OwnCells(const ScratchPlace& place) : numbers(place), instants(place), values(place) {}
  ScratchArray<double> numbers;         // [M] times, or
  ScratchArray<std::int64_t> instants;  // [M]
  ScratchArray<double> values;          // [M, D]
};

// Rows with the roles of their columns, from files or from memory.
struct ObservationTable {
  explicit ObservationTable(const ScratchPlace& place) : object(place), lines(place), own(place) {}
  std::vector<std::string> columns;   // names of system (empty: none), object and time
  std::vector<std::string> features;  // names
  std::vector<std::string> units;     // that stand with them in the table
  std::string time_unit;              // as well
  ObjectIndex index;
  bool compact_dates = true;  // times are numbers, all of them such as 20240301
  char delimiter = ',';
  ScratchArray<std::uint32_t> object;  // [M] of the index, or kNoObject
  ScratchArray<std::uint32_t> lines;   // [M] from 1, counted over all files; empty for rows in memory
  TimeColumn time;
  TableClock clock;                  // set when the times are settled
  std::vector<NumberColumn> values;  // by feature
  OwnCells own;
  bool in_memory = false;  // messages count rows from 0, not lines
  struct File {
    std::string path;
    std::int64_t lines_before = 0;  // of the files before this one
  };
  std::vector<File> files;
  std::set<std::uint32_t> shared_systems;   // that have rows in several files
  std::unordered_set<std::string> bad_ids;  // systems and objects of bad rows; they may have no other rows

  std::size_t rows() const { return object.size(); }
  bool dates() const { return time.instants.has_value(); }  // dates or times of day
  double time_of(std::size_t row) const { return clock(time, row); }
  double value(std::size_t row, std::size_t feature) const { return values[feature][row]; }
  std::uint32_t line(std::size_t row) const { return in_memory ? static_cast<std::uint32_t>(row) : lines[row]; }
  // The file of a line, and the line in it.
  std::pair<std::size_t, std::int64_t> place(std::int64_t line) const;
  // The columns of `own`, once it is complete.
  void point_to_own_cells();
  // Frees the cells when they are not needed any more.
  void release(const ScratchPlace& place);
};

}  // namespace lgode::table
