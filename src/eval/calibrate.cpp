// Collects the errors of the model and of the classical paths on held-out systems.
#include "lgode/eval/calibrate.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/evenly_spaced.h"
#include "lgode/data/classical/classical.h"
#include "lgode/eval/evaluate.h"

namespace lgode::eval {
namespace {

constexpr std::int64_t kSystems = 256, kBatch = 32;
// Further draws of the context, as in training, so that forecasts start at other times; then as many with later starts
// (shares of the range), which show how errors grow with the start. Numbered as epochs that no training has.
constexpr std::int64_t kForecastDraws = 2, kFirstDraw = 1'000'000;
constexpr double kLaterLow = 0.5, kLaterHigh = 0.9;

std::vector<float> on_host(const at::Tensor& t) {
  const at::Tensor host = t.to(at::kFloat).to(at::kCPU).contiguous();
  return {host.data_ptr<float>(), host.data_ptr<float>() + host.numel()};
}

// The mean squared error of one method, as evaluations have it.
class SquaredError {
 public:
  explicit SquaredError(const data::Normalisation& normalisation) : normalisation_(normalisation) {}

  void add(const data::Batch& batch, bool forecast, const std::vector<float>& predicted) {
    const std::vector<double> distances = target_distances(batch, forecast);
    const auto width = static_cast<std::size_t>(batch.features);
    for (std::size_t t = 0; t < distances.size(); ++t) {
      if (batch.target_seen[t] != 0 || !std::isfinite(distances[t])) continue;
      for (std::size_t k = t * width; k < (t + 1) * width; ++k) {
        if (batch.target_mask[k] == 0.0F) continue;
        const double error =
            (static_cast<double>(predicted[k]) - batch.target_values[k]) * normalisation_.error_factor(k % width);
        sum_ += error * error, ++count_;
      }
    }
  }
  void keep(std::string name, Calibrations& out) const {
    if (count_ > 0) out.errors.emplace_back(std::move(name), sum_ / static_cast<double>(count_));
  }

 private:
  const data::Normalisation& normalisation_;
  double sum_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace

std::vector<float> path_spread(const model::Model& model, const model::BatchTensors& batch, const ops::Context& context,
                               std::uint64_t seed) {
  const double sigma = model.options().sigma;
  const auto values = static_cast<std::size_t>(batch.batch.targets() * batch.batch.features);
  if (model.latent() == 0) return std::vector<float>(values, static_cast<float>(sigma));
  model::RolloutOptions options = model::rollout_options(context, kSpreadSamples);
  options.futures = false;
  const auto rollout = model.prepare(batch.batch, options);
  const at::Tensor noise = model::latent_noise(batch.batch, kSpreadSamples, model.latent(), seed, RandomUse::kPredict,
                                               kSpreadDraw, batch.inputs.scalar_type())
                               .to(model.device());
  return on_host((model.paths(batch, *rollout, noise, {}).values.var(0) + sigma * sigma).sqrt());
}

Calibrations calibrate(const Run& run, const data::BatchMaker& maker, const StopFlag* stop) {
  if (maker.task().protocol == data::Protocol::kPaper) return {};
  return calibrate(run, maker, data::split_parts(maker).validation, stop);
}

Calibrations calibrate(const Run& run, const data::BatchMaker& maker, const std::vector<std::int64_t>& systems,
                       const StopFlag* stop) {
  const ops::Context context = run.context.without_gradients();
  const ops::ContextScope scope(context);
  const bool forecast = maker.task().task == data::Task::kExtrapolate;
  const std::vector<data::Feature>& features = maker.dataset().description().features;
  const auto width = static_cast<std::int64_t>(features.size());
  const data::ClassicalFit fit = classical_fit_of(run.info, maker);
  const auto count = static_cast<std::int64_t>(systems.size());
  const std::vector<std::int64_t> chosen = evenly_spaced(systems, kSystems);
  data::TaskOptions later_task = maker.task();
  later_task.start_low = kLaterLow, later_task.start_high = kLaterHigh;
  const data::BatchMaker later(maker.dataset(), maker.normalisation(), later_task, maker.clock());
  const bool random = later_task.start == data::Start::kRandom;
  const std::int64_t draws = forecast ? kForecastDraws + (random ? kForecastDraws : 0) : 0;
  // The errors of one path after the other: errors of all of them together take hundreds of megabytes.
  const auto fit_to = [&](const auto& add) {
    CalibrationFit errors(width);
    for (std::int64_t draw = 0; draw <= draws; ++draw)
      for (std::size_t first = 0; first < chosen.size(); first += kBatch) {
        if (stop != nullptr && stop->requested()) throw Interrupted();
        const std::vector<std::int64_t> part(
            chosen.begin() + static_cast<std::ptrdiff_t>(first),
            chosen.begin() + static_cast<std::ptrdiff_t>(std::min(first + kBatch, chosen.size())));
        data::Batch raw = draw == 0 ? maker.make(part, data::View::kValidate)
                                    : (draw <= kForecastDraws ? maker : later)
                                          .make(part, data::View::kTrain, kFirstDraw + draw,
                                                (kFirstDraw + draw) * count + static_cast<std::int64_t>(first));
        if (raw.systems() > 0 && raw.asks_something()) add(errors, std::move(raw), draw);
      }
    return errors.fit();
  };
  Calibrations out;
  SquaredError model_error(maker.normalisation());
  out.model = fit_to([&](CalibrationFit& errors, data::Batch raw, std::int64_t draw) {
    const model::BatchTensors batch = run.model->tensors(std::move(raw));
    model::RolloutOptions one = model::rollout_options(context, 1);
    one.futures = false;
    const auto rollout = run.model->prepare(batch.batch, one);
    const std::vector<float> mean = on_host(run.model->mean_path(batch, *rollout));
    if (draw == 0) model_error.add(batch.batch, forecast, mean);
    errors.add(batch.batch, forecast, mean.data(),
               path_spread(*run.model, batch, context, static_cast<std::uint64_t>(draw + 1)).data());
  });
  model_error.keep(kModelError, out);
  for (const Classical kind : data::classical_kinds(fit)) {
    SquaredError error(maker.normalisation());
    out.classical.emplace_back(
        data::classical_name(kind), fit_to([&](CalibrationFit& errors, const data::Batch& batch, std::int64_t draw) {
          std::vector<float> spread;
          const std::vector<float> path = data::predict_classical(kind, batch, features, maker.normalisation(),
                                                                  maker.clock().time_scale, fit, &spread);
          if (draw == 0) error.add(batch, forecast, path);
          errors.add(batch, forecast, path.data(), spread.data());
        }));
    error.keep(std::string(data::classical_name(kind)), out);
  }
  out.epoch = run.info.epoch, out.step = run.info.step, out.data = maker.dataset().description().name;
  out.fingerprint = maker.dataset().fingerprint();
  return out;
}

}  // namespace lgode::eval
