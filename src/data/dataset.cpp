// Data sets in memory and the checks that every set passes. dataset_builder.cpp makes sets system by system,
// dataset_file.cpp reads and writes files.
#include "lgode/data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/hash.h"
#include "lgode/data/measured_features.h"
#include "lgode/data/observed_rows.h"
#include "lgode/data/time_text.h"

namespace lgode::data {
namespace {

// Checks a description and arrays against each other. Large arrays are scanned once, without branches; the
// faulty element is searched only if there is one.
class Checker {
 public:
  Checker(const Description& description, const Dataset::Arrays& arrays, const std::string& where)
      : d_(description), a_(arrays), where_(where) {}

  // Returns what reading all of it finds out, but for the fingerprint.
  Dataset::Facts check() const {
    check_description();
    check_sizes();
    check_offsets("object_offsets", a_.object_offsets, a_.observation_offsets.size() - 1);
    check_offsets("observation_offsets", a_.observation_offsets, a_.times.size());
    check_offsets("relation_offsets", a_.relation_offsets, a_.relation_sources.size());
    check_systems();
    check_times();
    check_relations();
    check_edge_rule();
    check_largest();
    Dataset::Facts found = count_missing();
    found.constant = lgode::data::constant_features(d_, a_);
    return found;
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    throw DataError(fmt::format("{}: {}", where_, fmt::format(format, std::forward<Args>(args)...)));
  }

  static bool positive(double x) { return x > 0.0 && x <= std::numeric_limits<double>::max(); }

  void check_description() const {
    if (d_.features.empty()) fail("has no features, expected at least one");
    const auto features = static_cast<int>(d_.features.size());
    std::set<std::string_view> names;
    for (int i = 0; i < features; ++i) {
      const Feature& feature = d_.features[static_cast<std::size_t>(i)];
      if (feature.name.empty()) fail("feature {} has no name", i);
      if (!names.insert(feature.name).second) fail("two features are named '{}'", feature.name);
      if (feature.scale_group < 0) fail("feature '{}' has the scale group {}", feature.name, feature.scale_group);
      if (feature.velocity_of < -1 || feature.velocity_of >= features || feature.velocity_of == i) {
        fail("feature '{}' is said to be the velocity of feature {}; expected another of the {} features, or -1",
             feature.name, feature.velocity_of, features);
      }
      if (feature.derived &&
          (feature.velocity_of < 0 || d_.features[static_cast<std::size_t>(feature.velocity_of)].derived))
        fail("feature '{}' is derived, but the velocity of no feature in the data", feature.name);
    }
    if (std::all_of(d_.features.begin(), d_.features.end(), [](const Feature& f) { return f.derived; }))
      fail("has derived features only, expected at least one in the data");
    if (!(d_.rate >= 0 && d_.rate <= std::numeric_limits<double>::max()))
      fail("rate is {}, expected a positive number, or 0 where there is none", d_.rate);
    if (!d_.time_format.empty()) check_dates();
    if (!d_.columns.empty() && (d_.columns.size() != 3 || d_.columns[1].empty() || d_.columns[2].empty()))
      fail("columns has {} names, expected three: of system (may be empty), object and time", d_.columns.size());
    if (d_.delimiter.size() > 1) fail("delimiter is '{}', expected one character", d_.delimiter);
    if (d_.relation_types.empty()) fail("has no relation types, expected at least one name");
    if (!positive(d_.time_scale)) fail("time_scale is {}, expected a positive number", d_.time_scale);
    if (!positive(d_.conditioning_length)) {
      fail("conditioning_length is {}, expected a positive number", d_.conditioning_length);
    }
    check_clock(d_.time_scale, d_.conditioning_length, where_);
    if (d_.frames != FrameWindows{}) check_frames();
    if (d_.min_length < 0 || d_.max_length < d_.min_length) {
      fail("min_length is {} and max_length {}, expected 0 <= min_length <= max_length", d_.min_length, d_.max_length);
    }
  }

  void check_frames() const {
    const FrameWindows& f = d_.frames;
    if (f.seen < 1 || f.asked < 1 || !positive(f.step) || f.min_objects < 1)
      fail("frames are {} + {}, {} apart, with at least {} objects; expected positive numbers", f.seen, f.asked, f.step,
           f.min_objects);
  }

  void check_dates() const {
    try {
      const TimeText dates(d_);
    } catch (const DataError& error) {
      fail("{}", error.what());
    }
  }

  void check_size(const char* name, std::size_t size, std::size_t expected) const {
    if (size != expected) fail("{} has {} entries, expected {}", name, size, expected);
  }

