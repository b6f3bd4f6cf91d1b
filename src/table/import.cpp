// The whole CSV import: tables to systems, systems to parts, then relations, ranges and names.
#include "lgode/table/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/core/random.h"
#include "lgode/data/split.h"
#include "lgode/table/memory.h"
#include "table/assemble.h"
#include "table/observations.h"
#include "table/relations.h"
#include "table/swapped.h"

namespace lgode::table {
namespace {

constexpr double kDefaultSplit = 0.8;

// Rows, groups and windows take about three times the table's size where it is largest.
ScratchPlace choose_place(const ImportOptions& options) {
  std::uintmax_t size = 0;
  for (const std::filesystem::path& path : options.observations) {
    constexpr std::uintmax_t kUnknown = std::numeric_limits<std::uintmax_t>::max() / 3;
    std::error_code error;
    const bool regular = std::filesystem::is_regular_file(path, error);
    const std::uintmax_t more = regular ? std::filesystem::file_size(path, error) : kUnknown;
    size = more >= kUnknown - size ? kUnknown : size + more;
  }
  const std::uint64_t limit = options.memory.value_or(physical_memory() / 2);
  return {.in_file = 3 * size > limit, .folder = options.scratch_folder};
}

std::vector<std::string> file_names(const ImportOptions& options) {
  std::vector<std::string> names;
  names.reserve(options.observations.size());
  for (const std::filesystem::path& path : options.observations) names.push_back(path.string());
  return names;
}

// The instant of time 0 of a table with dates: the earliest one, or that of the set that is restored.
std::int64_t find_origin(const ImportOptions& options, const ObservationTable& table) {
  if (options.known) {
    const data::Description& known = options.known->description;
    const auto instant = data::parse_iso8601(known.time_origin);
    const bool clock = !known.time_format.empty() && known.time_origin.empty();
    if (options.known->seconds || clock == table.style.date || (!clock && !instant))
      throw DataError(fmt::format("{}: found dates or times of day, expected times as dataset.json says",
                                  files_text(file_names(options))));
    return clock ? 0 : instant->nanoseconds;
  }
  if (!table.style.date || table.rows.time.span().empty()) return 0;  // where every row was bad, that is reported later
  std::int64_t origin = std::numeric_limits<std::int64_t>::max();
  for (const double time : table.rows.time.span()) origin = std::min(origin, std::bit_cast<std::int64_t>(time));
  return origin;
}

// The earliest and the latest instant of a table in memory; the same where every row is bad.
std::pair<std::int64_t, std::int64_t> instants_in_place(const ObservationTable& table) {
  std::pair<std::int64_t, std::int64_t> range{std::numeric_limits<std::int64_t>::max(),
                                              std::numeric_limits<std::int64_t>::min()};
  for (std::size_t i = 0; i < table.rows.object.size(); ++i) {
    if (table.rows.object[i] == kNoObject) continue;
    const std::int64_t instant = table.in_place->table->time.integer(i);
    range = {std::min(range.first, instant), std::max(range.second, instant)};
  }
  return range.first > range.second ? std::pair<std::int64_t, std::int64_t>{} : range;
}

// Converts the nanoseconds of dates and times of day to seconds since the origin; puts origin and style into the
// description.
void settle_dates(const ImportOptions& options, ObservationTable& table, data::Description& description) {
  std::int64_t origin = 0;
  const auto seconds_since_origin = [&](std::int64_t instant) {
    std::int64_t since = 0;
    if (__builtin_sub_overflow(instant, origin, &since)) {
      data::TimeStyle day = table.style;
      day.seconds = false;
      throw DataError(fmt::format(
          "{}: dates from {} to {} are more than 292 years apart; cut the table into shorter ones, or give "
          "times as numbers",
          files_text(file_names(options)), data::format_iso8601(origin, day), data::format_iso8601(instant, day)));
    }
    return data::seconds_of(since);
  };
  if (table.in_place) {
    const auto [first, last] = instants_in_place(table);
    if (table.style.date) table.in_place->origin = origin = first;
    seconds_since_origin(last);  // for its error
  } else {
    origin = find_origin(options, table);
    for (double& time : table.rows.time.span()) time = seconds_since_origin(std::bit_cast<std::int64_t>(time));
  }
  description.time_format = data::style_pattern(table.style);
  description.time_unit.assign(1, 's');
  if (!table.style.date) return;
  data::TimeStyle exact = table.style;
  exact.seconds = true;
  exact.separator = exact.separator == 0 ? 'T' : exact.separator;
  description.time_origin = data::format_iso8601(origin, exact);
}

// Brings the table's times to those of the data set.
void settle_times(const ImportOptions& options, ObservationTable& table, data::Description& description) {
  description.time_unit = options.time_unit;
  if (table.dates && options.rate > 0)
    throw ConfigError(fmt::format("`rate` {}: is for times that are counts, but {} has dates or times of day",
                                  options.rate, files_text(file_names(options))));
  if (table.dates) settle_dates(options, table, description);
  if (options.rate <= 0) return;
  if (table.in_place) table.in_place->rate = options.rate;
  for (double& time : table.rows.time.span()) time /= options.rate;
  description.rate = options.rate;
  description.time_unit.assign(1, 's');
}

// A velocity may have a velocity of its own (an acceleration), but the chain must end.
void check_velocities(const std::vector<data::Feature>& features) {
  for (std::size_t f = 0; f < features.size(); ++f) {
    std::string chain = features[f].name;
    int at = features[f].velocity_of;
    for (std::size_t steps = 0; at >= 0 && steps < features.size(); ++steps) {
      const data::Feature& feature = features[static_cast<std::size_t>(at)];
      chain += " of " + feature.name;
      if (static_cast<std::size_t>(at) == f)
        throw ConfigError(fmt::format("`velocity_of`: a circle, {}; which of them is the position?", chain));
      at = feature.velocity_of;
    }
  }
}

// Derived velocities of the positions that have none.
void add_derived(const ImportOptions& options, const std::string& time_unit, std::vector<data::Feature>& features) {
  const std::size_t given = features.size();
  std::vector<int> positions;
  if (!options.positions.empty()) positions = chosen_positions(options, features);
  for (int f = 0; f < static_cast<int>(given) && options.positions.empty(); ++f)
    if (features[static_cast<std::size_t>(f)].velocity_of < 0) positions.push_back(f);
  const auto taken = [&](const std::string& name) {
    return std::any_of(features.begin(), features.end(), [&](const data::Feature& f) { return f.name == name; });
  };
  for (const int f : positions) {
    if (std::any_of(features.begin(), features.end(), [&](const data::Feature& v) { return v.velocity_of == f; }))
      continue;
    const data::Feature position = features[static_cast<std::size_t>(f)];
    std::string name = "v" + position.name;
    if (taken(name)) name = position.name + "_velocity";
    if (taken(name))
      throw ConfigError(
          fmt::format("`velocities` difference: there are features 'v{0}' and '{0}_velocity' already; say with "
                      "`velocity_of` which is the velocity of '{0}'",
                      position.name));
    const std::string unit =
        position.unit.empty() || time_unit.empty() ? "" : fmt::format("{}/{}", position.unit, time_unit);
    features.push_back({name, unit, static_cast<int>(features.size()), f, true});
  }
  if (features.size() == given)
    throw ConfigError("`velocities` difference: every position has a velocity already; leave the option out");
}

std::vector<data::Feature> make_features(const ImportOptions& options, const std::vector<std::string>& names,
                                         const std::string& time_unit) {
  if (!options.same_features.empty()) return options.same_features;
  const auto find = [&](const std::string& name, const char* option) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    throw ConfigError(fmt::format("{} {}: is no feature{}; the features are {}", option, name,
                                  did_you_mean(name, names), fmt::join(names, ", ")));
  };
  std::vector<data::Feature> features;
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
  if (options.velocities == Velocities::kDifference) add_derived(options, time_unit, features);
  return features;
}

// The places of the positions among the values of the table's rows.
std::vector<std::size_t> position_columns(const ImportOptions& options, const ObservationTable& table,
                                          const std::vector<data::Feature>& features) {
  std::vector<std::size_t> columns;
  for (const int f : chosen_positions(options, features)) {
    const std::string& name = features[static_cast<std::size_t>(f)].name;
    const auto found = std::find(table.features.begin(), table.features.end(), name);
    if (found != table.features.end()) columns.push_back(static_cast<std::size_t>(found - table.features.begin()));
  }
  return columns;
}

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
                     table.in_place ? "row" : "line", first_line,
                     unnamed ? "; if a column distinguishes recordings, name it with `system`" : ""),
         file, table.in_place.has_value()});
  }
}

