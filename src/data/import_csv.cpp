// The whole CSV import: tables to systems, systems to parts, then relations, ranges and names.
#include "lgode/data/import_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "csv_assemble.h"
#include "csv_relations.h"
#include "csv_table.h"
#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/core/random.h"

namespace lgode::data {
namespace {

constexpr double kDefaultSplit = 0.8;

// Rows, groups and windows take about three times the table's size where it is largest.
ScratchPlace choose_place(const CsvImport& options) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::is_regular_file(options.observations, error)
                                  ? std::filesystem::file_size(options.observations, error)
                                  : std::numeric_limits<std::uintmax_t>::max() / 3;
  const std::uint64_t limit = options.memory.value_or(physical_memory() / 2);
  return {.in_file = 3 * size > limit, .folder = options.scratch_folder};
}

// Converts the nanoseconds of dates to seconds since the origin; puts origin and style into the description.
void settle_dates(const CsvImport& options, ObservationTable& table, Description& description) {
  if (!table.dates) return;
  std::int64_t origin = std::numeric_limits<std::int64_t>::max();
  for (const double time : table.rows.time.span()) origin = std::min(origin, std::bit_cast<std::int64_t>(time));
  if (table.rows.time.span().empty()) origin = 0;  // every row was bad, which is reported later
  if (options.known) {
    const auto instant = parse_iso8601(options.known->description.time_origin);
    if (!instant || options.known->seconds)
      throw DataError(fmt::format("{}: found dates, expected times as numbers, as dataset.json says",
                                  options.observations.string()));
    origin = instant->nanoseconds;
  }
  for (double& time : table.rows.time.span()) {
    const auto instant = std::bit_cast<std::int64_t>(time);
    std::int64_t since = 0;
    if (__builtin_sub_overflow(instant, origin, &since)) {
      TimeStyle day = table.style;
      day.seconds = false;
      throw DataError(
          fmt::format("{}: dates from {} to {} are more than 292 years apart; cut the table into shorter ones, or give "
                      "times as numbers",
                      options.observations.string(), format_iso8601(origin, day), format_iso8601(instant, day)));
    }
    time = seconds_of(since);
  }
  description.time_format = style_pattern(table.style);
  TimeStyle exact = table.style;
  exact.seconds = true;
  exact.separator = exact.separator == 0 ? 'T' : exact.separator;
  description.time_origin = format_iso8601(origin, exact);
  description.time_unit.assign(1, 's');
}

// A velocity may have a velocity of its own (an acceleration), but the chain must end.
void check_velocities(const std::vector<Feature>& features) {
  for (std::size_t f = 0; f < features.size(); ++f) {
    std::string chain = features[f].name;
    int at = features[f].velocity_of;
    for (std::size_t steps = 0; at >= 0 && steps < features.size(); ++steps) {
      const Feature& feature = features[static_cast<std::size_t>(at)];
      chain += " of " + feature.name;
      if (static_cast<std::size_t>(at) == f)
        throw ConfigError(fmt::format("`velocity_of`: a circle, {}; which of them is the position?", chain));
      at = feature.velocity_of;
    }
  }
}

std::vector<Feature> make_features(const CsvImport& options, const std::vector<std::string>& names) {
  const auto find = [&](const std::string& name, const char* option) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    throw ConfigError(fmt::format("{} {}: is no feature{}; the features are {}", option, name,
                                  did_you_mean(name, names), fmt::join(names, ", ")));
  };
  std::vector<Feature> features;
  for (std::size_t f = 0; f < names.size(); ++f) features.push_back({names[f], "", static_cast<int>(f), -1});
  for (const auto& [name, unit] : options.units) features[static_cast<std::size_t>(find(name, "`units`"))].unit = unit;
  for (const auto& [velocity, position] : options.velocity_of) {
    const int of = find(position, "`velocity_of`");
    const int is = find(velocity, "`velocity_of`");
    if (of == is)
      throw ConfigError(fmt::format("`velocity_of` {}={}: a feature is not its own velocity", velocity, position));
    features[static_cast<std::size_t>(is)].velocity_of = of;
  }
  check_velocities(features);
  return features;
}

void report_duplicates(const Description& description, std::vector<Duplicate>& duplicates, CsvProblems& problems) {
  std::sort(duplicates.begin(), duplicates.end(),
            [](const Duplicate& a, const Duplicate& b) { return a.line < b.line; });
  const TimeText text(description);
  for (const Duplicate& d : duplicates)
    problems.add({d.line, "", fmt::format("{} at {}", d.object, text(d.time)),
                  fmt::format("one row for each object and time; the first is in line {}{}", d.first_line,
                              !description.columns.empty() && description.columns[0].empty()
                                  ? "; if a column distinguishes recordings, name it with `system`"
                                  : "")});
}

