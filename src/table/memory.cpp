// The rows of a table in memory: checks every cell and finds the object of every row. Times and values stay where they
// are.
#include "lgode/table/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "lgode/core/parallel.h"
#include "lgode/table/cell.h"
#include "table/import_context.h"
#include "table/roles.h"

namespace lgode::table {

namespace {

class RowIndexer {
 public:
  RowIndexer(const ImportContext& context, const MemoryTable& memory, const ScratchPlace& place, Problems& problems)
      : context_(context), memory_(memory), problems_(problems), table_(place) {}

  ObservationTable read() {
    table_.files = {{memory_.where, 0}};
    table_.in_memory = true;
    table_.time = memory_.time;
    table_.values = memory_.features;
    table_.compact_dates = false;
    const TableRoles& roles = memory_.roles;
    const ColumnNames columns = column_names(memory_.where, memory_.columns);
    table_.columns = {roles.system.size() > 1    ? context_.options.roles.system
                      : roles.system.size() == 1 ? columns.names[roles.system.front()]
                                                 : "",
                      columns.names[roles.object], columns.names[roles.time]};
    table_.time_unit = columns.units[roles.time];
    const Roles& asked = context_.options.roles;
    for (std::size_t f = 0; f < roles.features.size(); ++f) {
      // The names of the set, whatever units stand with them in this table.
      table_.features.push_back(asked.same_features.empty() ? columns.names[roles.features[f]] : asked.features[f]);
      table_.units.push_back(columns.units[roles.features[f]]);
    }
    table_.object.resize(static_cast<std::size_t>(memory_.rows));
    check_numbers();
    index_objects();
    return std::move(table_);
  }

 private:
  struct Found {
    std::int64_t row;
    std::size_t column;
    std::string found, expected;
  };

  void refuse(std::int64_t row, std::size_t column, std::string found, std::string expected) {
    problems_.add({.line = row,
                   .column = memory_.columns[column],
                   .found = std::move(found),
                   .expected = std::move(expected),
                   .is_row = true});
    bad_.push_back(row);
  }

  // Times and values, in parallel over blocks of rows.
  void check_numbers() {
    constexpr std::int64_t kTogether = 1 << 16;
    const std::int64_t blocks = (memory_.rows + kTogether - 1) / kTogether;
    std::vector<std::vector<Found>> found(static_cast<std::size_t>(blocks));
    parallel_tasks(blocks, context_.options.threads, [&](std::int64_t block) {
      const std::int64_t end = std::min(memory_.rows, (block + 1) * kTogether);
      check_rows(block * kTogether, end, found[static_cast<std::size_t>(block)]);
    });
    context_.check_stop();
    for (std::vector<Found>& block : found)
      for (Found& f : block) refuse(f.row, f.column, std::move(f.found), std::move(f.expected));
    for (const NumberColumn::Bad& bad : memory_.time.cells.bad)
      refuse(bad.row, memory_.roles.time, bad.found, "a time: a number, a date or a time of day");
    check_text();
    for (std::size_t f = 0; f < memory_.features.size(); ++f) {
      std::string advice = context_.options.roles.features.empty()
                               ? "; if this column is not a feature, name the features with `features`"
                               : "";
      for (const NumberColumn::Bad& bad : memory_.features[f].bad)
        refuse(bad.row, memory_.roles.features[f], bad.found,
               "a number, or None or NaN where it is missing" + std::exchange(advice, ""));
    }
  }

  // Columns in which most values are not numbers.
  void check_text() const {
    TextColumns columns;
    for (std::size_t f = 0; f < memory_.features.size(); ++f) {
      const NumberColumn& column = memory_.features[f];
      const auto bad = static_cast<std::int64_t>(column.bad.size());
      const std::string& name = memory_.columns[memory_.roles.features[f]];
      std::int64_t numbers = 0;
      for (std::int64_t i = 0; i < memory_.rows && bad > 1; ++i)
        numbers += std::isnan(column[static_cast<std::size_t>(i)]) ? 0 : 1;
      if (bad > 1 && bad > numbers)
        columns.texts.emplace_back(name, shown_text(column.bad.front().found));
      else
        columns.others.push_back(name);
    }
    columns.refuse(memory_.where);
  }