// Ranges and lengths that training works with.
void settle_ranges(const ImportOptions& options, const Systems& systems, double gap, data::Description& description) {
  const OwnedArrays& a = systems.arrays;
  double longest = 0;
  for (std::size_t s = 0; s < a.parts.size(); ++s) {
    if (a.parts[s] != static_cast<std::uint8_t>(data::Part::kTrain)) continue;
    longest = std::max(longest, systems.extent(s).second - a.origins[s]);
  }
  // The last observation lies within the range, not at its end.
  double length = longest + (gap > 0 ? gap : 1.0);
  if (options.window) length = *options.window;
  if (options.first_range) length = *options.first_range;
  description.time_scale = description.conditioning_length = length;
  for (std::size_t s = 0; s < a.parts.size(); ++s) {
    if (a.parts[s] != static_cast<std::uint8_t>(data::Part::kTrain)) continue;
    for (auto o = a.object_offsets[s]; o < a.object_offsets[s + 1]; ++o) {
      const auto times = systems.times_of(static_cast<std::size_t>(o));
      const auto rows = std::lower_bound(times.begin(), times.end(), a.origins[s] + length) - times.begin();
      std::int64_t count = 0;
      for (std::ptrdiff_t k = 0; k < rows; ++k)
        count += systems.is_observation(static_cast<std::size_t>(o), static_cast<std::size_t>(k)) ? 1 : 0;
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
Shown shown_in(const Systems& systems, data::Part part) {
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

void check_parts(const ImportOptions& options, const Systems& systems, const data::Description& description,
                 ImportReport& report) {
  const std::string where = files_text(file_names(options));
  const Shown train = shown_in(systems, data::Part::kTrain);
  if (std::accumulate(train.count.begin(), train.count.end(), std::int64_t{0}) == 0)
    throw DataError(
        fmt::format("{}: no system that trains has a value; choose other `test_systems` or a larger `split`", where));
  for (std::size_t f = 0; f < systems.features; ++f) {
    const std::string& name = description.features[f].name;
    if (description.features[f].derived) continue;
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
  const bool none = std::count(parts.begin(), parts.end(), static_cast<std::uint8_t>(data::Part::kTest)) == 0;
  if (none && options.test_systems.empty()) {
    report.notes.emplace_back(
        "no system is left to test on, so an evaluation has to use the validation part; see `split` and `window`");
    return;
  }
  const Shown test = shown_in(systems, data::Part::kTest);
  if (std::accumulate(test.count.begin(), test.count.end(), std::int64_t{0}) == 0)
    throw DataError(
        fmt::format("{}: the systems of the test part have no values; choose others with `test_systems`", where));
}

bool is_time_unit(const std::string& unit) {
  constexpr std::array kUnits = {"ns",     "us",      "ms", "s",    "sec",   "second", "seconds", "min",
                                 "minute", "minutes", "h",  "hour", "hours", "d",      "day",     "days"};
  return std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

void check_options(const ImportOptions& options) {
  if (options.split && !options.test_systems.empty()) throw ConfigError("`split` does not go with `test_systems`");
  if (options.observations.empty()) throw ConfigError("`observations`: expected at least one file");
  if (options.stride && !options.window) throw ConfigError("`stride` needs `window`");
  if (options.split && !(*options.split >= 0 && *options.split <= 1))
    throw ConfigError(fmt::format("`split` {}: expected a share from 0 to 1", *options.split));
  for (const auto& [option, value] :
       {std::pair{"`window`", options.window}, std::pair{"`stride`", options.stride},
        std::pair{"`first_range`", options.first_range}, std::pair{"`every`", options.every}})
    if (value && !(*value > 0 && std::isfinite(*value)))
      throw ConfigError(fmt::format("{} {}: expected a length above 0", option, *value));
  if (!(options.rate >= 0 && std::isfinite(options.rate)))
    throw ConfigError(fmt::format("`rate` {}: expected the number of counts per second, above 0", options.rate));
  if (options.rate > 0 && is_time_unit(options.time_unit))
    throw ConfigError(fmt::format(
        "`rate` {}: is for times that are counts, such as frames, but `time_unit` says that they are in {}; "
        "leave out `rate`, or `time_unit` to convert the times to seconds",
        options.rate, options.time_unit));
  if (options.edges == Edges::kWithin && !(options.radius > 0 && std::isfinite(options.radius)))
    throw ConfigError(fmt::format("`edges` within={}: expected a distance above 0", options.radius));
}

// Everything but arrays and names of a set that was exported.
data::Dataset finish_known(const ImportOptions::Known& known, std::shared_ptr<Systems> systems, const EdgeTable& edges,
                           const std::vector<std::int32_t>& local_of, const std::string& where) {
  for (const data::Part part : known.parts) systems->arrays.parts.push_back(static_cast<std::uint8_t>(part));
  systems->arrays.origins = known.origins;
  add_table_relations(*systems, edges, local_of);
  return data::Dataset(known.description, systems->arrays.view(), systems, where);
}

// Problems of both tables are reported together.
EdgeTable read_edges_if_any(const ImportContext& context, const ObservationTable& table, Problems& problems) {
  const ImportOptions& options = context.options;
  Problems edge_problems({context.edges != nullptr ? context.edges->where : options.edge_table.string()},
                         options.max_errors);
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

// What the user should know about the table as it was read.
void note_table(const ObservationTable& table, const Systems& systems, ImportReport& report) {
  if (table.compact_dates)
    report.notes.push_back(
        fmt::format("the times, such as {:.0f}, were read as numbers; dates are written with dashes, 2024-03-01",
                    systems.arrays.times[0]));
  if (!table.shared_systems.empty())
    report.notes.push_back(
        fmt::format("{} {} rows in several files, such as '{}'; the rows of a system are joined, whatever their file",
                    table.shared_systems.size(), table.shared_systems.size() == 1 ? "system has" : "systems have",
                    table.index.systems()[*table.shared_systems.begin()]));
  if (!table.dates || table.style.date) return;
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

// Fills the parts. Returns the systems to leave out.
std::vector<bool> split(const ImportOptions& options, Systems& systems, const std::vector<std::string>& recordings,
                        const std::vector<bool>& observed, ImportReport& report) {
  const data::SplitResult result = data::split_systems({.recording = systems.recording,
                                                        .origins = systems.arrays.origins,
                                                        .observed = observed,
                                                        .window = options.window,
                                                        .stride = options.stride.value_or(options.window.value_or(0)),
                                                        .share = options.split.value_or(kDefaultSplit),
                                                        .random = Random(options.seed, RandomUse::kSplit, {1}),
                                                        .held_out = options.test_systems,
                                                        .ids = systems.system_ids,
                                                        .recordings = recordings});
  if (result.undivided && options.split && *options.split < 1)
    throw ConfigError(fmt::format(
        "`split` {}: there is one system, which cannot be split; {}, or name a column with `system`", *options.split,
        options.window ? "cut it with a shorter `window`, so that two do not overlap" : "cut it with `window` LENGTH"));
  systems.arrays.parts.clear();
  std::vector<bool> out;
  for (const data::Fate fate : result.fates) {
    const data::Part part = fate == data::Fate::kHeldOut ? data::Part::kTest : data::Part::kTrain;
    systems.arrays.parts.push_back(static_cast<std::uint8_t>(part));
    out.push_back(fate == data::Fate::kBetween || fate == data::Fate::kEmpty);
  }
  report.split_windows = result.count(data::Fate::kBetween);
  return out;
}

// Thins and cuts the recordings, and splits them into parts.
std::shared_ptr<Systems> arrange(const ImportOptions& options, std::shared_ptr<Systems> systems,
                                 const ScratchPlace& place, double& gap, ImportReport& report) {
  if (options.every) {
    const auto before = static_cast<std::int64_t>(systems->arrays.times.size());
    systems = std::make_shared<Systems>(thin(*systems, place, *options.every));
    report.thinned_rows = before - static_cast<std::int64_t>(systems->arrays.times.size());
    report.empty_rows = systems->empty_rows();
  }
  gap = typical_gap(*systems);
  const std::vector<std::string> recordings = systems->system_ids;
  report.recordings = static_cast<std::int64_t>(recordings.size());
  std::vector<bool> observed;
  std::vector<double> first;
  for (std::size_t s = 0; s < recordings.size(); ++s) {
    const auto [from, to] = systems->extent(s);
    observed.push_back(from <= to);
    first.push_back(observed.back() ? from : 0.0);
  }
  report.empty_systems = std::count(observed.begin(), observed.end(), false);
  if (options.window)
    systems = std::make_shared<Systems>(
        cut_windows(*systems, place, *options.window, options.stride.value_or(*options.window), gap, report));
  else
    systems->arrays.origins = first;
  const std::vector<bool> out = split(options, *systems, recordings, observed, report);
  if (std::find(out.begin(), out.end(), true) == out.end()) return systems;
  return std::make_shared<Systems>(without(*systems, out, place));
}

// How the table was written, so that another one like it can be read, and this one be written again.
void describe_table(const ImportOptions& options, const ObservationTable& table, data::Description& description) {
  description.name = options.name;
  description.source = options.source;
  description.columns = table.columns;
  description.header = options.columns;
  description.missing = options.missing;
  description.delimiter.assign(1, table.delimiter);
  description.decimal_comma = options.decimal_comma;
}

// Everything after the rows were read.
data::Dataset assemble(const ImportContext& context, const ScratchPlace& place, ObservationTable table,
                       Problems& problems) {
  const ImportOptions& options = context.options;
  ImportReport& report = context.report;
  const std::string where = files_text(file_names(options));
  data::Description description;
  describe_table(options, table, description);
  const std::string time_unit = table.dates || options.rate > 0 ? "s" : options.time_unit;
  description.features = make_features(options, table.features, time_unit);
  if (!options.known && !options.keep_columns)
    check_not_swapped(options, table, position_columns(options, table, description.features));
  settle_times(options, table, description);
  std::vector<std::int32_t> local_of;
  std::vector<Duplicate> duplicates;
  auto systems = std::make_shared<Systems>(
      group_rows(table, description.features, place, options.threads, local_of, duplicates, report.joined_rows));
  context.check_stop();
  report_duplicates(table, description, duplicates, problems);
  report.rows -= static_cast<std::int64_t>(duplicates.size()) + report.joined_rows;
  const EdgeTable edges = read_edges_if_any(context, table, problems);
  if (options.known) return finish_known(*options.known, systems, edges, local_of, where);

  if (report.rows == 0) throw DataError(fmt::format("{}: has no rows of observations", where));
  report.empty_rows = systems->empty_rows();
  if (report.empty_rows == report.rows)
    throw DataError(fmt::format("{}: no row has a value; are the `features` right?", where));
  note_table(table, *systems, report);
  const std::vector<std::string> recordings = systems->system_ids;
  double gap = 0;
  systems = arrange(options, systems, place, gap, report);
  const RowCount held = count_once(*systems);
  report.empty_outside = report.empty_rows - held.empty;
  description.rows_left_out = report.rows - held.rows;
  add_relations(options, *systems, edges, local_of, description);
  settle_ranges(options, *systems, gap, description);
  check_parts(options, *systems, description, report);
  // A single system without a name in the table gets none.
  if (systems->system_ids.size() > 1 || !systems->system_ids.front().empty())
    description.system_ids = systems->system_ids;
  description.object_ids = systems->object_ids;
  if (options.window)
    for (const std::uint32_t recording : systems->recording) description.recordings.push_back(recordings[recording]);
  const data::Dataset::Arrays arrays = systems->arrays.view();
  return data::Dataset(std::move(description), arrays, systems, where);
}

}  // namespace

data::Dataset import_csv(const ImportOptions& options, ImportReport& report,
                         const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop) {
  check_options(options);
  const ImportContext context{options, report, progress, stop};
  const ScratchPlace place = choose_place(options);
  Problems problems(file_names(options), options.max_errors);
  ObservationTable table = read_observations(context, place, problems);
  report.rows = static_cast<std::int64_t>(table.rows.object.size());
  return assemble(context, place, std::move(table), problems);
}

data::Dataset import_table(const ImportOptions& options, const MemoryTable& table, const TextTable* edges,
                           ImportReport& report, const StopFlag* stop) {
  ImportOptions own = options;
  own.observations = {table.where};
  own.columns.clear(), own.missing.clear(), own.known.reset();
  own.decimal_comma = false;
  check_options(own);
  const std::function<void(std::int64_t, std::int64_t)> silent;
  const ImportContext context{own, report, silent, stop, edges};
  const std::uint64_t values = static_cast<std::uint64_t>(table.rows) * (table.features.size() + 1);
  const ScratchPlace place{.in_file = 2 * sizeof(double) * values > own.memory.value_or(physical_memory() / 2),
                           .folder = own.scratch_folder};
  Problems problems({table.where}, own.max_errors);
  ObservationTable rows = index_rows(context, table, place, problems);
  const std::span<const std::uint32_t> objects = rows.rows.object.span();
  report.rows = std::count_if(objects.begin(), objects.end(), [](std::uint32_t o) { return o != kNoObject; });
  return assemble(context, place, std::move(rows), problems);
}

}  // namespace lgode::table
