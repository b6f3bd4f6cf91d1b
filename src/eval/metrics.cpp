// Hands the errors of each object to the metrics, keeps their sums and makes scores of them.
#include "lgode/eval/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lgode/core/json_text.h"
#include "point_collector.h"

namespace lgode::eval {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Metrics of one shape, with their JSON keys, of place `at`.
void add_values(nlohmann::json& into, const std::vector<MetricScore>& scores, Metric::Shape shape, std::size_t at) {
  for (const MetricScore& score : scores)
    if (score.metric->shape == shape) into[std::string(score.metric->key)] = json_number(score.values[at]);
}

}  // namespace

double Sums::mean() const { return count > 0 ? total / static_cast<double>(count) : kNaN; }

const Metric* find_metric(std::span<const Metric> metrics, Metric::Shape shape, std::string_view key) {
  for (const Metric& metric : metrics)
    if (metric.shape == shape && metric.key == key) return &metric;
  return nullptr;
}

std::string_view unit_name(Metric::Unit unit) {
  switch (unit) {
    case Metric::Unit::kSquared:
      return "squared";
    case Metric::Unit::kOriginal:
      return "original";
    case Metric::Unit::kShare:
      return "share";
    case Metric::Unit::kNats:
      return "nats";
  }
  return "";
}

std::string metric_name(const Metric& metric, std::int64_t futures) {
  constexpr std::string_view kFutures = "{k}";
  std::string name(metric.name);
  if (const std::size_t at = name.find(kFutures); at != std::string::npos)
    name.replace(at, kFutures.size(), futures > 0 ? std::to_string(futures) : "k");
  return name;
}

const MetricScore* Scores::find(Metric::Shape shape, std::string_view key) const {
  for (const MetricScore& score : metrics)
    if (score.metric->shape == shape && score.metric->key == key) return &score;
  return nullptr;
}

nlohmann::json Scores::to_json(const std::vector<data::Feature>& features) const {
  nlohmann::json per_feature = nlohmann::json::array(), unseen_rmse = nlohmann::json::object();
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (features[f].derived) continue;
    per_feature.push_back({{"feature", features[f].name}, {"unit", features[f].unit}});
    add_values(per_feature.back(), metrics, Metric::Shape::kFeatures, f);
    if (f < never_seen.feature_rmse.size()) unseen_rmse[features[f].name] = json_number(never_seen.feature_rmse[f]);
  }
  nlohmann::json out = {{"never_seen",
                         {{"objects", never_seen.objects},
                          {"values", never_seen.values},
                          {"mse", json_number(never_seen.mse)},
                          {"rmse", unseen_rmse}}},
                        {"features", per_feature},
                        {"horizon", horizon_json()},
                        {"systems", systems},
                        {"objects", objects},
                        {"values", values}};
  add_values(out, metrics, Metric::Shape::kNumber, 0);
  return out;
}

nlohmann::json Scores::horizon_json() const {
  nlohmann::json bins = nlohmann::json::array();
  for (std::size_t b = 0; b < horizon.size(); ++b) {
    bins.push_back({{"begin", horizon[b].begin}, {"end", horizon[b].end}, {"values", horizon[b].values}});
    add_values(bins.back(), metrics, Metric::Shape::kHorizon, b);
  }
  return bins;
}

ErrorFeatures error_features(const data::BatchMaker& maker) {
  const std::vector<data::Feature>& features = maker.dataset().description().features;
  ErrorFeatures out;
  out.constant = maker.dataset().constant_features();
  for (const int f : data::position_features(features))
    if (!features[f].derived && out.constant[f] == 0) out.positions.push_back(f);
  for (const int f : out.positions)
    if (features[f].unit != features[out.positions.front()].unit) {
      out.positions.clear();
      break;
    }
  return out;
}

ScoreKeeper::ScoreKeeper(data::Normalisation normalisation, double time_scale, double range, int bins,
                         std::span<const Metric> metrics, ErrorFeatures features, PointLimits limits)
    : metrics_(metrics),
      normalisation_(std::move(normalisation)),
      features_(std::move(features)),
      limits_(limits),
      time_scale_(time_scale),
      range_(range),
      bins_(static_cast<std::size_t>(bins) + 1),
      never_seen_(normalisation_.scale.size()) {
  for (const Metric& metric : metrics_) {
    const bool own = metric.half_of.empty();
    const std::size_t cells = metric.shape == Metric::Shape::kFeatures  ? normalisation_.scale.size()
                              : metric.shape == Metric::Shape::kHorizon ? bins_
                                                                        : 1;
    cells_.emplace_back(own ? cells : 0);
  }
}

