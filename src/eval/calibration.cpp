// Calibrated widths: reading them off, and JSON.
#include "lgode/eval/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "calibration_widths.h"
#include "lgode/core/error.h"
#include "lgode/core/fields.h"

namespace lgode {

template <>
struct Fields<eval::WidthTable> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& table) {
    v.field("distance", table.distance);
    v.field("width", table.width);
    v.field("scaled", table.scaled);
    v.optional("growth", table.growth);
  }
};

template <>
struct Fields<eval::Calibration> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& c) {
    v.field("features", c.features_);
    v.field("reach", c.reach_);
    v.optional("latest_start", c.latest_);
    v.field("values", c.values_);
    v.field("systems", c.systems_);
  }
};

// The calibrations themselves are separate JSON objects.
template <>
struct Fields<eval::Calibrations> {
  template <class Visitor, class T>
  static void visit(Visitor& v, T& c) {
    v.field("epoch", c.epoch);
    v.field("step", c.step);
    v.field("data", c.data);
    v.optional("data_fingerprint", c.fingerprint);
    v.optional("part", c.part);
  }
};

}  // namespace lgode

namespace lgode::eval {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kAllObjects = "all_objects";  // the key of errors
constexpr std::size_t kNinety = 8;                  // of the levels
constexpr double kBeyondLatest = 1.25;              // of the latest start: up to there widths grow

double at_distance(const std::vector<double>& knots, const std::vector<double>& widths, double distance) {
  const std::size_t n = knots.size();
  if (n == 1 || distance <= knots.front()) return widths.front();
  const auto next = static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), distance) - knots.begin());
  const std::size_t right = std::min(next, n - 1);
  std::size_t left = right - 1;
  // Knots of earlier versions may be apart by rounding errors, so that their slope means nothing.
  while (left > 0 && knots[right] - knots[left] <= kSameDistance) --left;
  if (knots[right] - knots[left] <= kSameDistance) return widths[right];
  const double u = (distance - knots[left]) / (knots[right] - knots[left]);
  return widths[left] + u * (widths[right] - widths[left]);
}

// What to do about a calibration in a file that cannot be used.
std::string repair_text(const std::string& where) {
  const std::filesystem::path folder = std::filesystem::path(where).parent_path();
  return fmt::format(
      "; make it again: lgode calibrate {}; or remove the file: the run then has no calibrated intervals",
      folder.empty() ? "." : folder.string());
}

}  // namespace

double width_of(const WidthTable& table, double level, double distance, double spread, double start) {
  const std::vector<double>& levels = Calibration::levels();
  double unit = (table.scaled ? std::max(spread, kLeastSpread) : 1.0) * std::exp(table.growth * start);
  // Beyond the last knot all levels grow like the level of 90 %, so that they never cross.
  if (distance > table.distance.back()) {
    const std::vector<double>& widths = table.width[kNinety];
    if (widths.back() > 0) unit *= at_distance(table.distance, widths, distance) / widths.back();
    distance = table.distance.back();
  }
  const auto next = static_cast<std::size_t>(std::upper_bound(levels.begin(), levels.end(), level) - levels.begin());
  if (next == 0) return unit * at_distance(table.distance, table.width.front(), distance) * level / levels.front();
  const std::size_t right = std::min(next, levels.size() - 1), left = next == levels.size() ? right : next - 1;
  const double low = at_distance(table.distance, table.width[left], distance);
  if (left == right || level == levels[left]) return unit * low;
  const double high = at_distance(table.distance, table.width[right], distance);
  return unit * (low + (high - low) * (level - levels[left]) / (levels[right] - levels[left]));
}

std::vector<double> target_distances(const data::Batch& batch, bool forecast) {
  std::vector<double> out(static_cast<std::size_t>(batch.targets()), kInfinity);
  for (std::int64_t i = 0; i < batch.objects(); ++i) {
    const auto begin = batch.observation_times.begin() + batch.observation_offsets[i];
    const auto end = batch.observation_times.begin() + batch.observation_offsets[i + 1];
    if (begin == end) continue;
    for (std::int64_t t = batch.target_offsets[i]; t < batch.target_offsets[i + 1]; ++t) {
      const double time = batch.target_times[t];
      const auto next = std::lower_bound(begin, end, time);
      double& distance = out[static_cast<std::size_t>(t)];
      if (next == begin) {
        distance = 2 * (*next - time);
      } else if (next == end) {
        distance = (forecast ? 1 : 2) * (time - *(end - 1));
      } else {
        distance = distance_between(time - *(next - 1), *next - time);
      }
    }
  }
  return out;
}