  void check_size(const char* name, Per per, std::size_t size) const {
    switch (per) {
      case Per::kSystem:
        return check_size(name, size, a_.parts.size());
      case Per::kSystemEnd:
        return check_size(name, size, a_.parts.size() + 1);
      case Per::kObjectEnd:
        if (size == 0) fail("{} is empty, expected one entry more than objects", name);
        return;
      case Per::kRow:
        return check_size(name, size, a_.times.size());
      case Per::kValue:
        return check_size(name, size, a_.times.size() * d_.features.size());
      case Per::kRelation:
        return check_size(name, size, a_.relation_sources.size());
    }
  }

  void check_sizes() const {
    const std::size_t systems = a_.parts.size();
    Dataset::Arrays::each([&](const char* name, Per per, const auto& array) { check_size(name, per, array.size()); },
                          a_);
    if (!d_.system_ids.empty()) check_size("system_ids", d_.system_ids.size(), systems);
    if (!d_.recordings.empty()) check_size("recordings", d_.recordings.size(), systems);
    if (!d_.object_ids.empty()) check_size("object_ids", d_.object_ids.size(), a_.observation_offsets.size() - 1);
  }

  void check_offsets(const char* name, std::span<const std::int64_t> offsets, std::size_t end) const {
    if (offsets.front() != 0) fail("{} starts with {}, expected 0", name, offsets.front());
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      if (offsets[i] < offsets[i - 1]) fail("{} falls from {} to {} at {}", name, offsets[i - 1], offsets[i], i);
    }
    if (static_cast<std::size_t>(offsets.back()) != end)
      fail("{} ends with {}, expected {}", name, offsets.back(), end);
  }

  void check_systems() const {
    for (std::size_t s = 0; s < a_.parts.size(); ++s) {
      if (a_.parts[s] > static_cast<std::uint8_t>(Part::kTest)) {
        fail("{} has the part {}, expected 0 (train) or 1 (test)", system(s), a_.parts[s]);
      }
      if (!std::isfinite(a_.origins[s])) fail("{} has the origin {}", system(s), a_.origins[s]);
    }
  }

  void check_times() const {
    for (std::size_t o = 0; o + 1 < a_.observation_offsets.size(); ++o) {
      const auto first = static_cast<std::size_t>(a_.observation_offsets[o]);
      const auto last = static_cast<std::size_t>(a_.observation_offsets[o + 1]);
      for (std::size_t m = first; m < last; ++m) {
        if (!std::isfinite(a_.times[m])) fail("{} has an observation at time {}", object(o), a_.times[m]);
        if (m > first && !(a_.times[m] > a_.times[m - 1])) {
          fail("{} has times that do not ascend: {} after {}", object(o), a_.times[m], a_.times[m - 1]);
        }
      }
    }
  }

  void check_largest() const {
    bool large = false;
    for (const double value : a_.values) large |= std::abs(value) > kLargestValue;
    if (large) fail_large();
  }

  [[noreturn]] void fail_large() const {
    const auto found =
        std::find_if(a_.values.begin(), a_.values.end(), [](double x) { return std::abs(x) > kLargestValue; });
    const auto index = static_cast<std::size_t>(found - a_.values.begin());
    const auto m = static_cast<std::int64_t>(index / d_.features.size());
    const auto after = std::upper_bound(a_.observation_offsets.begin(), a_.observation_offsets.end(), m);
    const std::string what = std::isinf(*found) ? "an infinite" : fmt::format("{:g} as", *found);
    fail("{} has {} '{}' at time {}; expected values from -{:g} to {:g}, and NaN where one is missing",
         object(static_cast<std::size_t>(after - a_.observation_offsets.begin()) - 1), what,
         d_.features[index % d_.features.size()].name, a_.times[static_cast<std::size_t>(m)], kLargestValue,
         kLargestValue);
  }

  Dataset::Facts count_missing() const {
    Dataset::Facts found;
    const std::size_t width = d_.features.size();
    const std::vector<std::size_t> own = measured_features(d_);
    for (std::size_t at = 0; at < a_.values.size(); at += width) {
      std::size_t missing = 0;
      for (const std::size_t f : own) missing += std::isnan(a_.values[at + f]) ? 1 : 0;
      found.empty_rows += missing == own.size() ? 1 : 0;
      found.has_missing |= missing > 0 && missing < own.size();
    }
    return found;
  }

  void check_edge_rule() const {
    const EdgeRule& rule = d_.edges;
    if (rule.kind == EdgeRule::Kind::kListed) return;
    if (!a_.relation_sources.empty()) fail("has a rule for relations and {} relations", a_.relation_sources.size());
    if (rule.kind == EdgeRule::Kind::kAll) return;
    if (rule.kind == EdgeRule::Kind::kNearest && rule.neighbours < 1)
      fail("relates {} nearest objects, expected at least 1", rule.neighbours);
    if (rule.kind == EdgeRule::Kind::kWithin && !positive(rule.radius))
      fail("relates objects within {}, expected a positive number", rule.radius);
    if (rule.positions.empty()) fail("relates near objects, but names no features for their distance");
    for (const int f : rule.positions)
      if (f < 0 || f >= static_cast<int>(d_.features.size()) || d_.features[static_cast<std::size_t>(f)].derived)
        fail("relates near objects by feature {}, expected one of the {} features that is in the data", f,
             d_.features.size());
  }

