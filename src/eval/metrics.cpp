// Accumulates squared errors and averages them per object, system, feature and time.
#include "lgode/eval/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace lgode::eval {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

nlohmann::json number(double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(nullptr); }

// The errors of one feature of one object.
struct Errors {
  double all = 0, unseen = 0;
  std::int64_t count = 0, unseen_count = 0;
};

struct Mean {
  double total = 0;
  std::int64_t count = 0;
  void add(double x) { total += x, ++count; }
  double value() const { return total / static_cast<double>(count); }
};

}  // namespace

nlohmann::json Scores::to_json(const std::vector<data::Feature>& features) const {
  nlohmann::json per_feature = nlohmann::json::array();
  for (std::size_t f = 0; f < features.size(); ++f)
    if (!features[f].derived)
      per_feature.push_back({{"feature", features[f].name},
                             {"unit", features[f].unit},
                             {"mse", number(feature_mse[f])},
                             {"rmse", number(feature_rmse[f])}});
  nlohmann::json unseen_rmse = nlohmann::json::object();
  for (std::size_t f = 0; f < features.size() && f < never_seen.feature_rmse.size(); ++f)
    if (!features[f].derived) unseen_rmse[features[f].name] = number(never_seen.feature_rmse[f]);
  return {{"never_seen",
           {{"objects", never_seen.objects},
            {"values", never_seen.values},
            {"mse", number(never_seen.mse)},
            {"rmse", unseen_rmse}}},
          {"mse", number(mse)},
          {"mse_unseen", number(mse_unseen)},
          {"mse_first_half", number(mse_first_half)},
          {"features", per_feature},
          {"horizon", horizon_json()},
          {"systems", systems},
          {"objects", objects},
          {"values", values}};
}

nlohmann::json Scores::horizon_json() const {
  nlohmann::json bins = nlohmann::json::array();
  for (const HorizonBin& bin : horizon)
    bins.push_back({{"begin", bin.begin}, {"end", bin.end}, {"mse", number(bin.mse)}, {"values", bin.values}});
  return bins;
}

ScoreKeeper::ScoreKeeper(data::Normalisation normalisation, double time_scale, double range, int bins)
    : normalisation_(std::move(normalisation)),
      time_scale_(time_scale),
      range_(range),
      feature_(normalisation_.scale.size()),
      physical_(normalisation_.scale.size()),
      bins_(static_cast<std::size_t>(bins) + 1),
      never_seen_(normalisation_.scale.size()) {}

void ScoreKeeper::add_unseen(const data::Batch& batch) {
  never_seen_objects_ += batch.unseen_objects;
  for (std::size_t at = 0; at < batch.unseen_errors.size(); ++at) {
    if (batch.unseen_mask[at] == 0.0F) continue;
    Sums& sums = never_seen_[at % never_seen_.size()];
    const std::size_t f = at % never_seen_.size();
    const double error = static_cast<double>(batch.unseen_errors[at]) * normalisation_.error_factor(f);
    sums.total += error * error, ++sums.count;
  }
}

