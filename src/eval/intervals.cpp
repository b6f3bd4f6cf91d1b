// Scores intervals batch by batch.
#include "lgode/eval/intervals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lgode/core/json_text.h"

namespace lgode::eval {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kScored = 0.9;  // level of the interval score

nlohmann::json part_json(const IntervalScores::Part& part) {
  nlohmann::json coverage = nlohmann::json::object(), width = nlohmann::json::object();
  for (std::size_t l = 0; l < std::size(kIntervalLevels); ++l) {
    const std::string level = std::to_string(std::lround(100 * kIntervalLevels[l]));
    coverage[level] = json_number(part.coverage[l]), width[level] = json_number(part.width[l]);
  }
  return {{"values", part.values},
          {"coverage", coverage},
          {"width", width},
          {"interval_score", json_number(part.score)},
          {"crps", json_number(part.crps)}};
}

// The pinball losses of both ends of a central interval of level p, mean - w and mean + w, at an absolute error e: the
// sign of the error does not matter.
double ends_loss(double e, double w, double p) {
  const double share = (1 + p) / 2;
  const auto pinball = [](double error, double q) { return error >= 0 ? q * error : (q - 1) * error; };
  return pinball(e - w, share) + pinball(e + w, 1 - share);
}

}  // namespace

nlohmann::json IntervalScores::to_json(const std::vector<data::Feature>& about) const {
  nlohmann::json out = part_json(all);
  out["features"] = nlohmann::json::array();
  for (std::size_t f = 0; f < about.size(); ++f)
    if (!about[f].derived) {
      out["features"].push_back(part_json(features[f]));
      out["features"].back()["feature"] = about[f].name;
    }
  out["horizon"] = nlohmann::json::array();
  for (const Bin& bin : horizon) {
    out["horizon"].push_back(part_json(bin.part));
    out["horizon"].back()["begin"] = bin.begin, out["horizon"].back()["end"] = bin.end;
  }
  out["within_reach"] = part_json(reached), out["within_reach"]["standard_error"] = json_number(standard_error);
  out["beyond_calibration"] = part_json(beyond);
  if (!recordings.empty()) {
    out["recordings"] = nlohmann::json::object();
    for (const auto& [name, part] : recordings) out["recordings"][name] = part_json(part);
  }
  return out;
}

IntervalKeeper::IntervalKeeper(const Calibration& calibration, data::Normalisation normalisation, double time_scale,
                               double range, bool forecast, int bins, std::vector<std::uint8_t> constant)
    : calibration_(calibration),
      normalisation_(std::move(normalisation)),
      time_scale_(time_scale),
      range_(range),
      forecast_(forecast),
      constant_(std::move(constant)),
      features_(normalisation_.scale.size()),
      bins_(static_cast<std::size_t>(bins) + 1) {}

void IntervalKeeper::add(const data::Batch& batch, const float* predicted, const float* spread,
                         const std::function<bool(std::int64_t)>& counts) {
  const std::vector<double> distances = target_distances(batch, forecast_), &levels = Calibration::levels();
  const std::size_t width = features_.size();
  std::vector<std::int64_t> row_of(static_cast<std::size_t>(batch.targets()), -1);  // places in the batch
  for (std::int64_t b = 0; b < batch.systems(); ++b)
    if (!counts || counts(batch.system[b]))
      std::fill(row_of.begin() + batch.target_offsets[batch.object_offsets[b]],
                row_of.begin() + batch.target_offsets[batch.object_offsets[b + 1]], b);
  for (std::size_t t = 0; t < static_cast<std::size_t>(batch.targets()); ++t) {
    if (batch.target_seen[t] != 0 || row_of[t] < 0 || !std::isfinite(distances[t])) continue;
    const auto row = static_cast<std::size_t>(row_of[t]);
    auto& [of_system, reached_of_system] = systems_[batch.system[row]];
    const auto last = static_cast<double>(bins_.size() - 1);
    const auto bin = static_cast<std::size_t>(std::clamp(batch.target_times[t] / range_ * last, 0.0, last));
    latest_ = std::max(latest_, batch.target_times[t]);
    for (std::size_t f = 0; f < width; ++f) {
      const std::size_t at = t * width + f;
      if (batch.target_mask[at] == 0.0F) continue;
      const double e = std::abs(static_cast<double>(predicted[at]) - batch.target_values[at]);
      const auto half = [&](double level) {
        return calibration_.half_width(static_cast<std::int64_t>(f), level, distances[t],
                                       spread != nullptr ? spread[at] : 1.0, forecast_ ? batch.start[row] : 0.0);
      };
      Sums one;
      one.values = 1;
      for (std::size_t l = 0; l < std::size(kIntervalLevels); ++l) {
        const double w = half(kIntervalLevels[l]);
        one.inside[l] = e <= w ? 1 : 0, one.width[l] = 2 * w;
      }
      const double w = half(kScored);
      one.score = 2 * w + 2 / (1 - kScored) * std::max(e - w, 0.0);
      // CRPS: the integral over levels of the loss of both ends, by the trapezoidal rule from the median on.
      double before = 0, loss_before = ends_loss(e, 0, 0);
      for (const double level : levels) {
        const double loss = ends_loss(e, half(level), level);
        one.crps += (level - before) * (loss + loss_before) / 2;
        before = level, loss_before = loss;
      }
      one.crps += (1 - before) * loss_before;
      const double unit = normalisation_.error_factor(f);
      for (double& each : one.width) each *= unit;
      one.score *= unit, one.crps *= unit;
      const bool reached = distances[t] <= calibration_.reach() * (1 + 1e-9);
      merge(features_[f], one);
      if (!constant_.empty() && constant_[f] != 0) continue;
      for (Sums* sums : {&all_, &bins_[bin], &of_system, reached ? &reached_ : &beyond_}) merge(*sums, one);
      if (reached) merge(reached_of_system, one);
    }
  }
}