  void check_rows(std::int64_t begin, std::int64_t end, std::vector<Found>& found) const {
    const auto row = [](std::int64_t i) { return static_cast<std::size_t>(i); };
    for (std::int64_t i = begin; i < end; ++i) {
      if (memory_.time.instants) {
        if (memory_.time.instant(row(i)) == TimeColumn::kMissing)
          found.push_back({i, memory_.roles.time, "", "a time"});
        continue;
      }
      const double time = memory_.time.number(row(i));
      if (std::abs(time) <= kLargestTime) continue;
      found.push_back({i, memory_.roles.time, fmt::format("{}", time),
                       std::isnan(time)
                           ? "a time"
                           : fmt::format("a time in the range from {:g} to {:g}", -kLargestTime, kLargestTime)});
    }
    for (std::size_t f = 0; f < memory_.features.size(); ++f) {
      const NumberColumn& column = memory_.features[f];
      for (std::int64_t i = begin; i < end; ++i) {
        const double value = column[row(i)];
        if (std::abs(value) <= data::kLargestValue || std::isnan(value)) continue;
        found.push_back({i, memory_.roles.features[f], fmt::format("{}", value),
                         std::isinf(value)
                             ? "a finite number, or NaN where the value is missing"
                             : fmt::format("a number from {:g} to {:g}", -data::kLargestValue, data::kLargestValue)});
      }
    }
  }

  // For each row the number of its system's name; several columns are joined.
  NameColumn system_names(std::vector<std::int32_t>& codes) {
    if (memory_.system.size() == 1) return memory_.system.front();
    NameColumn joined;
    if (memory_.system.empty()) return joined;
    codes.resize(static_cast<std::size_t>(memory_.rows));
    std::unordered_map<std::string, std::int32_t> known;
    std::string id;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      id.clear();
      bool missing = false;
      for (std::size_t c = 0; c < memory_.system.size(); ++c) {
        const std::int32_t code = memory_.system[c].codes[i];
        missing |= code < 0;
        if (c > 0) id += '/';
        if (code >= 0) id += memory_.system[c].names[static_cast<std::size_t>(code)];
      }
      if (missing) {
        codes[i] = -1;
        continue;
      }
      const auto [found, fresh] = known.try_emplace(id, static_cast<std::int32_t>(joined.names.size()));
      if (fresh) joined.names.push_back(id);
      codes[i] = found->second;
    }
    joined.codes = codes.data();
    return joined;
  }

  void index_objects() {
    std::vector<std::int32_t> joined;
    const NameColumn system = system_names(joined);
    const NameColumn& object = memory_.object;
    const std::size_t objects = object.names.size();
    const std::size_t systems = system.codes == nullptr ? 1 : system.names.size();
    // The object of every pair of names, from 1; a table where it is small, else a map.
    constexpr std::size_t kLargest = std::size_t{1} << 22U;
    std::vector<std::uint32_t> dense(objects > 0 && systems <= kLargest / objects ? systems * objects : 0);
    std::unordered_map<std::uint64_t, std::uint32_t> sparse;
    std::sort(bad_.begin(), bad_.end());
    bad_.erase(std::unique(bad_.begin(), bad_.end()), bad_.end());
    const std::vector<std::int64_t> bad_numbers = bad_;
    auto bad = bad_numbers.begin();
    for (std::int64_t i = 0; i < memory_.rows; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int32_t o = object.codes[at], s = system.codes == nullptr ? 0 : system.codes[at];
      const bool nameless = o < 0 || s < 0 || object.names[static_cast<std::size_t>(o)].empty() ||
                            (system.codes != nullptr && system.names[static_cast<std::size_t>(s)].empty());
      const bool unusable = bad != bad_numbers.end() && *bad == i;
      if (unusable) ++bad;
      if (nameless || unusable) {
        table_.object[at] = kNoObject;
        const bool no_system = s < 0 || (system.codes != nullptr && system.names[static_cast<std::size_t>(s)].empty());
        if (nameless)
          refuse(i, no_system ? memory_.roles.system.front() : memory_.roles.object, "",
                 fmt::format("the id of the {}", no_system ? "system" : "object"));
        if (o >= 0) table_.bad_ids.insert(object.names[static_cast<std::size_t>(o)]);
        if (s >= 0 && system.codes != nullptr) table_.bad_ids.insert(system.names[static_cast<std::size_t>(s)]);
        continue;
      }
      const std::uint64_t key = static_cast<std::uint64_t>(s) * objects + static_cast<std::uint64_t>(o);
      std::uint32_t& known = dense.empty() ? sparse[key] : dense[key];
      if (known == 0) {
        const std::uint32_t number = table_.index.add_system(
            system.codes == nullptr ? context_.options.file_system : system.names[static_cast<std::size_t>(s)]);
        known = 1 + table_.index.add(number, object.names[static_cast<std::size_t>(o)]);
      }
      table_.object[at] = known - 1;
    }
  }

  const ImportContext& context_;
  const MemoryTable& memory_;
  Problems& problems_;
  ObservationTable table_;
  std::vector<std::int64_t> bad_;
};

}  // namespace

ObservationTable index_rows(const ImportContext& context, const MemoryTable& memory, const ScratchPlace& place,
                            Problems& problems) {
  return RowIndexer(context, memory, place, problems).read();
}

}  // namespace lgode::table