// Assigns systems to the training and the test part.
class Splitter {
 public:
  Splitter(const CsvImport& options, Systems& systems, const std::vector<std::string>& recordings,
           CsvImportReport& report)
      : options_(options), systems_(systems), recordings_(recordings), report_(report) {}

  // Returns systems to leave out because they overlap the split.
  std::vector<bool> run() {
    const std::size_t count = systems_.recording.size();
    systems_.arrays.parts.assign(count, static_cast<std::uint8_t>(Part::kTrain));
    std::vector<bool> out(count, false);
    if (!options_.test_systems.empty()) {
      by_name();
    } else if (recordings_.size() > 1) {
      by_draw();
    } else if (count > 1) {
      by_time(out);
    } else if (options_.split && *options_.split < 1) {
      throw ConfigError(
          fmt::format("`split` {}: there is one system, which cannot be split; cut it with `window` "
                      "LENGTH, or name a column with `system`",
                      *options_.split));
    }
    return out;
  }

 private:
  void set(std::size_t system) { systems_.arrays.parts[system] = static_cast<std::uint8_t>(Part::kTest); }

  void by_name() {
    std::set<std::string> wanted;
    for (const std::string& id : options_.test_systems) {
      if (std::find(recordings_.begin(), recordings_.end(), id) == recordings_.end())
        throw ConfigError(
            fmt::format("`test_systems` {}: the table has no such system{}", id, did_you_mean(id, recordings_)));
      wanted.insert(id);
    }
    for (std::size_t s = 0; s < systems_.recording.size(); ++s)
      if (wanted.contains(recordings_[systems_.recording[s]])) set(s);
  }

  // Whole recordings, so that windows of one are never on both sides.
  void by_draw() {
    const double share = options_.split.value_or(kDefaultSplit);
    const auto count = static_cast<std::int64_t>(recordings_.size());
    std::int64_t train = std::llround(share * static_cast<double>(count));
    if (share > 0 && share < 1) train = std::clamp<std::int64_t>(train, 1, count - 1);
    std::vector<bool> trains(recordings_.size(), false);
    for (const std::int64_t r : Random(options_.seed, RandomUse::kSplit, {1}).choose(count, train))
      trains[static_cast<std::size_t>(r)] = true;
    for (std::size_t s = 0; s < systems_.recording.size(); ++s)
      if (!trains[systems_.recording[s]]) set(s);
  }

  // One recording: its later windows test, and those that share observations with training windows are left out.
  void by_time(std::vector<bool>& out) {
    const double share = options_.split.value_or(kDefaultSplit);
    const std::size_t count = systems_.recording.size();
    auto train = static_cast<std::size_t>(std::llround(share * static_cast<double>(count)));
    if (share > 0 && share < 1) train = std::clamp<std::size_t>(train, 1, count - 1);
    const double end = train == 0 ? -std::numeric_limits<double>::infinity()
                                  : systems_.arrays.origins[train - 1] + *options_.window * (1 - 1e-9);
    for (std::size_t s = train; s < count; ++s) {
      set(s);
      out[s] = systems_.arrays.origins[s] < end;
      report_.dropped_windows += out[s] ? 1 : 0;
    }
  }

  const CsvImport& options_;
  Systems& systems_;
  const std::vector<std::string>& recordings_;
  CsvImportReport& report_;
};

// Without the systems that `out` names.
Systems without(const Systems& from, const std::vector<bool>& out, const ScratchPlace& place) {
  Systems to(place);
  to.features = from.features;
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (out[s]) continue;
    for (auto o = static_cast<std::size_t>(from.arrays.object_offsets[s]);
         o < static_cast<std::size_t>(from.arrays.object_offsets[s + 1]); ++o) {
      const auto times = from.times_of(o);
      const auto values = from.values_of(o);
      std::copy(times.begin(), times.end(), to.arrays.times.extend(times.size()).begin());
      std::copy(values.begin(), values.end(), to.arrays.values.extend(values.size()).begin());
      to.arrays.observation_offsets.push_back(static_cast<std::int64_t>(to.arrays.times.size()));
      to.object_ids.push_back(from.object_ids[o]);
    }
    to.arrays.object_offsets.push_back(static_cast<std::int64_t>(to.object_ids.size()));
    to.arrays.origins.push_back(from.arrays.origins[s]);
    to.arrays.parts.push_back(from.arrays.parts[s]);
    to.system_ids.push_back(from.system_ids[s]);
    to.recording.push_back(from.recording[s]);
  }
  return to;
}