void ScoreKeeper::add(const data::Batch& batch, const float* predicted, const std::function<bool(std::int64_t)>& counts,
                      const std::function<void(std::int64_t, std::int64_t, double)>& each_object) {
  const auto features = static_cast<std::size_t>(batch.features);
  if (!counts) add_unseen(batch);
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    if (counts && !counts(batch.system[b])) continue;
    Mean system, system_unseen;  // over the objects of the system
    std::vector<Mean> system_feature(features);
    for (std::int64_t i = batch.object_offsets[b]; i < batch.object_offsets[b + 1]; ++i) {
      std::vector<Errors> errors(features);
      for (std::int64_t t = batch.target_offsets[i]; t < batch.target_offsets[i + 1]; ++t) {
        const auto last = static_cast<double>(bins_.size() - 1);
        const auto bin = static_cast<std::size_t>(std::clamp(batch.target_times[t] / range_ * last, 0.0, last));
        latest_ = std::max(latest_, batch.target_times[t]);
        for (std::size_t f = 0; f < features; ++f) {
          const std::size_t at = static_cast<std::size_t>(t) * features + f;
          if (batch.target_mask[at] == 0.0F) continue;
          const double error = static_cast<double>(predicted[at]) - static_cast<double>(batch.target_values[at]);
          const double reported = error * normalisation_.error_factor(f), square = reported * reported;
          errors[f].all += square, ++errors[f].count;
          if (batch.target_seen[t] == 0) errors[f].unseen += square, ++errors[f].unseen_count;
          Sums& in_bin = bins_[bin];
          in_bin.total += square, ++in_bin.count;
          const double physical = error * normalisation_.scale[f];
          physical_[f].total += physical * physical, ++physical_[f].count;
          ++values_;
        }
      }
      // Per object: mean over its targets, then over features.
      Mean object, object_unseen;
      for (std::size_t f = 0; f < features; ++f) {
        if (errors[f].count > 0) {
          const double mean = errors[f].all / static_cast<double>(errors[f].count);
          object.add(mean);
          system_feature[f].add(mean);
        }
        if (errors[f].unseen_count > 0)
          object_unseen.add(errors[f].unseen / static_cast<double>(errors[f].unseen_count));
      }
      if (object.count > 0) {
        system.add(object.value()), ++objects_;
        if (each_object) each_object(batch.system[b], batch.object[i], object.value());
      }
      if (object_unseen.count > 0) system_unseen.add(object_unseen.value());
    }
    if (system.count > 0) all_.total += system.value(), ++all_.count;
    if (system_unseen.count > 0) unseen_.total += system_unseen.value(), ++unseen_.count;
    for (std::size_t f = 0; f < features; ++f)
      if (system_feature[f].count > 0) feature_[f].total += system_feature[f].value(), ++feature_[f].count;
  }
}

template <class Self, class Use>
void ScoreKeeper::each(Self& self, const Use& use) {
  use(self.all_), use(self.unseen_);
  for (auto* list : {&self.feature_, &self.physical_, &self.bins_, &self.never_seen_})
    for (auto& sums : *list) use(sums);
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

Scores ScoreKeeper::scores() const {
  auto mean = [](const Sums& s) { return s.count > 0 ? s.total / static_cast<double>(s.count) : kNaN; };
  Scores out;
  out.mse = mean(all_);
  out.mse_unseen = mean(unseen_);
  for (const Sums& s : feature_) out.feature_mse.push_back(mean(s));
  for (const Sums& s : physical_) out.feature_rmse.push_back(std::sqrt(mean(s)));
  const double width = range_ * time_scale_ / static_cast<double>(bins_.size() - 1);
  for (std::size_t k = 0; k + 1 < bins_.size(); ++k)
    out.horizon.push_back(
        {width * static_cast<double>(k), width * static_cast<double>(k + 1), mean(bins_[k]), bins_[k].count});
  if (bins_.back().count > 0)
    out.horizon.push_back({range_ * time_scale_, latest_ * time_scale_, mean(bins_.back()), bins_.back().count});
  Sums half;
  for (std::size_t k = 0; k < (bins_.size() - 1) / 2; ++k) half.total += bins_[k].total, half.count += bins_[k].count;
  out.mse_first_half = mean(half);
  out.systems = all_.count;
  out.objects = objects_;
  out.values = values_;
  out.never_seen.objects = never_seen_objects_;
  Sums all;
  for (std::size_t f = 0; f < never_seen_.size(); ++f) {
    all.total += never_seen_[f].total, all.count += never_seen_[f].count;
    out.never_seen.feature_rmse.push_back(std::sqrt(mean(never_seen_[f])) * normalisation_.scale[f] /
                                          normalisation_.error_factor(f));
  }
  out.never_seen.mse = mean(all);
  out.never_seen.values = all.count;
  return out;
}

}  // namespace lgode::eval
