// Texts about duplicates, dates that were read as numbers, systems in several files, and times over midnight.
#include "table/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "lgode/data/time_text.h"
#include "lgode/table/cell.h"

namespace lgode::table {

void report_duplicates(const ObservationTable& table, const data::Description& description,
                       std::vector<Duplicate>& duplicates, Problems& problems) {
  std::sort(duplicates.begin(), duplicates.end(),
            [](const Duplicate& a, const Duplicate& b) { return a.line < b.line; });
  const data::TimeText text(description);
  const bool unnamed = table.columns[0].empty() && table.files.size() == 1;
  for (const Duplicate& d : duplicates) {
    const auto [file, line] = table.place(d.line);
    const auto [first_file, first_line] = table.place(d.first_line);
    const std::string other = file == first_file ? "" : table.files[first_file].path + ", ";
    problems.add(
        {line, "",
         fmt::format("{} at {}", d.object, text.dates() ? text(d.time) : data::count_text(d.time, description.rate)),
         fmt::format("one row for each object and time; the first is in {}{} {}{}", other,
                     table.in_memory ? "row" : "line", first_line,
                     unnamed ? "; if a column distinguishes recordings, name it with `system`" : ""),
         file, table.in_memory});
  }
}

namespace {

void note_formulas(const ObservationTable& table, ImportReport& report) {
  std::set<std::string_view> found;
  for (const std::string& id : table.index.systems())
    if (runs_in_spreadsheet(id)) found.insert(id);
  for (const ObjectIndex::Object& object : table.index.objects())
    if (runs_in_spreadsheet(object.id)) found.insert(object.id);
  if (found.empty()) return;
  report.notes.push_back(fmt::format(
      "{} id{} such as '{}' would run as a formula where a spreadsheet opens a table of results; commands that write "
      "CSV put a quote before such ids with `spreadsheet_safe`",
      found.size(), found.size() == 1 ? "" : "s", shown_text(*found.begin())));
}

}  // namespace

void note_table(const ObservationTable& table, const Systems& systems, bool new_table, ImportReport& report) {
  if (!new_table) note_formulas(table, report);
  if (table.compact_dates)
    report.notes.push_back(
        fmt::format("the times, such as {:.0f}, were read as numbers; dates are written with dashes, 2024-03-01",
                    systems.arrays.times[0]));
  if (!table.shared_systems.empty() && table.columns[1] != kFileObject)
    report.notes.push_back(
        fmt::format("{} {} rows in several files, such as '{}'; the rows of a system are joined, whatever their file",
                    table.shared_systems.size(), table.shared_systems.size() == 1 ? "system has" : "systems have",
                    table.index.systems()[*table.shared_systems.begin()]));
  if (!table.dates() || table.time.instants->date) return;
  constexpr double kEarly = 6 * 3600.0, kLate = 18 * 3600.0;
  for (std::size_t s = 0; s < systems.system_ids.size(); ++s) {
    bool early = false, late = false;
    for (auto o = systems.arrays.object_offsets[s]; o < systems.arrays.object_offsets[s + 1]; ++o) {
      const auto times = systems.times_of(static_cast<std::size_t>(o));
      early |= !times.empty() && times.front() < kEarly;
      late |= !times.empty() && times.back() > kLate;
    }
    if (!early || !late) continue;
    report.notes.push_back(fmt::format(
        "{} has times before 06:00 and after 18:00; if it goes over midnight, its times are in the wrong "
        "order: give dates with them",
        systems.system_ids[s].empty() ? "the recording" : fmt::format("system '{}'", systems.system_ids[s])));
    return;
  }
}

}  // namespace lgode::table
