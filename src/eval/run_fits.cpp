// Checks data and scenes against a run: features, relation types, units, typical times, missing values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "lgode/core/error.h"
#include "lgode/eval/run_info.h"

namespace lgode::eval {
namespace {

constexpr double kMostTimes = 10;      // between two typical times of runs and data
constexpr double kMostMagnitude = 20;  // between two largest values

void check_features(const RunInfo& info, const data::Description& data) {
  const auto names = [](const std::vector<data::Feature>& features) {
    std::vector<std::string> out;
    out.reserve(features.size());
    for (const data::Feature& f : features) out.push_back(f.name);
    return out;
  };
  const std::vector<std::string> want = names(info.features), have = names(data.features);
  if (want != have)
    throw ConfigError(
        fmt::format("the model was trained on the features {}, the data has {}; use data with the same "
                    "features in the same order",
                    fmt::join(want, ", "), fmt::join(have, ", ")));
  for (std::size_t f = 0; f < info.features.size(); ++f)
    if (info.features[f].derived != data.features[f].derived)
      throw ConfigError(fmt::format(
          "feature '{}' {}; import the data in the same way as the training data", info.features[f].name,
          info.features[f].derived ? "is derived from the positions for the model, but the data has values of it"
                                   : "had values in the training data, but is derived from the positions in the data"));
}

void check_units(const RunInfo& info, const data::Description& data, bool can_allow) {
  const auto compare = [&](const std::string& what, const std::string& run, const std::string& own) {
    if (run.empty() || own.empty() || run == own) return;
    throw ConfigError(
        fmt::format("the unit of {} was {} in the training data and is {} in the data; convert the data, or {} if "
                    "both mean the same",
                    what, run, own, can_allow ? "set `allow_mismatch`" : "import it with the same name of the unit"));
  };
  for (std::size_t f = 0; f < info.features.size(); ++f)
    compare(fmt::format("feature '{}'", info.features[f].name), info.features[f].unit, data.features[f].unit);
  compare("time", info.time_unit, data.time_unit);
}

void check_times(const RunInfo& info, const data::Dataset& dataset, bool can_allow) {
  const std::string unit = info.time_unit.empty() ? "" : " " + info.time_unit;
  const auto compare = [&](const char* what, double run, double own, const char* fix) {
    if (!(run > 0 && own > 0) || std::max(run, own) <= kMostTimes * std::min(run, own)) return;
    throw ConfigError(
        fmt::format("{} was {:.4g}{} in the training data and is {:.4g} in the data, {:.3g} times {}; seconds against "
                    "milliseconds? Convert the times{}, or {} if this is meant",
                    what, run, unit, own, std::max(run, own) / std::min(run, own), own > run ? "as long" : "shorter",
                    fix, can_allow ? "set `allow_mismatch`" : "train a new model"));
  };
  std::vector<std::int64_t> systems(static_cast<std::size_t>(dataset.systems()));
  std::iota(systems.begin(), systems.end(), 0);
  compare("the typical time between two observations of an object", info.typical_gap,
          data::typical_gap(dataset, systems), "");
  compare("the length of the first range", info.conditioning_length, dataset.description().conditioning_length,
          ", import with a `window` of the training data's length");
}

void check_missing(const RunInfo& info, bool missing) {
  if (takes_missing(info) || !missing) return;
  throw ConfigError(
      "observations of the data lack values, but the model was trained on data without missing values and would take "
      "them as zeros; train a model with `hide_values` 0.2, which learns to do without some of the values");
}

// Whether an observation of the context lacks a value that is not derived.
bool lacks_values(const data::Scene& scene, const std::vector<data::Feature>& features) {
  for (std::size_t i = 0; i < scene.context.objects(); ++i)
    for (const data::RowIndex k : scene.context[i]) {
      const std::span<const double> row = scene.source.row(static_cast<std::int64_t>(i), k);
      for (std::size_t f = 0; f < features.size(); ++f)
        if (std::isnan(row[f]) && !features[f].derived) return true;
    }
  return false;
}

void check_relation_types(const RunInfo& info, const data::Description& about) {
  if (about.relation_types == info.relation_types) return;
  throw ConfigError(
      fmt::format("the model was trained on the relation types {}, the data has {}; use data with the same "
                  "types in the same order",
                  fmt::join(info.relation_types, ", "), fmt::join(about.relation_types, ", ")));
}

// `system`: its name.
void check_objects(const RunInfo& info, const std::string& system, std::int64_t objects) {
  if (info.model.kind != model::ModelKind::kRnnNri || objects == info.shape.objects) return;
  throw ConfigError(
      fmt::format("the model is rnn-nri, which needs a fixed number of objects, and was trained on systems of {} "
                  "objects; system {} has {}; use data with as many objects, or another `model`",
                  info.shape.objects, system, objects));
}

// By row of a set, 1 for those that the run's gate does not believe. Empty: all count, also where so many are flagged
// that the data, and not some of its values, is unlike the training data.
std::vector<std::uint8_t> disbelieved(const RunInfo& info, const data::Dataset& dataset) {
  constexpr std::int64_t kMostShare = 10;  // one row in ten
  std::vector<std::uint8_t> out;
  if (!info.task.gate) return out;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < dataset.objects(); ++i) {
    const auto first = static_cast<std::size_t>(dataset.arrays().observation_offsets[static_cast<std::size_t>(i)]);
    for (const data::FlaggedRow& flagged :
         data::flagged_rows(*info.task.gate, dataset.times_of(i), dataset.values_of(i))) {
      if (flagged.vindicated) continue;
      out.resize(static_cast<std::size_t>(dataset.rows()), 0);
      out[first + static_cast<std::size_t>(flagged.row)] = 1, ++count;
    }
  }
  if (kMostShare * count > dataset.observations()) out.clear();
  return out;
}

// The largest distance of each feature from 0 or, where `centred`, from the mean of its system. `ignored`: rows that do
// not count, as disbelieved() has them.
std::vector<double> magnitudes(const data::Dataset& dataset, const std::vector<bool>& centred,
                               const std::vector<std::uint8_t>& ignored) {
  const std::size_t width = centred.size();
  std::vector<double> largest(width, 0.0);
  const auto counts = [&](std::size_t row) { return ignored.empty() || ignored[row] == 0; };
  const auto& a = dataset.arrays();
  for (std::int64_t s = 0; s < dataset.systems(); ++s) {
    const std::int64_t first = dataset.first_object(s), last = first + dataset.objects_of(s);
    const auto from = static_cast<std::size_t>(a.observation_offsets[static_cast<std::size_t>(first)]);
    const auto to = static_cast<std::size_t>(a.observation_offsets[static_cast<std::size_t>(last)]);
    for (std::size_t f = 0; f < width; ++f) {
      double sum = 0, centre = 0;
      std::int64_t count = 0;
      for (std::size_t row = from; row < to && centred[f]; ++row)
        if (const double x = a.values[row * width + f]; !std::isnan(x) && counts(row)) sum += x, ++count;
      if (count > 0) centre = sum / static_cast<double>(count);
      for (std::size_t row = from; row < to; ++row)
        if (const double x = a.values[row * width + f]; !std::isnan(x) && counts(row))
          largest[f] = std::max(largest[f], std::abs(x - centre));
    }
  }
  return largest;
}

}  // namespace