  void check_relations() const {
    const auto types = static_cast<std::int32_t>(d_.relation_types.size());
    for (std::size_t s = 0; s < a_.parts.size(); ++s) {
      const std::int64_t objects = a_.object_offsets[s + 1] - a_.object_offsets[s];
      const auto last = static_cast<std::size_t>(a_.relation_offsets[s + 1]);
      for (auto e = static_cast<std::size_t>(a_.relation_offsets[s]); e < last; ++e) {
        const std::int32_t source = a_.relation_sources[e];
        const std::int32_t target = a_.relation_targets[e];
        if (source < 0 || source >= objects || target < 0 || target >= objects) {
          fail("{} has a relation from object {} to {}, but {} objects", system(s), source, target, objects);
        }
        if (source == target) fail("{} has a relation from object {} to itself", system(s), source);
        if (a_.relation_types[e] < 0 || a_.relation_types[e] >= types) {
          fail("{} has a relation of type {}, but there are {} types", system(s), a_.relation_types[e], types);
        }
        if (!positive(static_cast<double>(a_.relation_weights[e])) || std::isinf(a_.relation_weights[e])) {
          fail("{} has a relation of weight {}, expected a positive number", system(s), a_.relation_weights[e]);
        }
      }
    }
  }

  // Names for messages.
  std::string system(std::size_t s) const {
    return d_.system_ids.empty() ? fmt::format("system {}", s) : fmt::format("system '{}'", d_.system_ids[s]);
  }
  std::string object(std::size_t o) const {
    const auto after =
        std::upper_bound(a_.object_offsets.begin(), a_.object_offsets.end(), static_cast<std::int64_t>(o));
    const auto s = static_cast<std::size_t>(after - a_.object_offsets.begin()) - 1;
    const std::string id = d_.object_ids.empty()
                               ? fmt::format("{}", static_cast<std::int64_t>(o) - a_.object_offsets[s])
                               : fmt::format("'{}'", d_.object_ids[o]);
    return fmt::format("{}, object {}", system(s), id);
  }

  const Description& d_;
  const Dataset::Arrays& a_;
  const std::string& where_;
};

// Fingerprints open with their form. The first form had no prefix and covered these numbers only.
constexpr const char* kFingerprintForm = "2-";

Hash hash_numbers(const Description& d, const Dataset::Arrays& a) {
  Hash hash;
  Dataset::Arrays::each([&](const char*, Per, const auto& array) { hash.add(array); }, a);
  hash.add(d.time_scale), hash.add(d.conditioning_length);
  return hash;
}

}  // namespace

Dataset::Dataset(Description description, Arrays arrays, std::shared_ptr<const void> storage, const std::string& where)
    : description_(std::make_shared<const Description>(std::move(description))),
      a_(arrays),
      storage_(std::move(storage)),
      facts_(std::make_shared<const Facts>(Checker(*description_, a_, where).check())) {}

Dataset::Dataset(Description description, Arrays arrays, std::shared_ptr<const void> storage, Facts facts)
    : description_(std::make_shared<const Description>(std::move(description))),
      a_(arrays),
      storage_(std::move(storage)),
      facts_(std::make_shared<const Facts>(std::move(facts))) {}

Dataset::Facts Dataset::facts() const {
  if (known() != nullptr) return *known();
  return {has_missing(), lgode::data::has_missing(*this, Part::kTrain), empty_rows(), fingerprint(),
          constant_features()};
}

Dataset Dataset::with(Facts facts) const {
  Dataset out = *this;
  out.facts_ = std::make_shared<const Facts>(std::move(facts));
  return out;
}

bool Dataset::is_empty(std::int64_t object, std::int64_t k) const {
  const std::size_t width = description_->features.size();
  return !has_value(a_.values.subspan(static_cast<std::size_t>(first_observation(object) + k) * width, width));
}

std::span<const double> Dataset::times_of(std::int64_t object) const {
  const auto first = static_cast<std::size_t>(a_.observation_offsets[static_cast<std::size_t>(object)]);
  const auto last = static_cast<std::size_t>(a_.observation_offsets[static_cast<std::size_t>(object) + 1]);
  return a_.times.subspan(first, last - first);
}

std::span<const double> Dataset::values_of(std::int64_t object) const {
  const auto first = static_cast<std::size_t>(a_.observation_offsets[static_cast<std::size_t>(object)]);
  const auto last = static_cast<std::size_t>(a_.observation_offsets[static_cast<std::size_t>(object) + 1]);
  const std::size_t width = description_->features.size();
  return a_.values.subspan(first * width, (last - first) * width);
}