void ScoreKeeper::add_unseen(const data::Batch& batch) {
  never_seen_objects_ += batch.unseen_objects;
  for (std::size_t at = 0; at < batch.unseen_errors.size(); ++at) {
    if (batch.unseen_mask[at] == 0.0F) continue;
    const std::size_t f = at % never_seen_.size();
    const double error = static_cast<double>(batch.unseen_errors[at]) * normalisation_.error_factor(f);
    never_seen_[f].add(error * error);
  }
}

void ScoreKeeper::read(const data::Batch& batch, const PredictedPaths& predicted, std::int64_t object, Object& into) {
  const std::int64_t first = batch.target_offsets[object], last = batch.target_offsets[object + 1];
  const auto width = static_cast<std::size_t>(batch.features), count = static_cast<std::size_t>(last - first) * width;
  const std::size_t begin = static_cast<std::size_t>(first) * width,
                    all = static_cast<std::size_t>(batch.targets()) * width;
  const auto paths = static_cast<std::size_t>(predicted.count);
  into.errors.resize(paths * count), into.original.resize(into.errors.size());
  for (std::size_t p = 0; p < paths; ++p)
    for (std::size_t at = 0; at < count; ++at) {
      const double error = static_cast<double>(predicted.values[p * all + begin + at]) -
                           static_cast<double>(batch.target_values[begin + at]);
      into.errors[p * count + at] = error * normalisation_.error_factor(at % width);
      into.original[p * count + at] = error * normalisation_.scale[at % width];
    }
  into.times.clear(), into.bins.clear();
  const auto parts = static_cast<double>(bins_ - 1);
  for (std::int64_t t = first; t < last; ++t) {
    const double time = batch.target_times[t];
    into.times.push_back(time);
    into.bins.push_back(static_cast<std::size_t>(std::clamp(time / range_ * parts, 0.0, parts)));
    latest_ = std::max(latest_, time);
  }
  into.view = {.paths = predicted.count,
               .points = last - first,
               .features = batch.features,
               .errors = into.errors.data(),
               .original = into.original.data(),
               .targets = batch.target_mask.data() + begin,
               .times = into.times.data(),
               .seen = batch.target_seen.data() + first,
               .bins = into.bins.data(),
               .about = &features_};
}

void ScoreKeeper::add_points(const PointCollector& points) {
  std::vector<SystemPoints> parts;  // of the range; the last one is the whole
  for (std::size_t bin = 0; bin < bins_; ++bin) parts.push_back(points.in_bin(bin));
  parts.push_back(points.all());
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    if (metrics_[m].add_points == nullptr) continue;
    const std::size_t first = metrics_[m].shape == Metric::Shape::kHorizon ? 0 : bins_;
    for (std::size_t c = 0; c < cells_[m].size(); ++c)
      if (!parts[first + c].objects.empty()) metrics_[m].add_points(parts[first + c], cells_[m][c]);
  }
}

void ScoreKeeper::add(const data::Batch& batch, const PredictedPaths& predicted,
                      const std::function<bool(std::int64_t)>& counts,
                      const std::function<void(std::int64_t, std::int64_t, double)>& each_object) {
  if (!counts) add_unseen(batch);
  Object object;
  PointCollector points(features_, normalisation_, limits_);
  std::vector<std::vector<Sums>> systems = cells_;  // of one system, for the metrics that average over systems
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    if (counts && !counts(batch.system[b])) continue;
    for (std::vector<Sums>& cells : systems) std::fill(cells.begin(), cells.end(), Sums());
    points.next_system();
    for (std::int64_t i = batch.object_offsets[b]; i < batch.object_offsets[b + 1]; ++i) {
      read(batch, predicted, i, object);
      const std::int64_t size = object.view.points * object.view.features;
      const auto targets = size - std::count(object.view.targets, object.view.targets + size, 0.0F);
      if (targets == 0) continue;
      values_ += targets, ++objects_;
      if (points.collects()) points.add(object.view, batch, i, predicted);
      if (each_object) {
        Sums own;
        metrics_[0].add(object.view, {&own, 1});
        each_object(batch.system[b], batch.object[i], own.mean());
      }
      for (std::size_t m = 0; m < metrics_.size(); ++m)
        if (metrics_[m].add != nullptr)
          metrics_[m].add(object.view, metrics_[m].average == Metric::Average::kSystems ? systems[m] : cells_[m]);
    }
    for (std::size_t m = 0; m < metrics_.size(); ++m)
      for (std::size_t c = 0; c < cells_[m].size(); ++c)
        if (metrics_[m].average == Metric::Average::kSystems && systems[m][c].count > 0)
          cells_[m][c].add(systems[m][c].mean());
    if (points.collects()) add_points(points);
  }
}

template <class Self, class Use>
void ScoreKeeper::each(Self& self, const Use& use) {
  for (auto& cells : self.cells_)
    for (auto& sums : cells) use(sums);
  for (auto& sums : self.never_seen_) use(sums);
}

