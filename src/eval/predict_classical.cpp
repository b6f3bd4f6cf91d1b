// Computes classical paths batch by batch and puts the widths of their calibration around them.
#include "predict_classical.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/data/classical/classical.h"
#include "lgode/data/decimals.h"
#include "lgode/eval/calibration.h"
#include "lgode/model/assimilate/timeline.h"
#include "summarise.h"

namespace lgode::eval {
namespace {

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

  // Predictions in the order of `asked`, for which the batch was made.
  std::vector<SystemPrediction> operator()(std::vector<Asked> asked, const data::Batch& batch) const {
    std::vector<SystemPrediction> out;
    out.reserve(asked.size());
    for (Asked& one : asked) out.push_back(unknown(std::move(one)));
    if (batch.systems() == 0) return out;
    std::vector<float> spread;
    const std::vector<float> path = data::predict_classical(kind_, batch, features(), run_.info.normalisation,
                                                            maker_.clock().time_scale, run_.info.classical, &spread);
    const std::vector<double> distances = target_distances(batch, forecast_);
    for (std::int64_t b = 0; b < batch.systems(); ++b)
      for (std::int64_t n = batch.object_offsets[b]; n < batch.object_offsets[b + 1]; ++n)
        if (!has_left(batch, n))
          add_object({batch, path, spread, distances}, b, n, out[static_cast<std::size_t>(batch.place[b])]);
    return out;
  }

 private:
  const std::vector<data::Feature>& features() const { return maker_.dataset().description().features; }

  SystemPrediction unknown(Asked asked) const {
    SystemPrediction out;
    out.system = asked.number, out.objects = asked.objects, out.start = asked.start;
    const std::vector<double> nothing(
        static_cast<std::size_t>(asked.objects * maker_.dataset().features()) * asked.times.size(),
        std::numeric_limits<double>::quiet_NaN());
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

  // What the values of one batch have in common. `distances`: target_distances().
  struct Paths {
    const data::Batch& batch;
    const std::vector<float>& path;    // [T, D]
    const std::vector<float>& spread;  // [T, D]
    const std::vector<double>& distances;
  };

  // Object `n` of the batch, of its system `b`. In original units as the model's predictions are.
  void add_object(const Paths& paths, std::int64_t b, std::int64_t n, SystemPrediction& p) const {
    const data::Batch& batch = paths.batch;
    const auto width = static_cast<std::size_t>(batch.features);
    const auto first = static_cast<std::size_t>(batch.target_offsets[n]);
    const std::size_t to = static_cast<std::size_t>(batch.object[static_cast<std::size_t>(n)]) * p.times.size() * width;
    const double start = forecast_ ? batch.start[static_cast<std::size_t>(b)] : 0.0;
    for (std::size_t k = 0; k < p.times.size() * width; ++k) {
      const std::size_t f = k % width, from = first * width + k;
      if (features()[f].derived) continue;
      const double scale = run_.info.normalisation.scale[f], mean = paths.path[from];
      const double centre = batch.centre[static_cast<std::size_t>(b) * width + f];
      const auto offset = [&](double q) {
        return offset_of(f, q, paths.distances[first + k / width], paths.spread[from], start);
      };
      const auto world = [&](double x) { return data::in_units(x, scale, centre); };
      constexpr double kDeviation = 0.5 + 0.6827 / 2;
      p.mean[to + k] = world(mean);
      p.deviation[to + k] = p.spread[to + k] = data::in_units(offset(kDeviation), scale);
      p.low[to + k] = world(mean + offset(0.05));
      p.high[to + k] = world(mean + offset(0.95));
      for (std::size_t j = 0; j < options_.quantiles.size(); ++j)
        p.quantiles[j][to + k] = world(mean + offset(options_.quantiles[j]));
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
  const ClassicalMethod& method = classical_method(kind);
  if (method.only_forecasts && !forecast)
    throw ConfigError(
        fmt::format("`method` {}: is a method for forecasts, and the run interpolates; take kalman", method.word));
  if (!data::is_fitted(kind, run.info.classical))
    throw ConfigError(fmt::format(
        "`method` {}: the run does not have what the method takes from the training data, because an earlier version "
        "saved it; it is computed where the training data is still there",
        method.word));
}

void predict_by_classical(const Run& run, const data::BatchMaker& maker, const PredictOptions& options, Classical kind,
                          const Requests& requests, const std::vector<std::int64_t>& systems,
                          const std::vector<std::size_t>& places,
                          const std::function<void(const SystemPrediction&)>& sink, const StopFlag* stop) {
  const ClassicalPredictor predictor(run, maker, options, kind);
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(1, options.batch));
  const auto objects_in = [&](std::size_t begin, std::size_t end) {
    std::int64_t count = 0;
    for (std::size_t at = begin; at < end; ++at) count += maker.dataset().objects_of(systems[places[at]]);
    return count;
  };
  const std::int64_t all = objects_in(0, places.size());
  std::int64_t done = 0;  // objects
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    if (stop != nullptr && stop->requested()) throw Interrupted();
    end = std::min(begin + most, places.size());
    std::vector<data::BatchMaker::Request> wanted;
    std::vector<Asked> asked;
    for (std::size_t at = begin; at < end; ++at) {
      wanted.push_back(requests(systems[places[at]], places[at]));
      asked.push_back(requests.asked(systems[places[at]], places[at]));
    }
    for (const SystemPrediction& p : predictor(std::move(asked), maker.make_prediction(wanted))) sink(p);
    done += objects_in(begin, end);
    if (options.progress)
      options.progress(static_cast<std::int64_t>(end), static_cast<std::int64_t>(places.size()),
                       all == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(all));
  }
}

}  // namespace lgode::eval