void check_fits(const RunInfo& info, const data::Dataset& dataset, const FitOptions& options) {
  check_features(info, dataset.description());
  check_relation_types(info, dataset.description());
  if (!options.allow_mismatch) {
    check_units(info, dataset.description(), options.can_allow);
    check_times(info, dataset, options.can_allow);
  }
  if (!options.allow_missing) check_missing(info, dataset.has_missing());
  if (info.model.kind != model::ModelKind::kRnnNri) return;
  for (std::int64_t s = 0; s < dataset.systems(); ++s) check_objects(info, dataset.system_id(s), dataset.objects_of(s));
}

void check_fits(const RunInfo& info, const data::Description& about, std::span<const data::Scene> scenes) {
  check_features(info, about);
  check_relation_types(info, about);
  for (const data::Scene& scene : scenes) {
    if (!takes_missing(info)) check_missing(info, lacks_values(scene, about.features));
    check_objects(info, std::to_string(scene.number), scene.source.objects());
  }
}

std::vector<std::string> notes_on(const RunInfo& info, const data::Dataset& dataset, data::Outliers outliers) {
  const bool flags = outliers == data::Outliers::kFlag;
  const std::size_t width = info.features.size();
  std::vector<bool> centred(width, false);
  if (info.task.centre == data::Centre::kSystem)
    for (const int f : data::position_features(info.features)) centred[static_cast<std::size_t>(f)] = true;
  std::vector<double> largest =
      magnitudes(dataset, centred, flags ? disbelieved(info, dataset) : std::vector<std::uint8_t>());
  // Features of one group share their scale: the largest of the group counts.
  std::map<int, double> of_group;
  for (std::size_t f = 0; f < width; ++f) {
    double& most = of_group[info.features[f].scale_group];
    most = std::max(most, largest[f]);
  }
  std::vector<std::string> notes;
  for (std::size_t f = 0; f < width; ++f) {
    const double scale = info.normalisation.scale[f], own = of_group[info.features[f].scale_group];
    if (info.features[f].derived || largest[f] == 0.0) continue;
    const bool large = largest[f] > kMostMagnitude * scale, small = own < scale / kMostMagnitude;
    if (!large && !small) continue;
    notes.push_back(fmt::format(
        "the largest value of '{}'{} is {:.4g}, in the training data it was {:.4g}: {} for the model; another unit?",
        info.features[f].name, centred[f] ? ", from the mean of its system," : "", large ? largest[f] : own, scale,
        large ? "far outside of what is known" : "close to nothing"));
  }
  if (flags && info.task.gate)
    if (const std::string text = data::outliers_text(dataset, data::count_outliers(dataset, *info.task.gate));
        !text.empty())
      notes.push_back(text + "; the model does not see them, and they are in no error; `outliers` use takes them");
  return notes;
}

}  // namespace lgode::eval
