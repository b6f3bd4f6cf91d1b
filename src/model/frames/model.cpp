// The networks of `model` frames, and its dynamics.
#include "lgode/model/frames/model.h"

#include <cmath>
#include <vector>

#include "lgode/core/error.h"
#include "model/frames/plan.h"
#include "model/layers.h"

namespace lgode::model {
namespace {

constexpr double kFall = -1.05;  // softplus: 0.3 per pair length

at::Tensor mlp(const Parameters& p, const std::string& name, const at::Tensor& x) {
  const at::Tensor hidden = at::silu(linear(p, name + ".layer2", at::silu(linear(p, name + ".layer1", x))));
  return linear(p, name + ".layer3", hidden);
}

}  // namespace

Frames::Frames(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype,
               at::Device device)
    : Model(options, shape, dtype, device) {
  if (!shape.forecast)
    throw ConfigError("`model` frames makes forecasts only: use `task` extrapolate, or `model` assimilate");
  TORCH_CHECK_VALUE(shape.frames.has_value(), "frames: the shape lacks what the model takes from its data");
  const FramesShape& frames = *shape.frames;
  const std::int64_t width = options.encoder_width, hidden = options.hidden, state = options.state;
  axes_ = static_cast<std::int64_t>(frames.positions.size());
  others_ = static_cast<std::int64_t>(FramesColumns(frames).others.size());
  declare("history", static_cast<std::int64_t>(FramesGeometry::history_signs(frames).size()), width, width);
  const std::int64_t context = sees_others() ? 2 * width : width;
  if (sees_others()) {
    const auto inputs = static_cast<std::int64_t>(FramesGeometry::pair_signs(shape).size());
    const double bound = 1.0 / std::sqrt(static_cast<double>(inputs + width));
    parameters_.add("pair.source.weight", {width, width}, bound);
    declare("pair", inputs, width, width);
    parameters_.add_linear("pair.score", options.heads, width);
    parameters_.add("pair.fall", {options.heads}, 0, kFall);
  }
  declare("start", context, hidden, state);
  parameters_.add_linear("dynamics.context", hidden, context + axes_);
  parameters_.add("dynamics.layer1.weight", {hidden, state + axes_},
                  1.0 / std::sqrt(static_cast<double>(state + context + 2 * axes_)));
  parameters_.add_linear("dynamics.layer2", hidden, hidden);
  parameters_.add("dynamics.layer3.weight", {axes_ + others_ + state, hidden}, 0, 0);
  parameters_.add("dynamics.layer3.bias", {axes_ + others_ + state}, 0, 0);
  parameters_.finish(dtype, device, seed);
}

void Frames::declare(const std::string& name, std::int64_t inputs, std::int64_t hidden, std::int64_t outputs) {
  parameters_.add_linear(name + ".layer1", hidden, inputs);
  parameters_.add_linear(name + ".layer2", hidden, hidden);
  parameters_.add_linear(name + ".layer3", outputs, hidden);
}

std::unique_ptr<Model> Frames::fresh() const {
  return std::make_unique<Frames>(options_, shape_, /*seed=*/1, dtype_, device_);
}

std::shared_ptr<const Rollout> Frames::prepare(const data::Batch& batch, const RolloutOptions& options,
                                               ops::Upload& upload) const {
  return plan_frames(shape_, options_, batch, options, dtype_, upload);
}

at::Tensor Frames::neighbours(const FramesRollout& plan, const at::Tensor& h) const {
  const Parameters& p = parameters_;
  const std::int64_t objects = h.size(0), pairs = plan.pair_inputs.size(0), width = h.size(2), heads = options_.heads;
  // The first layer of [h_j | r_ij]: the part of h_j once per object.
  const at::Tensor sent = at::matmul(h, p["pair.source.weight"].t());
  const at::Tensor from = ops::gather_rows(sent.reshape({objects, 2 * width}), plan.sources).view({pairs, 2, width});
  const at::Tensor first = at::silu(linear(p, "pair.layer1", plan.pair_inputs) + from);
  const at::Tensor message = linear(p, "pair.layer3", at::silu(linear(p, "pair.layer2", first)));
  const at::Tensor fall = at::softplus(p["pair.fall"]);
  const at::Tensor score = (linear(p, "pair.score", message) - (plan.distance * fall).unsqueeze(1)).flatten(1);
  // A softmax with an empty slot of score 0: nobody need count, and a crowd weighs no more than a pair.
  const at::Tensor most = ops::segment_max(score, plan.offsets).clamp_min(0);
  const at::Tensor e = (score - ops::segment_expand(most, plan.offsets, pairs)).exp();
  const at::Tensor all = ops::segment_sum(e, plan.offsets) + most.neg().exp();
  const at::Tensor weighted = message.view({pairs, 2 * heads, width / heads}) * e.unsqueeze(2);
  const at::Tensor sum = ops::segment_sum(weighted.view({pairs, 2 * width}), plan.offsets);
  return (sum.view({objects, 2 * heads, width / heads}) / all.unsqueeze(2)).view({objects, 2, width});
}

at::Tensor Frames::solve(const FramesRollout& plan, const at::Tensor& z) const {
  const Parameters& p = parameters_;
  const at::Tensor fixed = linear(p, "dynamics.context", at::cat({z, plan.velocity}, 2));
  at::Tensor w = mlp(p, "start", z);
  at::Tensor x = at::zeros_like(plan.velocity), v = x;
  at::Tensor r = at::zeros({z.size(0), 2, others_}, z.options().requires_grad(false));
  std::vector<at::Tensor> states;
  for (const std::int64_t n : plan.active) {
    w = w.slice(0, 0, n), x = x.slice(0, 0, n), v = v.slice(0, 0, n), r = r.slice(0, 0, n);
    const at::Tensor in = at::cat({w, plan.base_velocity.slice(0, 0, n) + v}, 2);
    const at::Tensor first = at::silu(at::matmul(in, p["dynamics.layer1.weight"].t()) + fixed.slice(0, 0, n));
    const at::Tensor out = linear(p, "dynamics.layer3", at::silu(linear(p, "dynamics.layer2", first)));
    const at::Tensor a = out.slice(2, 0, axes_), dr = out.slice(2, axes_, axes_ + others_),
                     dw = out.slice(2, axes_ + others_);
    // Mirror images are turned back and averaged.
    states.push_back((at::cat({x, v, a, r, dr}, 2) * plan.signs).sum(1));
    x = x + plan.step * v + 0.5 * plan.step * plan.step * a;
    v = v + plan.step * a;
    r = r + plan.step * dr;
    w = w + plan.step * dw;
  }
  return at::cat(states);
}

Paths Frames::paths(const BatchTensors& /*batch*/, const Rollout& rollout, const at::Tensor& /*noise*/,
                    const Dropout& /*dropout*/) const {
  const auto* prepared = dynamic_cast<const FramesRollout*>(&rollout);
  TORCH_CHECK_VALUE(prepared != nullptr, "frames: the roll-out was prepared by a model of another kind");
  const FramesRollout& plan = *prepared;
  Paths out;
  at::Tensor values = plan.base;
  if (!plan.active.empty()) {
    const at::Tensor h = mlp(parameters_, "history", plan.history);
    const at::Tensor states = solve(plan, sees_others() ? at::cat({h, neighbours(plan, h)}, 2) : h);
    const at::Tensor read = ops::gather_rows(states, plan.readings), &s = plan.since;
    const at::Tensor x = read.slice(1, 0, axes_), v = read.slice(1, axes_, 2 * axes_),
                     a = read.slice(1, 2 * axes_, 3 * axes_), r = read.slice(1, 3 * axes_, 3 * axes_ + others_),
                     dr = read.slice(1, 3 * axes_ + others_);
    const auto turned_back = [&](const at::Tensor& own) {
      at::Tensor world = own.slice(1, 0, 1) * plan.back_first + own.slice(1, 1, 2) * plan.back_second;
      if (axes_ == 3) world = at::cat({world.slice(1, 0, 2), own.slice(1, 2, 3)}, 1);
      return world;
    };
    const at::Tensor moved = at::cat({turned_back(x + s * v + 0.5 * s * s * a), turned_back(v + s * a), r + s * dr}, 1);
    values = plan.base + at::matmul(moved * plan.framed, plan.to_features);
  }
  out.values = values.unsqueeze(0).expand({plan.samples, values.size(0), values.size(1)});
  out.seen = plan.seen.defined() ? plan.seen.unsqueeze(0).expand({plan.samples, plan.seen.size(0), plan.seen.size(1)})
                                 : at::Tensor();
  return out;
}

}  // namespace lgode::model