// Ranges and lengths that training works with.
void settle_ranges(const CsvImport& options, const Systems& systems, double gap, Description& description) {
  const OwnedArrays& a = systems.arrays;
  double longest = 0;
  for (std::size_t s = 0; s < a.parts.size(); ++s) {
    if (a.parts[s] != static_cast<std::uint8_t>(Part::kTrain)) continue;
    longest = std::max(longest, systems.extent(s).second - a.origins[s]);
  }
  // The last observation lies within the range, not at its end.
  double length = longest + (gap > 0 ? gap : 1.0);
  if (options.window) length = *options.window;
  if (options.first_range) length = *options.first_range;
  description.time_scale = description.conditioning_length = length;
  for (std::size_t s = 0; s < a.parts.size(); ++s) {
    if (a.parts[s] != static_cast<std::uint8_t>(Part::kTrain)) continue;
    for (auto o = a.object_offsets[s]; o < a.object_offsets[s + 1]; ++o) {
      const auto times = systems.times_of(static_cast<std::size_t>(o));
      const auto count = std::lower_bound(times.begin(), times.end(), a.origins[s] + length) - times.begin();
      if (count == 0) continue;
      description.max_length = std::max<std::int64_t>(description.max_length, count);
      description.min_length =
          description.min_length == 0 ? count : std::min<std::int64_t>(description.min_length, count);
    }
  }
}

// Count and range of each feature's values in a part.
struct Shown {
  std::vector<std::int64_t> count;
  std::vector<double> low, high;
};
Shown shown_in(const Systems& systems, Part part) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Shown shown{std::vector<std::int64_t>(systems.features), std::vector<double>(systems.features, kInfinity),
              std::vector<double>(systems.features, -kInfinity)};
  const OwnedArrays& a = systems.arrays;
  for (std::size_t s = 0; s < a.parts.size(); ++s) {
    if (a.parts[s] != static_cast<std::uint8_t>(part)) continue;
    for (auto o = a.object_offsets[s]; o < a.object_offsets[s + 1]; ++o) {
      const auto values = systems.values_of(static_cast<std::size_t>(o));
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t f = i % systems.features;
        if (std::isnan(values[i])) continue;
        ++shown.count[f];
        shown.low[f] = std::min(shown.low[f], values[i]);
        shown.high[f] = std::max(shown.high[f], values[i]);
      }
    }
  }
  return shown;
}

void check_parts(const CsvImport& options, const Systems& systems, const Description& description,
                 CsvImportReport& report) {
  const std::string where = options.observations.string();
  const Shown train = shown_in(systems, Part::kTrain);
  if (std::accumulate(train.count.begin(), train.count.end(), std::int64_t{0}) == 0)
    throw DataError(
        fmt::format("{}: no system that trains has a value; choose other `test_systems` or a larger `split`", where));
  for (std::size_t f = 0; f < systems.features; ++f) {
    const std::string& name = description.features[f].name;
    if (train.count[f] == 0)
      throw DataError(
          fmt::format("{}: feature '{}' has no value in the systems that train; leave it out with "
                      "`features`, or split otherwise",
                      where, name));
    if (train.low[f] == train.high[f])
      report.notes.push_back(
          fmt::format("feature '{}' is {} everywhere in the systems that train, so there is nothing "
                      "to learn; leave it out with `features`",
                      name, train.low[f]));
  }
  const auto& parts = systems.arrays.parts;
  if (std::count(parts.begin(), parts.end(), static_cast<std::uint8_t>(Part::kTest)) == 0) {
    report.notes.emplace_back(
        "no system is left to test on, so an evaluation has to use the validation part; see `split` and `window`");
    return;
  }
  const Shown test = shown_in(systems, Part::kTest);
  if (std::accumulate(test.count.begin(), test.count.end(), std::int64_t{0}) == 0)
    throw DataError(
        fmt::format("{}: the systems of the test part have no values; choose others with `test_systems`", where));
}

void check_options(const CsvImport& options) {
  if (options.split && !options.test_systems.empty()) throw ConfigError("`split` does not go with `test_systems`");
  if (options.stride && !options.window) throw ConfigError("`stride` needs `window`");
  if (options.split && !(*options.split >= 0 && *options.split <= 1))
    throw ConfigError(fmt::format("`split` {}: expected a share from 0 to 1", *options.split));
  for (const auto& [option, value] : {std::pair{"`window`", options.window}, std::pair{"`stride`", options.stride},
                                      std::pair{"`first_range`", options.first_range}})
    if (value && !(*value > 0 && std::isfinite(*value)))
      throw ConfigError(fmt::format("{} {}: expected a length above 0", option, *value));
}