std::int64_t Dataset::bytes() const {
  std::size_t sum = 0;
  Arrays::each([&](const char*, Per, const auto& array) { sum += array.size_bytes(); }, a_);
  return static_cast<std::int64_t>(sum);
}

std::string Dataset::fingerprint() const {
  if (known() != nullptr) return known()->fingerprint;
  Hash hash = hash_numbers(*description_, a_);
  hash.add(static_cast<std::int64_t>(description_->features.size()));
  for (const Feature& feature : description_->features) {
    hash.add(feature.name);
    hash.add(static_cast<std::int64_t>(feature.scale_group));
    hash.add(static_cast<std::int64_t>(feature.velocity_of));
  }
  hash.add(static_cast<std::int64_t>(description_->relation_types.size()));
  for (const std::string& type : description_->relation_types) hash.add(type);
  hash.add(description_->max_length);
  hash.add(description_->min_length);
  // Fields that earlier versions did not have change the fingerprint only where they are used.
  const EdgeRule& rule = description_->edges;
  if (rule.kind != EdgeRule::Kind::kListed) {
    hash.add(static_cast<std::int64_t>(rule.kind)), hash.add(rule.neighbours), hash.add(rule.radius);
    for (const int f : rule.positions) hash.add(static_cast<std::int64_t>(f));
  }
  for (std::size_t f = 0; f < description_->features.size(); ++f)
    if (description_->features[f].derived) hash.add(static_cast<std::int64_t>(f));
  if (const FrameWindows& frames = description_->frames)
    hash.add(frames.seen), hash.add(frames.asked), hash.add(frames.step),
        hash.add(static_cast<std::int64_t>(frames.all_present));
  // Which windows belong together, not the names of their recordings: the validation part follows from it.
  std::map<std::string_view, std::int64_t> recordings;
  for (const std::string& recording : description_->recordings)
    hash.add(recordings.try_emplace(recording, static_cast<std::int64_t>(recordings.size())).first->second);
  return kFingerprintForm + hash.text();
}

bool Dataset::has_fingerprint(std::string_view text) const {
  return text == (text.starts_with(kFingerprintForm) ? fingerprint() : hash_numbers(*description_, a_).text());
}

std::string Dataset::system_id(std::int64_t system) const {
  const auto& ids = description_->system_ids;
  return ids.empty() ? std::to_string(system) : ids[static_cast<std::size_t>(system)];
}

std::string Dataset::object_id(std::int64_t system, std::int64_t object_in_system) const {
  const auto& ids = description_->object_ids;
  return ids.empty() ? std::to_string(object_in_system)
                     : ids[static_cast<std::size_t>(first_object(system) + object_in_system)];
}

std::vector<std::int64_t> Dataset::systems_in(Part part) const {
  std::vector<std::int64_t> found;
  for (std::int64_t s = 0; s < systems(); ++s) {
    if (this->part(s) == part) found.push_back(s);
  }
  return found;
}

void check_clock(double time_scale, double conditioning_length, const std::string& where) {
  constexpr double kMost = 1e4;
  const double units = conditioning_length / time_scale;
  if (!(units >= 1 / kMost && units <= kMost))
    throw DataError(fmt::format(
        "{}: conditioning_length is {:.6g} and time_scale {:.6g}, so that the first range has {:.3g} model units; "
        "expected {:g} to {:g}, usually 1",
        where, conditioning_length, time_scale, units, 1 / kMost, kMost));
}

bool has_missing(const Dataset& dataset, Part part) {
  if (dataset.known() != nullptr && part == Part::kTrain) return dataset.known()->train_has_missing;
  if (!dataset.has_missing()) return false;
  const std::vector<Feature>& features = dataset.description().features;
  for (const std::int64_t s : dataset.systems_in(part))
    for (std::int64_t i = dataset.first_object(s); i < dataset.first_object(s) + dataset.objects_of(s); ++i) {
      const std::span<const double> values = dataset.values_of(i);
      for (std::size_t at = 0; at < values.size(); ++at)
        if (std::isnan(values[at]) && !features[at % features.size()].derived &&
            !dataset.is_empty(i, static_cast<std::int64_t>(at / features.size())))
          return true;
    }
  return false;
}

std::vector<int> position_features(const std::vector<Feature>& features) {
  std::vector<int> positions, rest;
  for (int f = 0; f < static_cast<int>(features.size()); ++f) {
    const bool moves =
        std::any_of(features.begin(), features.end(), [&](const Feature& v) { return v.velocity_of == f; });
    if (features[static_cast<std::size_t>(f)].velocity_of >= 0) continue;
    if (moves) positions.push_back(f);
    rest.push_back(f);
  }
  return positions.empty() ? rest : positions;
}

}  // namespace lgode::data