const std::vector<double>& Calibration::levels() {
  static const std::vector<double> levels{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99};
  return levels;
}

double Calibration::half_width(std::int64_t feature, double level, double distance, double spread, double start) const {
  return width_of(features_[static_cast<std::size_t>(feature)], level, std::isfinite(distance) ? distance : reach_,
                  spread, std::clamp(start, 0.0, kBeyondLatest * latest_));
}

bool Calibration::uses_spread() const {
  return std::any_of(features_.begin(), features_.end(), [](const WidthTable& table) { return table.scaled; });
}

std::vector<double> calibrated_deviations(const Calibration& calibration, const data::Batch& batch, bool forecast,
                                          const float* spread, const std::vector<int>& features) {
  constexpr double kLevel = 0.9, kHalfWidth = 1.6448536269514722;  // of the standard normal distribution
  const std::vector<double> distances = target_distances(batch, forecast);
  const auto width = static_cast<std::size_t>(batch.features);
  std::vector<double> out(distances.size() * width, std::numeric_limits<double>::quiet_NaN());
  for (std::int64_t b = 0; b < batch.systems(); ++b)
    for (std::int64_t t = batch.target_offsets[batch.object_offsets[b]];
         t < batch.target_offsets[batch.object_offsets[b + 1]]; ++t) {
      const auto row = static_cast<std::size_t>(t);
      if (batch.target_seen[row] != 0 || !std::isfinite(distances[row])) continue;
      for (const int f : features) {
        const std::size_t at = row * width + static_cast<std::size_t>(f);
        const double half = calibration.half_width(f, kLevel, distances[row], spread != nullptr ? spread[at] : 1.0,
                                                   forecast ? batch.start[b] : 0.0);
        out[at] = std::max(half / kHalfWidth, kLeastDeviation);
      }
    }
  return out;
}

nlohmann::json Calibration::to_json() const {
  auto out = fields_json<nlohmann::json>(*this);
  out["levels"] = levels();
  return out;
}

Calibration Calibration::from_json(const nlohmann::json& json, const std::string& where) {
  Calibration out;
  try {
    if (json.at("levels").get<std::vector<double>>() != levels())
      throw DataError(where + ": the calibration has other levels than this version" + repair_text(where));
    read_fields(json, PlainRules(), out);
  } catch (const nlohmann::json::exception& e) {
    throw DataError(fmt::format("{}: is damaged, not a calibration ({}){}", where, e.what(), repair_text(where)));
  }
  for (const WidthTable& table : out.features_) {
    const bool whole = !table.distance.empty() && table.width.size() == levels().size() &&
                       std::all_of(table.width.begin(), table.width.end(),
                                   [&](const auto& w) { return w.size() == table.distance.size(); });
    if (!whole) throw DataError(where + ": the calibration is damaged" + repair_text(where));
  }
  return out;
}

const Calibration* Calibrations::of(const std::string& classical_name) const {
  for (const auto& [name, calibration] : classical)
    if (name == classical_name) return &calibration;
  return nullptr;
}

nlohmann::json Calibrations::to_json() const {
  auto out = fields_json<nlohmann::json>(*this);
  out["model"] = model.to_json(), out["classical"] = nlohmann::json::object();
  for (const auto& [name, calibration] : classical) out["classical"][name] = calibration.to_json();
  // Of all objects together, under a key of their own: kinds of objects may get others.
  for (const auto& [name, error] : errors) out["errors"][kAllObjects][name] = error;
  return out;
}

Calibrations Calibrations::from_json(const nlohmann::json& json, const std::string& where) {
  Calibrations out;
  if (!json.is_object())
    throw DataError(fmt::format("{}: is damaged, not a calibration (not a JSON object){}", where, repair_text(where)));
  try {
    out.model = Calibration::from_json(json.at("model"), where);
    for (const auto& [name, calibration] : json.at("classical").items())
      out.classical.emplace_back(name, Calibration::from_json(calibration, where));
    if (json.contains("errors"))
      for (const auto& [name, error] : json.at("errors").at(kAllObjects).items())
        out.errors.emplace_back(name, error.get<double>());
    read_fields(json, PlainRules(), out);
  } catch (const nlohmann::json::exception& e) {
    throw DataError(fmt::format("{}: is damaged, not a calibration ({}){}", where, e.what(), repair_text(where)));
  }
  return out;
}

}  // namespace lgode::eval
