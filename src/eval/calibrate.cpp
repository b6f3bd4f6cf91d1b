// Collects the errors of the model and of the classical paths on held-out systems.
#include "lgode/eval/calibrate.h"

#include <algorithm>
#include <cmath>

#include "lgode/core/error.h"
#include "lgode/eval/classical.h"
#include "lgode/eval/evaluate.h"

namespace lgode::eval {
namespace {

constexpr std::int64_t kSystems = 256, kBatch = 32;
// Further draws of what is seen, as in training: forecasts then start at other times. Epochs that no training has.
constexpr std::int64_t kForecastDraws = 3, kFirstDraw = 1'000'000;

}  // namespace

PathSpread path_spread(const model::Model& model, const model::BatchTensors& batch, const ops::Context& context,
                       std::int64_t samples, std::uint64_t seed) {
  const auto copy = [](const at::Tensor& t) {
    const at::Tensor host = t.to(at::kFloat).to(at::kCPU).contiguous();
    return std::vector<float>(host.data_ptr<float>(), host.data_ptr<float>() + host.numel());
  };
  const auto one = model.prepare(batch.batch, model::rollout_options(context, 1));
  PathSpread out;
  const at::Tensor mean = model.mean_path(batch, *one);
  out.mean = copy(mean);
  at::Tensor variance = at::zeros_like(mean);
  if (samples > 1 && model.latent() > 0) {
    const auto rollout = model.prepare(batch.batch, model::rollout_options(context, samples));
    const at::Tensor noise = model::latent_noise(batch.batch, samples, model.latent(), seed, RandomUse::kPredict, 1,
                                                 batch.inputs.scalar_type())
                                 .to(model.device());
    variance = model.paths(batch, *rollout, noise, {}).values.var(0);
  }
  const double sigma = model.options().sigma;
  out.spread = copy((variance + sigma * sigma).sqrt());
  return out;
}

Calibrations calibrate(const Run& run, const data::BatchMaker& maker, const StopFlag* stop) {
  return calibrate(run, maker, data::split_parts(maker).validation, stop);
}

Calibrations calibrate(const Run& run, const data::BatchMaker& maker, const std::vector<std::int64_t>& systems,
                       const StopFlag* stop) {
  const ops::Context context = run.context.without_gradients();
  const ops::ContextScope scope(context);
  const bool forecast = maker.task().task == data::Task::kExtrapolate;
  const std::vector<data::Feature>& features = maker.dataset().description().features;
  const auto width = static_cast<std::int64_t>(features.size());
  const std::vector<double> damping = damping_of(run.info, maker);
  std::vector<Classical> kinds;
  for (const Classical kind : kAllClassical)
    if (kind != Classical::kDampedVelocity || !damping.empty()) kinds.push_back(kind);
  CalibrationFit model(width);
  std::vector<CalibrationFit> classical(kinds.size(), CalibrationFit(width));

  std::vector<std::int64_t> chosen;
  const auto count = static_cast<std::int64_t>(systems.size());
  for (std::int64_t i = 0; i < std::min(count, kSystems); ++i)
    chosen.push_back(systems[static_cast<std::size_t>(i * count / std::min(count, kSystems))]);
  for (std::int64_t draw = 0; draw <= (forecast ? kForecastDraws : 0); ++draw)
    for (std::size_t first = 0; first < chosen.size(); first += kBatch) {
      if (stop != nullptr && stop->requested()) throw Interrupted();
      const std::vector<std::int64_t> part(
          chosen.begin() + static_cast<std::ptrdiff_t>(first),
          chosen.begin() + static_cast<std::ptrdiff_t>(std::min(first + kBatch, chosen.size())));
      data::Batch raw = draw == 0 ? maker.make(part, data::View::kValidate)
                                  : maker.make(part, data::View::kTrain, kFirstDraw + draw,
                                               (kFirstDraw + draw) * count + static_cast<std::int64_t>(first));
      if (raw.systems() == 0 || !raw.asks_something()) continue;
      const model::BatchTensors batch = run.model->tensors(std::move(raw));
      const PathSpread path =
          path_spread(*run.model, batch, context, kSpreadSamples, static_cast<std::uint64_t>(draw + 1));
      model.add(batch.batch, forecast, path.mean.data(), path.spread.data());
      const std::vector<float> ones(path.mean.size(), 1.0F);
      for (std::size_t k = 0; k < kinds.size(); ++k)
        classical[k].add(
            batch.batch, forecast,
            predict_classical(kinds[k], batch.batch, features, maker.normalisation(), maker.clock().time_scale, damping)
                .data(),
            ones.data());
    }
  Calibrations out;
  out.model = model.fit();
  for (std::size_t k = 0; k < kinds.size(); ++k)
    out.classical.emplace_back(classical_name(kinds[k]), classical[k].fit());
  out.epoch = run.info.epoch, out.step = run.info.step, out.data = maker.dataset().description().name;
  return out;
}

}  // namespace lgode::eval
