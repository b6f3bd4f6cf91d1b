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
#include "lgode/data/time_text.h"
#include "lgode/table/import.h"
#include "lgode/table/memory.h"
#include "lgode/table/problem.h"

namespace lgode::table {

// Systems and objects, each numbered in the order in which they were first seen.
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

// Rows in the order of the file.
struct TableRows {
  explicit TableRows(const ScratchPlace& place) : object(place), line(place), time(place), values(place) {}
  ScratchArray<std::uint32_t> object;  // [M]
  ScratchArray<std::uint32_t> line;    // [M] from 1, counted over all files
  ScratchArray<double> time;           // [M] bits of whole nanoseconds where times are dates
  ScratchArray<double> values;         // [M, D]
};

// Rows that stay in a table in memory: of TableRows there are only the objects.
struct InPlaceRows {
  const MemoryTable* table = nullptr;
  std::int64_t origin = 0;  // of dates
  double rate = 0;          // of counts
};

// In place of an object: the row is bad and left out.
inline constexpr std::uint32_t kNoObject = static_cast<std::uint32_t>(-1);

struct ObservationTable {
  explicit ObservationTable(const ScratchPlace& place) : rows(place) {}
  std::vector<std::string> columns;   // names of system (empty: none), object and time
  std::vector<std::string> features;  // names
  ObjectIndex index;
  bool dates = false;  // times are dates or times of day
  data::TimeStyle style;
  bool compact_dates = true;  // times are numbers, all of them such as 20240301
  char delimiter = ',';
  TableRows rows;
  std::optional<InPlaceRows> in_place;
  struct File {
    std::string path;
    std::int64_t lines_before = 0;  // of the files before this one
  };
  std::vector<File> files;
  std::set<std::uint32_t> shared_systems;   // that have rows in several files
  std::unordered_set<std::string> bad_ids;  // systems and objects of bad rows; they may have no other rows

  // A row's time (of the data set, once the times are settled), a value, and its line.
  double time(std::size_t row) const {
    if (!in_place) return rows.time[row];
    const NumberColumn& column = in_place->table->time;
    if (dates) return data::seconds_of(column.integer(row) - in_place->origin);
    return in_place->rate > 0 ? column[row] / in_place->rate : column[row];
  }
  double value(std::size_t row, std::size_t feature) const {
    return in_place ? in_place->table->features[feature][row] : rows.values[row * features.size() + feature];
  }
  std::uint32_t line(std::size_t row) const { return in_place ? static_cast<std::uint32_t>(row) : rows.line[row]; }
  // The file of a line of TableRows, and the line in it.
  std::pair<std::size_t, std::int64_t> place(std::int64_t line) const;
};

struct ImportContext {
  const ImportOptions& options;
  ImportReport& report;
  const std::function<void(std::int64_t, std::int64_t)>& progress;
  const StopFlag* stop;
  const TextTable* edges = nullptr;  // in place of the file of edges

  void check_stop() const;
};

ObservationTable read_observations(const ImportContext& context, const ScratchPlace& place, Problems& problems);
// The table in memory must outlive the result.
ObservationTable index_rows(const ImportContext& context, const MemoryTable& memory, const ScratchPlace& place,
                            Problems& problems);

// A relation of the edge table; objects are those of ObjectIndex.
struct EdgeRow {
  std::uint32_t source = 0, target = 0;
  std::int32_t type = 0;
  float weight = 1.0F;
};
struct EdgeTable {
  std::vector<std::string> types;
  std::vector<std::vector<EdgeRow>> by_system;  // in the order of the file
};
// Bad rows go to `problems`; an object of `excused` may be unknown, because its rows were bad.
EdgeTable read_edges(const ImportContext& context, const ObjectIndex& index, Problems& problems,
                     const std::unordered_set<std::string>& excused);

// Advice where bad rows stop an import.
inline constexpr const char* kBadRowsAdvice = "correct them, or pass `skip_bad_rows` to import the others";

}  // namespace lgode::table
