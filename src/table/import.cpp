// The whole import: tables to systems, systems to parts, then relations, ranges and names.
#include "lgode/table/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/table/cell.h"
#include "table/arrange.h"
#include "table/csv/source.h"
#include "table/features.h"
#include "table/notes.h"
#include "table/parts.h"
#include "table/relations.h"
#include "table/swapped.h"
#include "table/times.h"

namespace lgode::table {
namespace {

// Rows, groups and windows take about three times the table's size where it is largest.
ScratchPlace choose_place(const ImportOptions& options) {
  std::uintmax_t size = 0;
  for (const std::filesystem::path& path : options.observations) {
    constexpr std::uintmax_t kUnknown = std::numeric_limits<std::uintmax_t>::max() / 3;
    std::error_code error;
    const bool regular = std::filesystem::is_regular_file(path, error) && !is_packed(path);
    const std::uintmax_t more = regular ? std::filesystem::file_size(path, error) : kUnknown;
    size = more >= kUnknown - size ? kUnknown : size + more;
  }
  const std::uint64_t limit = options.memory.value_or(physical_memory() / 2);
  return {.in_file = 3 * size > limit, .folder = options.scratch_folder};
}

// The unit that stands with the times, where no option says what they are.
void take_time_unit(const ObservationTable& table, ImportOptions& options) {
  if (table.time_unit.empty() || table.dates() || !options.roles.time_unit.empty() || options.roles.rate > 0) return;
  options.roles.time_unit = table.time_unit;
  check_options(options);
}

// Everything but arrays and names of an exported set.
data::Dataset finish_known(const ImportOptions::Known& known, std::shared_ptr<Systems> systems, const EdgeTable& edges,
                           const std::vector<std::int32_t>& local_of, const std::string& where) {
  for (const data::Part part : known.parts) systems->arrays.parts.push_back(static_cast<std::uint8_t>(part));
  systems->arrays.origins = known.origins;
  add_table_relations(*systems, edges, local_of);
  return data::Dataset(known.description, systems->arrays.view(), systems, where);
}

// Nothing where relations follow a rule. Problems of both tables are reported together.
std::optional<EdgeTable> read_edges_if_any(const ImportContext& context, const ObservationTable& table,
                                           Problems& problems) {
  const ImportOptions& options = context.options;
  Problems edge_problems({context.edges != nullptr  ? context.edges->where
                          : options.relations.table ? options.relations.table->string()
                                                    : std::string()},
                         options.max_errors);
  const std::string advice = bad_rows_advice(options, problems, context.report.rows);
  std::optional<EdgeTable> edges;
  if (context.has_edges()) {
    const bool excuse = problems.count() > 0 && !options.skip_bad_rows;
    try {
      edges =
          read_edges(context, table.index, edge_problems, excuse ? table.bad_ids : std::unordered_set<std::string>());
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (excuse) problems.throw_if_any(fmt::format("{}\n{}", advice, error.what()));
      throw;
    }
  }
  if (!options.skip_bad_rows) problems.throw_if_any(advice, &edge_problems);
  context.report.skipped_rows = problems.count();
  context.report.skipped_edges = edge_problems.count();
  context.report.bad_rows = problems.lines();
  for (std::string& text : edge_problems.lines()) context.report.bad_rows.push_back(std::move(text));
  return edges;
}

// The style of the table, so that another one like it can be read, and this one written again.
void describe_table(const ImportOptions& options, const ObservationTable& table, data::Description& description) {
  description.name = options.name;
  description.source = options.source;
  description.columns = table.columns;
  description.header = options.format.columns;
  description.missing = options.format.missing;
  description.delimiter.assign(1, table.delimiter);
  description.decimal_comma = options.format.decimal_comma;
}

// Everything after reading the rows.
data::Dataset assemble(const ImportContext& context, const ScratchPlace& place, ObservationTable table,
                       Problems& problems) {
  const ImportOptions& options = context.options;
  ImportReport& report = context.report;
  const std::string where = table_name(options);
  data::Description description;
  describe_table(options, table, description);
  const std::string time_unit = table.dates() || options.roles.rate > 0 ? "s" : options.roles.time_unit;
  description.features = make_features(options, table.features, table.units, time_unit);
  if (!options.known && !options.roles.keep_columns)
    check_not_swapped(options, table, position_columns(options.relations, table, description.features));
  settle_times(options, table, description);
  Grouped grouped = group_rows(table, description.features, place, options.threads);
  auto systems = std::make_shared<Systems>(std::move(grouped.systems));
  report.joined_rows = grouped.joined;
  context.check_stop();
  report_duplicates(table, description, grouped.duplicates, problems);
  report.rows -= static_cast<std::int64_t>(grouped.duplicates.size()) + report.joined_rows;
  const std::optional<EdgeTable> edges = read_edges_if_any(context, table, problems);
  if (options.known) return finish_known(*options.known, systems, *edges, grouped.local_of, where);

  if (report.rows == 0) throw DataError(fmt::format("{}: has no rows of observations", where));
  report.empty_rows = systems->empty_rows();
  if (report.empty_rows == report.rows)
    throw DataError(fmt::format("{}: no row has a value; are the `features` right?", where));
  const bool new_table = !options.roles.same_features.empty();
  note_table(table, *systems, new_table, report);
  if (options.roles.rate == 0) note_frames(table, description, *systems, new_table, report);
  for (std::size_t f = 0; f < table.units.size(); ++f)
    if (!table.units[f].empty() && !options.roles.units.contains(table.features[f]) &&
        options.roles.same_features.empty())
      report.units.push_back(fmt::format("{} in {}", table.features[f], table.units[f]));
  const std::vector<std::string> recordings = systems->system_ids;
  const Arranged arranged = arrange(options.arrangement, std::move(systems), place, report);
  systems = arranged.systems;
  const RowCount held = count_once(*systems);
  report.empty_outside = report.empty_rows - held.empty;
  description.rows_left_out = report.rows - held.rows;
  add_relations(options.relations, *systems, edges, grouped.local_of, description);
  description.frames = arranged.frames;
  settle_ranges(options.arrangement, *systems, arranged.gap, description);
  description.window = arranged.frames              ? arranged.frames.length()
                       : options.arrangement.window ? options.arrangement.window->value
                                                    : 0.0;
  description.every = options.arrangement.every ? options.arrangement.every->value : 0.0;
  if (options.relations.table || context.edges != nullptr) {
    description.edge_columns = options.relations.columns;
    description.undirected = options.relations.undirected;
  }
  check_parts(options, *systems, description, report);
  // A single system without a name in the table gets none.
  if (systems->system_ids.size() > 1 || !systems->system_ids.front().empty())
    description.system_ids = systems->system_ids;
  description.object_ids = systems->object_ids;
  if (options.arrangement.window || arranged.frames)
    for (const std::uint32_t recording : systems->recording) description.recordings.push_back(recordings[recording]);
  const data::Dataset::Arrays arrays = systems->arrays.view();
  return data::Dataset(std::move(description), arrays, systems, where);
}

}  // namespace

void ImportContext::check_stop() const {
  if (stop != nullptr && stop->requested()) throw Interrupted();
}

std::string bad_rows_advice(const ImportOptions& options, const Problems& problems, std::int64_t good) {
  constexpr std::int64_t kFew = 20;
  const std::int64_t bad = problems.count();
  // A table that is read like an earlier one has the words of that one.
  const bool free = !options.known && options.roles.same_features.empty();
  if (const std::string text = problems.repeated(); free && !text.empty())
    return fmt::format("if '{}' stands for a missing value, pass `missing_values` {}; else correct the rows",
                       shown_text(text), shown_text(text));
  if (good > 0 && bad <= std::max(good, kFew)) return "correct them, or pass `skip_bad_rows` to import the others";
  return fmt::format("correct them, or the options that say how the table is written; {} of {} rows could be used",
                     good, good + bad);
}

void TextColumns::refuse(const std::string& where) const {
  if (texts.empty()) return;
  std::vector<std::string> named;
  for (const auto& [name, text] : texts) named.push_back(fmt::format("'{}' (such as '{}')", name, text));
  const std::string what = fmt::format("{}: column{} {} hold{} text, not numbers", where, texts.size() == 1 ? "" : "s",
                                       fmt::join(named, ", "), texts.size() == 1 ? "s" : "");
  if (others.empty())
    throw TextColumnsError(what + ", and no other column can be a feature; name the features with `features`", others);
  throw TextColumnsError(fmt::format("{}; without: `features` {}", what, fmt::join(others, ",")), others);
}

std::vector<std::string> file_names(const ImportOptions& options) {
  std::vector<std::string> names;
  names.reserve(options.observations.size());
  for (const std::filesystem::path& path : options.observations) names.push_back(path.string());
  return names;
}

std::string table_name(const ImportOptions& options) { return files_text(file_names(options)); }

data::Dataset import_csv(const ImportOptions& options, ImportReport& report,
                         const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop,
                         const TextTable* edges) {
  check_options(options);
  ImportOptions own = options;
  const ImportContext context{own, report, progress, stop, edges};
  const ScratchPlace place = choose_place(options);
  Problems problems(file_names(options), options.max_errors);
  ObservationTable table = read_observations(context, place, problems);
  take_time_unit(table, own);
  report.rows = static_cast<std::int64_t>(table.rows());
  return assemble(context, place, std::move(table), problems);
}

data::Dataset import_table(const ImportOptions& options, const MemoryTable& table, const TextTable* edges,
                           ImportReport& report, const StopFlag* stop) {
  ImportOptions own = options;
  own.observations = {table.where};
  own.format = {.delimiter = options.format.delimiter};  // of a file of edges
  own.known.reset();
  check_options(own);
  const std::function<void(std::int64_t, std::int64_t)> silent;
  const ImportContext context{own, report, silent, stop, edges};
  const std::uint64_t values = static_cast<std::uint64_t>(table.rows) * (table.features.size() + 1);
  const ScratchPlace place{.in_file = 2 * sizeof(double) * values > own.memory.value_or(physical_memory() / 2),
                           .folder = own.scratch_folder};
  Problems problems({table.where}, own.max_errors);
  ObservationTable rows = index_rows(context, table, place, problems);
  take_time_unit(rows, own);
  const std::span<const std::uint32_t> objects = rows.object.span();
  report.rows = std::count_if(objects.begin(), objects.end(), [](std::uint32_t o) { return o != kNoObject; });
  return assemble(context, place, std::move(rows), problems);
}

}  // namespace lgode::table