void IntervalKeeper::merge(Sums& into, const Sums& other) {
  into.values += other.values;
  for (std::size_t l = 0; l < std::size(kIntervalLevels); ++l)
    into.inside[l] += other.inside[l], into.width[l] += other.width[l];
  into.score += other.score, into.crps += other.crps;
}

nlohmann::json IntervalKeeper::to_json(const Sums& s) {
  return {s.values, s.inside[0], s.inside[1], s.inside[2], s.width[0], s.width[1], s.width[2], s.score, s.crps};
}

IntervalKeeper::Sums IntervalKeeper::from_json(const nlohmann::json& json) {
  // JSON has no NaN.
  const auto at = [&](std::size_t k) { return json.at(k).is_null() ? kNaN : json.at(k).get<double>(); };
  Sums s;
  s.values = json.at(0).get<std::int64_t>();
  for (std::size_t l = 0; l < 3; ++l) s.inside[l] = at(1 + l), s.width[l] = at(4 + l);
  s.score = at(7), s.crps = at(8);
  return s;
}

nlohmann::json IntervalKeeper::state() const {
  nlohmann::json features = nlohmann::json::array(), bins = features, systems = features;
  for (const Sums& s : features_) features.push_back(to_json(s));
  for (const Sums& s : bins_) bins.push_back(to_json(s));
  for (const auto& [system, s] : systems_) systems.push_back({system, to_json(s.first), to_json(s.second)});
  return {{"all", to_json(all_)}, {"reached", to_json(reached_)}, {"beyond", to_json(beyond_)}, {"features", features},
          {"bins", bins},         {"systems", systems},           {"latest", latest_}};
}

void IntervalKeeper::add(const nlohmann::json& state) {
  merge(all_, from_json(state.at("all"))), merge(reached_, from_json(state.at("reached")));
  merge(beyond_, from_json(state.at("beyond")));
  for (std::size_t f = 0; f < features_.size(); ++f) merge(features_[f], from_json(state.at("features").at(f)));
  for (std::size_t k = 0; k < bins_.size(); ++k) merge(bins_[k], from_json(state.at("bins").at(k)));
  for (const nlohmann::json& one : state.at("systems")) {
    auto& [own, reached] = systems_[one.at(0).get<std::int64_t>()];
    merge(own, from_json(one.at(1))), merge(reached, from_json(one.at(2)));
  }
  latest_ = std::max(latest_, state.at("latest").get<double>());
}

std::vector<std::pair<std::string, IntervalScores::Part>> IntervalKeeper::by_group(
    const std::function<std::string(std::int64_t)>& group) const {
  std::map<std::string, Sums> groups;
  for (const auto& [system, sums] : systems_) merge(groups[group(system)], sums.first);
  std::vector<std::pair<std::string, IntervalScores::Part>> out;
  out.reserve(groups.size());
  for (const auto& [name, sums] : groups) out.emplace_back(name, part_of(sums, 1.0));
  return out;
}

IntervalScores::Part IntervalKeeper::part_of(const Sums& sums, double unit) {
  IntervalScores::Part part;
  part.values = sums.values;
  const auto mean = [&](double x) { return sums.values > 0 ? x / static_cast<double>(sums.values) : kNaN; };
  for (std::size_t l = 0; l < std::size(kIntervalLevels); ++l)
    part.coverage[l] = mean(sums.inside[l]), part.width[l] = unit * mean(sums.width[l]);
  part.score = unit * mean(sums.score), part.crps = unit * mean(sums.crps);
  return part;
}

IntervalScores IntervalKeeper::scores() const {
  IntervalScores out;
  out.all = part_of(all_, 1.0), out.reached = part_of(reached_, 1.0), out.beyond = part_of(beyond_, 1.0);
  double squares = 0;
  for (const auto& [system, sums] : systems_) {
    const double off = sums.second.inside[2] - out.reached.coverage[2] * static_cast<double>(sums.second.values);
    if (sums.second.values > 0) squares += off * off;
  }
  out.standard_error = reached_.values > 0 ? std::sqrt(squares) / static_cast<double>(reached_.values) : kNaN;
  for (std::size_t f = 0; f < features_.size(); ++f)
    out.features.push_back(part_of(features_[f], normalisation_.scale[f] / normalisation_.error_factor(f)));
  const auto count = static_cast<double>(bins_.size() - 1);
  const double length = range_ * time_scale_ / count;
  for (std::size_t k = 0; k + 1 < bins_.size(); ++k)
    out.horizon.push_back(
        {length * static_cast<double>(k), length * static_cast<double>(k + 1), part_of(bins_[k], 1.0)});
  if (bins_.back().values > 0)
    out.horizon.push_back({range_ * time_scale_, latest_ * time_scale_, part_of(bins_.back(), 1.0)});
  return out;
}

}  // namespace lgode::eval
