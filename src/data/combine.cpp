// A set with other parts shares all other arrays with the original; splitting and merging build a new one.
#include "lgode/data/combine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "lgode/core/error.h"
#include "lgode/data/split.h"
#include "lgode/data/time_text.h"

namespace lgode::data {
namespace {

constexpr double kSameStep = 1e-6;  // relative

bool same_features(const Description& a, const Description& b) {
  return std::equal(a.features.begin(), a.features.end(), b.features.begin(), b.features.end(),
                    [](const Feature& x, const Feature& y) {
                      return x.name == y.name && x.unit == y.unit && x.velocity_of == y.velocity_of &&
                             x.derived == y.derived;
                    });
}

std::string rule_text(const EdgeRule& rule) {
  switch (rule.kind) {
    case EdgeRule::Kind::kAll:
      return "all";
    case EdgeRule::Kind::kNearest:
      return fmt::format("k-nearest={}", rule.neighbours);
    case EdgeRule::Kind::kWithin:
      return fmt::format("within={}", rule.radius);
    case EdgeRule::Kind::kListed:
      break;
  }
  return "listed";
}

void check_fits(const Description& first, const Description& set, const std::string& first_name,
                const std::string& name) {
  if (!same_features(first, set))
    throw DataError(
        fmt::format("{}: has other features than {}; names, units and velocities (also derived ones) must agree", name,
                    first_name));
  if (first.time_format.empty() != set.time_format.empty())
    throw DataError(fmt::format("{}: either this set or {} has dates, the other plain times", name, first_name));
  if (first.time_origin.empty() != set.time_origin.empty())
    throw DataError(fmt::format("{}: either this set or {} has dates, the other times of day", name, first_name));
  if (const FrameWindows& a = first.frames, &b = set.frames; a.seen != b.seen || a.asked != b.asked ||
                                                             a.all_present != b.all_present ||
                                                             std::abs(a.step - b.step) > kSameStep * a.step)
    throw DataError(
        fmt::format("{}: is not cut into the same windows of frames as {}; import both with the same "
                    "`frames` and `all_present`, at the same rate",
                    name, first_name));
  const EdgeRule &a = first.edges, &b = set.edges;
  if (rule_text(a) != rule_text(b))
    throw DataError(fmt::format("{}: its relations are {}, but {} has {}; import both with the same `edges`", name,
                                rule_text(b), first_name, rule_text(a)));
  if (a.positions != b.positions)
    throw DataError(
        fmt::format("{}: measures the distance for its relations in other features than {}; import both "
                    "with the same `positions`",
                    name, first_name));
}

// The place of each of a set's relation types among the types of all sets.
std::vector<std::int32_t> join_types(std::vector<std::string>& all, const std::vector<std::string>& types) {
  std::vector<std::int32_t> places;
  for (const std::string& type : types) {
    const auto found = std::find(all.begin(), all.end(), type);
    places.push_back(static_cast<std::int32_t>(found - all.begin()));
    if (found == all.end()) all.push_back(type);
  }
  return places;
}

bool names_clash(const std::vector<Dataset>& sets) {
  std::set<std::string> seen;
  for (const Dataset& set : sets)
    for (std::int64_t s = 0; s < set.systems(); ++s)
      if (!seen.insert(set.system_id(s)).second) return true;
  return false;
}

// If any of the sets has windows: the recording of each system, itself where it is whole.
std::vector<std::string> join_recordings(const std::vector<Dataset>& sets, const std::vector<std::string>& names,
                                         bool clash) {
  if (std::all_of(sets.begin(), sets.end(), [](const Dataset& set) { return set.description().recordings.empty(); }))
    return {};
  std::vector<std::string> all;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto& recordings = sets[i].description().recordings;
    for (std::int64_t s = 0; s < sets[i].systems(); ++s) {
      const std::string id = recordings.empty() ? sets[i].system_id(s) : recordings[static_cast<std::size_t>(s)];
      all.push_back(clash ? fmt::format("{}/{}", names[i], id) : id);
    }
  }
  return all;
}

// Without the systems that `out` names.
Dataset without(const Dataset& set, const std::vector<bool>& out) {
  Description description = set.description();
  description.system_ids.clear();
  description.object_ids.clear();
  description.recordings.clear();
  description.rows_left_out = -1;
  for (std::size_t s = 0; s < out.size(); ++s)
    if (!out[s]) description.recordings.push_back(set.description().recordings[s]);
  DatasetBuilder builder(description);
  for (std::int64_t s = 0; s < set.systems(); ++s)
    if (!out[static_cast<std::size_t>(s)]) builder.add_system(set, s, {.id = set.system_id(s)});
  return builder.finish("the data set with other parts");
}

// The systems of a set, ordered for a split: windows of one recording together, in the order of time.
struct Ordered {
  std::vector<std::int64_t> systems;
  std::vector<std::string> ids, recordings;
  std::vector<std::uint32_t> recording;
  std::vector<double> origins;
};
Ordered order_systems(const Dataset& set) {
  const std::vector<std::string>& names = set.description().recordings;
  std::map<std::string, std::uint32_t> place_of;
  std::vector<std::uint32_t> recording;
  Ordered out;
  for (std::int64_t s = 0; s < set.systems(); ++s) {
    const std::string name = names.empty() ? set.system_id(s) : names[static_cast<std::size_t>(s)];
    const auto place = static_cast<std::uint32_t>(out.recordings.size());
    // Uncut systems are recordings of their own, whatever their names.
    const bool fresh = names.empty() || place_of.try_emplace(name, place).second;
    recording.push_back(fresh ? place : place_of[name]);
    if (fresh) out.recordings.push_back(name);
  }
  out.systems.resize(static_cast<std::size_t>(set.systems()));
  std::iota(out.systems.begin(), out.systems.end(), 0);
  const auto key = [&](std::int64_t s) { return std::pair(recording[static_cast<std::size_t>(s)], set.origin(s)); };
  std::stable_sort(out.systems.begin(), out.systems.end(),
                   [&](std::int64_t a, std::int64_t b) { return key(a) < key(b); });
  for (const std::int64_t s : out.systems) {
    out.ids.push_back(set.system_id(s));
    out.recording.push_back(recording[static_cast<std::size_t>(s)]);
    out.origins.push_back(set.origin(s));
  }
  return out;
}

// From the origin to the last row of the longest system, and a little more: two windows closer than this share rows.
double window_length(const Dataset& set) {
  constexpr double kMore = 1 + 4e-9;  // beyond the tolerance for times
  double longest = 0;
  for (std::int64_t s = 0; s < set.systems(); ++s)
    for (std::int64_t o = set.first_object(s); o < set.first_object(s) + set.objects_of(s); ++o)
      if (!set.times_of(o).empty()) longest = std::max(longest, set.times_of(o).back() - set.origin(s));
  return longest > 0 ? longest * kMore : std::numeric_limits<double>::min();
}

// The smallest step from one window of a recording to the next.
double window_stride(const Ordered& systems, double length) {
  double stride = std::numeric_limits<double>::infinity();
  for (std::size_t s = 1; s < systems.systems.size(); ++s) {
    const double step = systems.origins[s] - systems.origins[s - 1];
    if (systems.recording[s] == systems.recording[s - 1] && step > 0) stride = std::min(stride, step);
  }
  return std::isinf(stride) ? length : stride;
}

}  // namespace

