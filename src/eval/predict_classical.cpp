// Computes classical paths system by system and puts the widths of their calibration around them.
#include "predict_classical.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/data/classical/classical.h"
#include "lgode/eval/calibration.h"
#include "lgode/model/assimilate/timeline.h"
#include "summarise.h"

namespace lgode::eval {
namespace {

// As SystemPrediction has them.
using Values = decltype(SystemPrediction::mean);
using Real = Values::value_type;

class ClassicalPredictor {
 public:
  ClassicalPredictor(const Run& run, const data::BatchMaker& maker, const PredictOptions& options, Classical kind)
      : run_(run),
        maker_(maker),
        options_(options),
        kind_(kind),
        calibration_(run.calibrations.of(std::string(data::classical_name(kind)))),
        forecast_(maker.task().task == data::Task::kExtrapolate) {
    if (calibration_ != nullptr && calibration_->empty()) calibration_ = nullptr;
  }

  SystemPrediction operator()(Asked asked, const data::Batch& batch) const {
    SystemPrediction out = unknown(std::move(asked));
    if (batch.systems() == 0) return out;
    std::vector<float> spread;
    const std::vector<float> path = data::predict_classical(kind_, batch, features(), run_.info.normalisation,
                                                            maker_.clock().time_scale, run_.info.classical, &spread);
    const std::vector<double> distances = target_distances(batch, forecast_);
    for (std::int64_t n = 0; n < batch.objects(); ++n)
      if (!has_left(batch, n)) add_object(batch, n, path, spread, distances, out);
    return out;
  }

 private:
  const std::vector<data::Feature>& features() const { return maker_.dataset().description().features; }

  SystemPrediction unknown(Asked asked) const {
    SystemPrediction out;
    out.system = asked.number, out.objects = asked.objects, out.start = asked.start;
    const Values nothing(static_cast<std::size_t>(asked.objects * maker_.dataset().features()) * asked.times.size(),
                         std::numeric_limits<Real>::quiet_NaN());
    out.times = std::move(asked.times);
    out.mean = out.deviation = out.low = out.high = out.spread = nothing;
    out.quantiles.assign(options_.quantiles.size(), nothing);
    return out;
  }

  // As for the model: whether an object is no longer there when the prediction starts.
  bool has_left(const data::Batch& batch, std::int64_t object) const {
    const std::int64_t end = batch.observation_offsets[object + 1];
    return end > batch.observation_offsets[object] &&
           model::outlasts(-batch.observation_times[end - 1], run_.info.shape.memory);
  }

  void add_object(const data::Batch& batch, std::int64_t n, const std::vector<float>& path,
                  const std::vector<float>& spread, const std::vector<double>& distances, SystemPrediction& p) const {
    const auto width = static_cast<std::size_t>(batch.features);
    const auto first = static_cast<std::size_t>(batch.target_offsets[n]);
    const std::size_t to = static_cast<std::size_t>(batch.object[static_cast<std::size_t>(n)]) * p.times.size() * width;
    for (std::size_t k = 0; k < p.times.size() * width; ++k) {
      const std::size_t f = k % width, from = first * width + k;
      if (features()[f].derived) continue;
      const double scale = run_.info.normalisation.scale[f], mean = batch.centre[f] + scale * path[from];
      p.mean[to + k] = static_cast<Real>(mean);
      const auto offset = [&](double q) {
        return scale * offset_of(f, q, distances[first + k / width], spread[from], forecast_ ? batch.start[0] : 0.0);
      };
      constexpr double kDeviation = 0.5 + 0.6827 / 2;
      p.deviation[to + k] = p.spread[to + k] = static_cast<Real>(offset(kDeviation));
      p.low[to + k] = static_cast<Real>(mean + offset(0.05));
      p.high[to + k] = static_cast<Real>(mean + offset(0.95));
      for (std::size_t j = 0; j < options_.quantiles.size(); ++j)
        p.quantiles[j][to + k] = static_cast<Real>(mean + offset(options_.quantiles[j]));
    }
  }

  // How far the q-quantile lies above the path, normalised.
  double offset_of(std::size_t feature, double q, double distance, double spread, double start) const {
    if (calibration_ != nullptr)
      return calibration_->offset(static_cast<std::int64_t>(feature), q, distance, spread, start);
    return kind_ == Classical::kKalman ? spread * inverse_normal_cdf(q) : std::numeric_limits<double>::quiet_NaN();
  }

  const Run& run_;
  const data::BatchMaker& maker_;
  const PredictOptions& options_;
  Classical kind_;
  const Calibration* calibration_;  // null: none
  bool forecast_;
};

}  // namespace

void check_classical(const Run& run, const PredictOptions& options, Classical kind) {
  if (options.paths > 0) throw ConfigError("`paths` are sampled by the model; they do not go with another `method`");
  const bool forecast = run.info.task.task == data::Task::kExtrapolate;
  if (kind == Classical::kDampedVelocity && !forecast)
    throw ConfigError("`method` damped: is a method for forecasts, and the run interpolates; take kalman");
  const bool lacks = (kind == Classical::kDampedVelocity && run.info.classical.damping.empty()) ||
                     (kind == Classical::kKalman && run.info.classical.noise.empty());
  if (lacks)
    throw ConfigError(fmt::format(
        "`method` {}: the run does not have what the method takes from the training data, because an earlier version "
        "saved it; it is computed where the training data is still there",
        kind == Classical::kKalman ? "kalman" : "damped"));
}

void predict_by_classical(const Run& run, const data::BatchMaker& maker, const PredictOptions& options, Classical kind,
                          const Requests& requests, const std::vector<std::int64_t>& systems,
                          const std::vector<std::size_t>& places,
                          const std::function<void(const SystemPrediction&)>& sink, const StopFlag* stop) {
  const ClassicalPredictor predictor(run, maker, options, kind);
  for (const std::size_t place : places) {
    if (stop != nullptr && stop->requested()) throw Interrupted();
    const data::Batch batch = maker.make_prediction({requests(systems[place], place)});
    sink(predictor(requests.asked(systems[place], place), batch));
  }
}

}  // namespace lgode::eval