std::vector<double> ScoreKeeper::sums() const {
  std::vector<double> out = {static_cast<double>(never_seen_objects_), static_cast<double>(objects_),
                             static_cast<double>(values_)};
  each(*this, [&](const Sums& s) { out.insert(out.end(), {s.total, static_cast<double>(s.count)}); });
  return out;
}

void ScoreKeeper::set(const std::vector<double>& sums, double latest) {
  never_seen_objects_ = std::llround(sums.at(0)), objects_ = std::llround(sums.at(1)),
  values_ = std::llround(sums.at(2));
  std::size_t at = 3;
  each(*this, [&](Sums& s) { s.total = sums.at(at), s.count = std::llround(sums.at(at + 1)), at += 2; });
  latest_ = latest;
}

nlohmann::json ScoreKeeper::state() const { return {{"sums", sums()}, {"latest", latest_}}; }

void ScoreKeeper::add(const nlohmann::json& state) {
  std::vector<double> all = sums();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const nlohmann::json& other = state.at("sums").at(k);
    all[k] += other.is_null() ? kNaN : other.get<double>();  // JSON has no NaN
  }
  set(all, std::max(latest_, state.at("latest").get<double>()));
}

Sums ScoreKeeper::first_half(std::string_view key) const {
  Sums half;
  for (std::size_t m = 0; m < metrics_.size(); ++m)
    if (metrics_[m].shape == Metric::Shape::kHorizon && metrics_[m].key == key)
      for (std::size_t k = 0; k < (bins_ - 1) / 2; ++k)
        half.total += cells_[m][k].total, half.count += cells_[m][k].count;
  return half;
}

MetricScore ScoreKeeper::score_of(const Metric& metric, const std::vector<Sums>& cells) const {
  MetricScore score{&metric, {}, {}};
  for (const Sums& sums : cells) {
    score.values.push_back(metric.root ? std::sqrt(sums.mean()) : sums.mean());
    score.counts.push_back(sums.count);
  }
  return score;
}

std::vector<HorizonBin> ScoreKeeper::horizon(const MetricScore& mse) const {
  std::vector<HorizonBin> out;
  const double width = range_ * time_scale_ / static_cast<double>(bins_ - 1);
  for (std::size_t k = 0; k + 1 < bins_; ++k)
    out.push_back({width * static_cast<double>(k), width * static_cast<double>(k + 1), mse.values[k], mse.counts[k]});
  if (mse.counts.back() > 0)
    out.push_back({range_ * time_scale_, latest_ * time_scale_, mse.values.back(), mse.counts.back()});
  return out;
}

Scores::NeverSeen ScoreKeeper::never_seen() const {
  Scores::NeverSeen out;
  out.objects = never_seen_objects_;
  Sums all;
  for (std::size_t f = 0; f < never_seen_.size(); ++f) {
    all.total += never_seen_[f].total, all.count += never_seen_[f].count;
    out.feature_rmse.push_back(std::sqrt(never_seen_[f].mean()) * normalisation_.scale[f] /
                               normalisation_.error_factor(f));
  }
  out.mse = all.mean();
  out.values = all.count;
  return out;
}

Scores ScoreKeeper::scores() const {
  Scores out;
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    MetricScore score = score_of(
        metrics_[m], metrics_[m].half_of.empty() ? cells_[m] : std::vector<Sums>{first_half(metrics_[m].half_of)});
    const bool measured = std::any_of(score.counts.begin(), score.counts.end(), [](std::int64_t n) { return n > 0; });
    if (measured || metrics_[m].add_points == nullptr) out.metrics.push_back(std::move(score));
  }
  const auto values = [&](Metric::Shape shape, std::string_view key) {
    const MetricScore* found = out.find(shape, key);
    return found != nullptr ? found->values : std::vector<double>{kNaN};
  };
  out.mse = values(Metric::Shape::kNumber, "mse")[0];
  out.mse_unseen = values(Metric::Shape::kNumber, "mse_unseen")[0];
  out.mse_first_half = values(Metric::Shape::kNumber, "mse_first_half")[0];
  out.distance = values(Metric::Shape::kNumber, "distance")[0];
  out.feature_mse = values(Metric::Shape::kFeatures, "mse");
  out.feature_rmse = values(Metric::Shape::kFeatures, "rmse");
  if (const MetricScore* mse = out.find(Metric::Shape::kHorizon, "mse")) out.horizon = horizon(*mse);
  if (!cells_.empty() && !cells_[0].empty()) out.systems = cells_[0][0].count;
  out.objects = objects_;
  out.values = values_;
  out.never_seen = never_seen();
  return out;
}

}  // namespace lgode::eval