Dataset with_parts(const Dataset& dataset, const std::vector<Part>& parts) {
  struct Storage {
    Dataset base;
    std::vector<std::uint8_t> parts;
  };
  auto storage = std::make_shared<Storage>(Storage{dataset, {}});
  for (const Part part : parts) storage->parts.push_back(static_cast<std::uint8_t>(part));
  Dataset::Arrays arrays = dataset.arrays();
  arrays.parts = storage->parts;
  return Dataset(dataset.description(), arrays, storage, "the data set with other parts");
}

Dataset split(const Dataset& dataset, const SplitOptions& options, std::int64_t& left_out) {
  const Ordered systems = order_systems(dataset);
  SplitTask task{.recording = systems.recording,
                 .origins = systems.origins,
                 .observed = std::vector<bool>(systems.recordings.size(), true),
                 .window = {},
                 .share = 1 - options.test,
                 .random = Random(options.seed, RandomUse::kSplit, {1}),
                 .held_out = options.test_systems,
                 .ids = systems.ids,
                 .recordings = systems.recordings};
  if (!dataset.description().recordings.empty()) {
    task.window = window_length(dataset);
    task.stride = window_stride(systems, *task.window);
  }
  const SplitResult result = split_systems(task);
  if (result.undivided && options.test > 0)
    throw ConfigError(
        fmt::format("`test` {}: there is one system{}, which cannot be split; import it with a shorter `window`",
                    options.test, task.window ? " without windows that are apart" : ""));
  left_out = result.count(Fate::kBetween);
  std::vector<Part> parts(result.fates.size());
  std::vector<bool> out(result.fates.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto system = static_cast<std::size_t>(systems.systems[i]);
    parts[system] = result.fates[i] == Fate::kHeldOut ? Part::kTest : Part::kTrain;
    out[system] = result.fates[i] == Fate::kBetween;
  }
  const Dataset whole = with_parts(dataset, parts);
  return left_out == 0 ? whole : without(whole, out);
}

Dataset merge(const std::vector<Dataset>& sets, const std::vector<std::string>& names) {
  Description description = sets.front().description();
  description.system_ids.clear();
  description.object_ids.clear();
  description.source = "merged";
  description.rows_left_out = 0;
  std::vector<std::vector<std::int32_t>> types;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const Description& other = sets[i].description();
    check_fits(description, other, names.front(), names[i]);
    types.push_back(join_types(description.relation_types, other.relation_types));
    description.max_length = std::max(description.max_length, other.max_length);
    const bool known = description.rows_left_out >= 0 && other.rows_left_out >= 0;
    description.rows_left_out = known ? description.rows_left_out + other.rows_left_out : -1;
    description.min_length = std::min(description.min_length, other.min_length);
    description.frames.min_objects = std::min(description.frames.min_objects, other.frames.min_objects);
  }
  const bool clash = names_clash(sets);
  description.recordings = join_recordings(sets, names, clash);
  DatasetBuilder builder(description);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const double shift = time_shift(sets[i].description(), description);
    for (std::int64_t s = 0; s < sets[i].systems(); ++s) {
      const std::string id = sets[i].system_id(s);
      builder.add_system(sets[i], s,
                         {.id = clash ? fmt::format("{}/{}", names[i], id) : id, .shift = shift, .types = types[i]});
    }
  }
  return builder.finish("the merged set");
}

}  // namespace lgode::data