// Everything but arrays and names of a set that was exported.
Dataset finish_known(const CsvImport::Known& known, std::shared_ptr<Systems> systems, const EdgeTable& edges,
                     const std::vector<std::int32_t>& local_of, const std::string& where) {
  for (const Part part : known.parts) systems->arrays.parts.push_back(static_cast<std::uint8_t>(part));
  systems->arrays.origins = known.origins;
  add_table_relations(*systems, edges, local_of);
  return Dataset(known.description, systems->arrays.view(), systems, where);
}

// Problems of both tables are reported together.
EdgeTable read_edges_if_any(const ImportContext& context, const ObservationTable& table, CsvProblems& problems) {
  const CsvImport& options = context.options;
  CsvProblems edge_problems(options.edge_table.string(), options.max_errors);
  EdgeTable edges;
  if (options.edges == Edges::kTable) {
    const bool excuse = problems.count() > 0 && !options.skip_bad_rows;
    try {
      edges =
          read_edges(context, table.index, edge_problems, excuse ? table.bad_ids : std::unordered_set<std::string>());
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (excuse) problems.throw_if_any(fmt::format("{}\n{}", kBadRowsAdvice, error.what()));
      throw;
    }
  }
  if (!options.skip_bad_rows) problems.throw_if_any(kBadRowsAdvice, &edge_problems);
  context.report.skipped_rows = problems.count();
  context.report.skipped_edges = edge_problems.count();
  context.report.bad_rows = problems.lines();
  for (std::string& text : edge_problems.lines()) context.report.bad_rows.push_back(std::move(text));
  return edges;
}

}  // namespace

Dataset import_csv(const CsvImport& options, CsvImportReport& report,
                   const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop) {
  check_options(options);
  const ImportContext context{options, report, progress, stop};
  const ScratchPlace place = choose_place(options);
  const std::string where = options.observations.string();
  CsvProblems problems(where, options.max_errors);
  ObservationTable table = read_observations(context, place, problems);
  report.rows = static_cast<std::int64_t>(table.rows.object.size());

  Description description;
  description.name = options.name;
  description.source = options.source;
  description.time_unit = options.time_unit;
  settle_dates(options, table, description);
  std::vector<std::int32_t> local_of;
  std::vector<Duplicate> duplicates;
  auto systems = std::make_shared<Systems>(group_rows(table, place, options.threads, local_of, duplicates));
  context.check_stop();
  description.columns = table.columns;
  report_duplicates(description, duplicates, problems);
  report.rows -= static_cast<std::int64_t>(duplicates.size());
  const EdgeTable edges = read_edges_if_any(context, table, problems);
  if (report.rows == 0 && !options.known) throw DataError(fmt::format("{}: has no rows of observations", where));
  if (table.compact_dates && !options.known)
    report.notes.push_back(
        fmt::format("the times, such as {:.0f}, were read as numbers; dates are written with dashes, 2024-03-01",
                    systems->arrays.times[0]));
  if (options.known) return finish_known(*options.known, systems, edges, local_of, where);

  description.delimiter.assign(1, table.delimiter);
  description.decimal_comma = options.decimal_comma;
  description.features = make_features(options, table.features);
  const double gap = typical_gap(*systems);
  const std::vector<std::string> recordings = systems->system_ids;
  report.recordings = static_cast<std::int64_t>(recordings.size());
  if (options.window) {
    systems = std::make_shared<Systems>(
        cut_windows(*systems, place, *options.window, options.stride.value_or(*options.window), gap, report));
  } else {
    for (std::size_t s = 0; s < recordings.size(); ++s) systems->arrays.origins.push_back(systems->extent(s).first);
  }
  const std::vector<bool> out = Splitter(options, *systems, recordings, report).run();
  if (std::find(out.begin(), out.end(), true) != out.end())
    systems = std::make_shared<Systems>(without(*systems, out, place));
  description.relation_types = add_relations(options, *systems, description.features, edges, local_of);
  settle_ranges(options, *systems, gap, description);
  check_parts(options, *systems, description, report);
  // A single system without a name in the table gets none.
  if (systems->system_ids.size() > 1 || !systems->system_ids.front().empty())
    description.system_ids = systems->system_ids;
  description.object_ids = systems->object_ids;
  if (options.window)
    for (const std::uint32_t recording : systems->recording) description.recordings.push_back(recordings[recording]);
  const Dataset::Arrays arrays = systems->arrays.view();
  return Dataset(std::move(description), arrays, systems, where);
}

}  // namespace lgode::data
