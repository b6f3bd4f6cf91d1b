// Classical forecasts by data/classical/track.h, whose base path is made here, and the straight line.
#include "lgode/benchmark/paths.h"

#include <algorithm>
#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/classical/classical.h"
#include "lgode/data/classical/track.h"
#include "lgode/data/normalisation.h"

namespace lgode::benchmark {

Fitted fit_on(const data::Dataset& dataset) {
  const std::vector<data::Feature>& features = dataset.description().features;
  std::array<std::size_t, 2> place = {};
  for (std::size_t k = 0; k < 2; ++k) {
    const auto found =
        std::find_if(features.begin(), features.end(), [&](const auto& f) { return f.name == (k == 0 ? "x" : "y"); });
    if (found == features.end()) throw DataError("the data set has no features x and y");
    place[k] = static_cast<std::size_t>(found - features.begin());
  }
  const std::vector<std::int64_t> systems = dataset.systems_in(data::Part::kTrain);
  data::TaskOptions task;
  task.task = data::Task::kExtrapolate;
  task.observed = 1;
  const data::BatchMaker maker(dataset, data::fit_normalisation(dataset, systems), task);
  const data::ClassicalFit fit = data::fit_classical(maker, systems);
  Fitted fitted;
  fitted.time_scale = maker.clock().time_scale;
  for (std::size_t k = 0; k < 2; ++k) {
    fitted.scale[k] = maker.normalisation().scale[place[k]];
    if (!fit.damping.empty()) fitted.fit.damping.push_back(fit.damping[place[k]]);
    if (!fit.noise.empty()) fitted.fit.noise.push_back(fit.noise[place[k]]);
  }
  return fitted;
}

const std::vector<ClassicalMethod>& classical_rows() {
  static const std::vector<ClassicalMethod> rows = [] {
    std::vector<ClassicalMethod> own;
    for (const ClassicalMethod& method : kClassicalMethods)
      if (method.forecasts_as == method.kind) own.push_back(method);
    return own;
  }();
  return rows;
}

ClassicalForecast::ClassicalForecast(Classical kind, double step_seconds, const Fitted& fitted)
    : step_(step_seconds / fitted.time_scale) {
  const std::vector<data::Feature> features = {{.name = "x", .unit = ""}, {.name = "y", .unit = ""}};
  const data::Normalisation normalisation{.scale = {fitted.scale[0], fitted.scale[1]}};
  rule_ = std::make_unique<const data::TrackRule>(
      data::base_path(kind, features, normalisation, fitted.time_scale, fitted.fit));
}
ClassicalForecast::~ClassicalForecast() = default;
ClassicalForecast::ClassicalForecast(ClassicalForecast&& other) noexcept = default;

Path ClassicalForecast::operator()(const Track& track, const Hidden& hidden) const {
  const auto& features = rule_->base().features;
  // Relative to the first shown position, so that a float holds it exactly enough.
  const auto first = static_cast<std::size_t>(std::find(hidden.begin(), hidden.end(), false) - hidden.begin());
  const Point origin = track.points.at(first);
  data::ClassicalTrack seen(*rule_);
  const std::array<float, 2> mask = {1, 1};
  for (std::size_t k = first; k < kSeen; ++k) {
    if (hidden[k]) continue;
    const std::array<float, 2> row = {static_cast<float>((track.points[k].x - origin.x) / features[0].scale),
                                      static_cast<float>((track.points[k].y - origin.y) / features[1].scale)};
    seen.add(*rule_, static_cast<double>(k) * step_, row.data(), mask.data());
  }
  Path path;
  for (std::size_t k = 0; k < kAhead; ++k) {
    const double time = static_cast<double>(kSeen + k) * step_;
    path[k] = {origin.x + features[0].scale * seen.at(*rule_, 0, time),
               origin.y + features[1].scale * seen.at(*rule_, 1, time)};
  }
  return path;
}

Past line(const Track& track, const Hidden& hidden) {
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < kSeen; ++k)
    if (!hidden[k]) shown.push_back(k);
  Past past = {};
  for (std::size_t k = 0; k < kSeen; ++k) {
    // The two shown frames around k, or the two nearest ones.
    auto right = std::lower_bound(shown.begin(), shown.end(), k);
    if (right == shown.end()) --right;
    if (right == shown.begin() && shown.size() > 1) ++right;
    const auto left = right == shown.begin() ? right : right - 1;
    const Point& a = track.points[*left];
    const Point& b = track.points[*right];
    const double share =
        *left == *right ? 0
                        : (static_cast<double>(k) - static_cast<double>(*left)) / static_cast<double>(*right - *left);
    past[k] = {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
  }
  return past;
}

}  // namespace lgode::benchmark
