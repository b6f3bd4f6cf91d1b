// The cell unrolled over a batch: jumps from the encoder's vectors, one solve, and the bridged path.
#include "lgode/model/assimilate/model.h"

#include <utility>

#include "lgode/ops/segment.h"
#include "model/assimilate/plan.h"

namespace lgode::model {
namespace {

// The observations that count in the posterior at the start of a forecast, unless all do.
Recent recent(const data::Batch& batch, double memory, ops::Upload& upload) {
  std::vector<std::int64_t> rows, offsets{0};
  std::vector<double> times;
  for (std::int64_t i = 0; i < batch.objects(); ++i) {
    for (std::int64_t m = batch.observation_offsets[i]; m < batch.observation_offsets[i + 1]; ++m)
      if (!outlasts(-batch.observation_times[m], memory))
        rows.push_back(m), times.push_back(batch.observation_times[m]);
    offsets.push_back(static_cast<std::int64_t>(rows.size()));
  }
  if (static_cast<std::int64_t>(rows.size()) == batch.observations()) return {};
  return {upload(rows), upload(times), upload(offsets)};
}

}  // namespace

Assimilate::Assimilate(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype,
                       at::Device device)
    : Model(options, shape, dtype, device), cell_(options, shape), futures_(options) {
  cell_.declare(parameters_);
  futures_.declare(parameters_);
  parameters_.finish(dtype_, device_, seed);
  cell_.initialise(parameters_);
}

std::unique_ptr<Model> Assimilate::fresh() const {
  return std::make_unique<Assimilate>(options_, shape_, /*seed=*/1, dtype_, device_);
}

bool Assimilate::takes_padded(ops::Precision precision) const {
  return !device_.is_cpu() && dtype_ == at::kFloat &&
         cell_.dynamics().is_fused_on(device_, precision, /*gradients=*/true, cell_.precise()) &&
         cell_.encoder().takes_padded(device_);
}

BatchTensors Assimilate::tensors(data::Batch batch, ops::Shapes shapes, ops::Upload& upload) const {
  BatchTensors out =
      to_tensors(std::move(batch), {shape_.append_mask, shape_.window, cell_.direction(), dtype_, shapes}, upload);
  cell_.encoder().prepare(out, upload);
  out.recent = recent(out.batch, shape_.memory, upload);
  return out;
}

Dropout Assimilate::dropout(const BatchTensors& batch, const DropoutKey& key, ops::Upload& upload) const {
  return cell_.encoder().dropout(batch, key, upload);
}

std::shared_ptr<const Rollout> Assimilate::prepare(const data::Batch& batch, const RolloutOptions& options,
                                                   ops::Upload& upload) const {
  RolloutOptions all = options;
  all.samples += futures_.count(options);
  const auto out = plan_assimilation(cell_, batch, all, dtype_, upload);
  out->samples = options.samples, out->futures = futures_.count(options);
  return out;
}

AssimilationCell::Jump Assimilate::jumps(const AssimilatingRollout& plan, const at::Tensor& gain,
                                         const Encoding& encoding, const at::Tensor& zeta) const {
  auto [keep, add] = cell_.jump(parameters_, encoding.h, plan.values, plan.mask, gain);
  if (shape_.forecast) keep = keep * (1 - plan.first);  // an object enters: nothing is kept
  keep = keep.repeat({plan.paths(), 1}), add = add.repeat({plan.paths(), 1});
  if (!shape_.forecast) return {keep, add};
  const at::Tensor start = cell_.start(parameters_, zeta);
  add = add + ops::gather_rows(start, plan.object) * plan.at_start;
  return {at::cat({keep, at::ones_like(start)}), at::cat({add, start})};
}

void Assimilate::leave_base() {
  const at::NoGradGuard no_grad;
  if (shape_.base) parameters_["base"].zero_();
}

Paths Assimilate::paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
                        const Dropout& dropout) const {
  const auto* plan = dynamic_cast<const AssimilatingRollout*>(&rollout);
  TORCH_CHECK_VALUE(plan != nullptr, "assimilate: the roll-out was prepared by a model of another kind");
  const std::int64_t samples = plan->samples, all = plan->paths(), features = shape_.features;
  const Encoding encoding = cell_.encoder()(parameters_, batch, dropout);
  const at::Tensor zeta = futures_.starts(parameters_, encoding, *plan, noise);
  const at::Tensor gain = cell_.gain(parameters_, plan->mask, plan->first_values);
  const AssimilationCell::Jump jump = jumps(*plan, gain, encoding, zeta);
  const at::Tensor start =
      shape_.forecast ? at::zeros({zeta.size(0), cell_.width()}, zeta.options()) : cell_.start(parameters_, zeta);
  const ode::Trajectory path =
      ops::assimilating_rk(ops::gather_rows(start, plan->from), cell_.dynamics().weights(parameters_), plan->pairs,
                           plan->plan, ode::tableau(options_.solver), {plan->events, jump.keep, jump.add},
                           {options_.gradient, options_.impl, plan->precision, plan->spare});
  Paths out;
  out.mu = encoding.mu, out.sigma = encoding.sigma;
  const auto keep = [&](const at::Tensor& values) {
    out.values = values.slice(0, 0, samples);
    if (plan->futures == 0) return;
    out.futures = values.slice(0, samples), out.scores = futures_.scores(parameters_, encoding, batch.object_offsets);
  };
  const at::Tensor read = ops::read(path, plan->readings, features);
  const at::Tensor at_targets = read.slice(0, 0, plan->target_readings).view({all, -1, features});
  const at::Tensor shift = plan->offset.defined() ? plan->offset * cell_.share(parameters_) : at::Tensor();  // [T, D]
  const auto shifted = [&](const at::Tensor& values) { return shift.defined() ? values + shift : values; };
  if (shape_.forecast) keep(shifted(at_targets));
  if (shape_.forecast && !plan->read_seen) return out;
  // R = y after the jump - y before it   [S, M, D]
  const at::Tensor before = ops::gather_rows(path.states.flatten(0, 1), plan->before).slice(1, 0, features);
  const at::Tensor residual = (plan->values.repeat({all, 1}) - before) * gain.repeat({all, 1});
  if (plan->read_seen) out.seen = (before + residual).view({all, -1, features}).slice(0, 0, samples);
  if (shape_.forecast) return out;
  // The base path stands for a bridged one: what is added to that is added before bridging, too.
  out.unbridged = shifted(at_targets).slice(0, 0, samples);
  const std::int64_t targets = plan->target_readings;
  const bool lagged = read.size(0) > targets;
  keep(shifted(plan->bridge(
      at_targets, residual.view({all, -1, features}),
      lagged ? plan->bridge.deviations(before, read.slice(0, 0, targets), read.slice(0, targets)) : at::Tensor())));
  return out;
}

}  // namespace lgode::model
