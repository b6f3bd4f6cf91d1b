// The networks of `model` frames, and its dynamics.
#include "lgode/model/frames/model.h"

#include <cmath>
#include <vector>

#include "lgode/core/error.h"
#include "model/frames/plan.h"
#include "model/frames/solve.h"
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
  const auto inputs = static_cast<std::int64_t>(FramesGeometry::pair_signs(shape).size());
  if (sees_others()) declare_messages("pair", width, inputs);
  if (options.neighbours == Neighbours::kMoving) {
    declare_messages("message", state, inputs);
    parameters_.add("dynamics.message.weight", {hidden, width}, 1.0 / std::sqrt(static_cast<double>(width)));
  }
  declare("start", context, hidden, state);
  if (options.futures > 1) {
    declare("futures.start", context, hidden, state * pairs_of_futures());
    parameters_.add_linear("futures.score", pairs_of_futures(), context);
  }
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

void Frames::declare_messages(const std::string& name, std::int64_t sender, std::int64_t inputs) {
  const std::int64_t width = options_.encoder_width;
  parameters_.add(name + ".source.weight", {width, sender}, 1.0 / std::sqrt(static_cast<double>(inputs + sender)));
  declare(name, inputs, width, width);
  parameters_.add_linear(name + ".score", options_.heads, width);
  parameters_.add(name + ".fall", {options_.heads}, 0, kFall);
}

std::unique_ptr<Model> Frames::fresh() const {
  return std::make_unique<Frames>(options_, shape_, /*seed=*/1, dtype_, device_);
}

std::shared_ptr<const Rollout> Frames::prepare(const data::Batch& batch, const RolloutOptions& options,
                                               ops::Upload& upload) const {
  return plan_frames(shape_, options_, batch, options, dtype_, upload);
}

at::Tensor Frames::receive(const FramesRollout& plan, const std::string& name, const at::Tensor& from,
                           const at::Tensor& inputs, const at::Tensor& distance) const {
  const Parameters& p = parameters_;
  const std::int64_t objects = from.size(0), pairs = inputs.size(0), width = options_.encoder_width,
                     heads = options_.heads;
  // The first layer of [from_j | r_ij]: the part of j once per object.
  const at::Tensor sent = at::matmul(from, p[name + ".source.weight"].t());
  const at::Tensor own = ops::gather_rows(sent.reshape({objects, 2 * width}), plan.sources).view({pairs, 2, width});
  const at::Tensor first = at::silu(linear(p, name + ".layer1", inputs) + own);
  const at::Tensor message = linear(p, name + ".layer3", at::silu(linear(p, name + ".layer2", first)));
  const at::Tensor fall = at::softplus(p[name + ".fall"]);
  const at::Tensor score = (linear(p, name + ".score", message) - distance * fall).flatten(1);
  // A softmax with an empty slot of score 0: nobody need count, and a crowd weighs no more than a pair.
  const at::Tensor most = ops::segment_max(score, plan.offsets).clamp_min(0);
  const at::Tensor e = (score - ops::segment_expand(most, plan.offsets, pairs)).exp();
  const at::Tensor all = ops::segment_sum(e, plan.offsets) + most.neg().exp();
  const at::Tensor weighted = message.view({pairs, 2 * heads, width / heads}) * e.unsqueeze(2);
  const at::Tensor sum = ops::segment_sum(weighted.view({pairs, 2 * width}), plan.offsets);
  return (sum.view({objects, 2 * heads, width / heads}) / all.unsqueeze(2)).view({objects, 2, width});
}

// The inputs of FramesGeometry::append_pair(), of both images, which move on their own.
at::Tensor Frames::receive_now(const FramesRollout& plan, std::size_t k, const at::Tensor& w, const at::Tensor& x,
                               const at::Tensor& v) const {
  constexpr double kSoon = 8, kSlowClosing = 0.05, kTouching = 0.3, kLeast = 1e-3, kFarthest = 50, kFastest = 20,
                   kSmooth = 1e-12;
  const std::int64_t objects = x.size(0), pairs = plan.pair_inputs.size(0);
  const auto step = static_cast<std::int64_t>(k);
  const auto in_world = [&](const at::Tensor& own) {
    const at::Tensor u = own * plan.mirror;
    const at::Tensor turned = u.slice(2, 0, 1) * plan.first + u.slice(2, 1, 2) * plan.second;
    return axes_ == 3 ? at::cat({turned.slice(2, 0, 2), u.slice(2, 2, 3) * plan.framed_objects}, 2) : turned;
  };
  const at::Tensor state = at::cat({plan.places[step] + in_world(x), plan.velocities[step] + in_world(v)}, 2);
  const at::Tensor flat = state.view({objects, 4 * axes_});
  const at::Tensor apart = (ops::gather_rows(flat, plan.sources) - ops::segment_expand(flat, plan.offsets, pairs))
                               .view({pairs, 2, 2 * axes_});
  const auto axis = [&](const at::Tensor& of) {
    return ops::segment_expand(of.view({objects, axes_}), plan.offsets, pairs).unsqueeze(1);
  };
  const at::Tensor first = axis(plan.first), second = axis(plan.second);
  const auto size = [&](const at::Tensor& u) { return (u.square().sum(2, /*keepdim=*/true) + kSmooth).sqrt(); };
  const auto cut = [&](const at::Tensor& u, double most) { return u * (most / size(u).clamp_min(most)); };
  const auto in_frame = [&](const at::Tensor& u) {
    std::vector<at::Tensor> own{(u * first).sum(2, true), (u * second).sum(2, true)};
    if (axes_ == 3) own.push_back(u.slice(2, 2, 3));
    return at::cat(own, 2) * plan.mirror;
  };
  const at::Tensor r = apart.slice(2, 0, axes_) / plan.pair_length, u = cut(apart.slice(2, axes_), kFastest);
  const at::Tensor d = size(r).clamp_min(kLeast);
  const at::Tensor soon =
      ((r * u).sum(2, true).neg() * plan.pair_length / (u.square().sum(2, true) + kSlowClosing)).clamp(0, kSoon);
  std::vector<at::Tensor> inputs{in_frame(cut(r, kFarthest)) / 3,
                                 in_frame(u),
                                 1 / (d + kTouching),
                                 (d / -2).exp(),
                                 soon / 4,
                                 size(r + soon * u / plan.pair_length).neg().exp(),
                                 d.clamp_max(kFarthest) / 5};
  if (plan.types.defined()) inputs.push_back(plan.types);
  return receive(plan, "message", w, at::cat(inputs, 2), d * plan.listed);
}

at::Tensor Frames::starts(const FramesRollout& plan, const at::Tensor& z) const {
  const at::Tensor mean = mlp(parameters_, "start", z).unsqueeze(1);
  if (plan.futures == 0) return mean;
  const at::Tensor others = mlp(parameters_, "futures.start", z).view({z.size(0), 2, pairs_of_futures(), -1});
  return at::cat({mean, others.transpose(1, 2)}, 1);
}

at::Tensor Frames::solve(const FramesRollout& plan, const at::Tensor& z) const {
  const Parameters& p = parameters_;
  const at::Tensor fixed = linear(p, "dynamics.context", at::cat({z, plan.velocity}, 2)),
                   w = starts(plan, z);
  if (options_.neighbours == Neighbours::kMoving) {
    // Everybody's future of one number happens together.
    std::vector<at::Tensor> states;
    for (const at::Tensor& one : w.unbind(1)) states.push_back(solve_moving(plan, fixed, one));
    return at::stack(states, 1);
  }
  const at::Tensor& first = p["dynamics.layer1.weight"];
  const at::Tensor base = at::matmul(plan.base_velocity, first.slice(1, options_.state).t());
  return solve_alone({w, fixed + base, first, p["dynamics.layer2.weight"], p["dynamics.layer2.bias"],
                      p["dynamics.layer3.weight"], p["dynamics.layer3.bias"], plan.active, plan.step, axes_, others_});
}

at::Tensor Frames::solve_moving(const FramesRollout& plan, const at::Tensor& fixed, at::Tensor w) const {
  const Parameters& p = parameters_;
  at::Tensor x = at::zeros_like(plan.velocity), v = x;
  at::Tensor r = at::zeros({w.size(0), 2, others_}, w.options().requires_grad(false));
  std::vector<at::Tensor> states;
  for (std::size_t k = 0; k < plan.active.size(); ++k) {
    const std::int64_t n = plan.active[k];
    w = w.slice(0, 0, n), x = x.slice(0, 0, n), v = v.slice(0, 0, n), r = r.slice(0, 0, n);
    const at::Tensor in = at::cat({w, plan.base_velocity.slice(0, 0, n) + v}, 2);
    const at::Tensor sum = at::matmul(in, p["dynamics.layer1.weight"].t()) + fixed.slice(0, 0, n) +
                           at::matmul(receive_now(plan, k, w, x, v), p["dynamics.message.weight"].t());
    const at::Tensor out = linear(p, "dynamics.layer3", at::silu(linear(p, "dynamics.layer2", at::silu(sum))));
    const at::Tensor a = out.slice(2, 0, axes_), dr = out.slice(2, axes_, axes_ + others_),
                     dw = out.slice(2, axes_ + others_);
    states.push_back(at::cat({x, v, a, r, dr}, 2));
    x = x + plan.step * v + 0.5 * plan.step * plan.step * a;
    v = v + plan.step * a;
    r = r + plan.step * dr;
    w = w + plan.step * dw;
  }
  return at::cat(states);
}

at::Tensor Frames::turned_back(const FramesRollout& plan, const at::Tensor& states) const {
  const auto joined = [&](const at::Tensor& of) { return (of * plan.signs).sum(2); };
  const at::Tensor mean = joined(states.slice(1, 0, 1));
  if (plan.futures == 0) return mean;
  const std::int64_t whole = plan.futures / 2;  // pairs of which both images are futures
  const at::Tensor each = (states.slice(1, 1, 1 + whole) * (2 * plan.signs)).flatten(1, 2);
  if (plan.futures % 2 == 0) return at::cat({mean, each}, 1);
  return at::cat({mean, each, joined(states.slice(1, 1 + whole))}, 1);
}

at::Tensor Frames::scores(const BatchTensors& batch, const at::Tensor& z) const {
  const at::Tensor of_images = linear(parameters_, "futures.score", z).transpose(1, 2);  // [N, pairs, 2]
  const std::int64_t whole = options_.futures / 2;
  at::Tensor out = of_images.slice(1, 0, whole).flatten(1);
  if (options_.futures % 2 != 0) out = at::cat({out, of_images.slice(1, whole).mean(2)}, 1);
  if (options_.futures_of == FuturesOf::kObject) return out;
  const at::Tensor& offsets = batch.object_offsets;
  return ops::segment_expand(ops::segment_mean(out, offsets), offsets, out.size(0));
}

Paths Frames::paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& /*noise*/,
                    const Dropout& /*dropout*/) const {
  const auto* prepared = dynamic_cast<const FramesRollout*>(&rollout);
  TORCH_CHECK_VALUE(prepared != nullptr, "frames: the roll-out was prepared by a model of another kind");
  const FramesRollout& plan = *prepared;
  const std::int64_t targets = plan.base.size(0), all = 1 + plan.futures;
  Paths out;
  at::Tensor values = plan.base.unsqueeze(1).expand({targets, all, -1});  // [T, 1 + K, D]
  if (!plan.active.empty()) {
    const at::Tensor h = mlp(parameters_, "history", plan.history);
    const at::Tensor z =
        sees_others() ? at::cat({h, receive(plan, "pair", h, plan.pair_inputs, plan.distance)}, 2) : h;
    const at::Tensor states = turned_back(plan, solve(plan, z)).flatten(1);
    const at::Tensor read = ops::gather_rows(states, plan.readings).view({targets, all, -1});
    const at::Tensor s = plan.since.unsqueeze(1);
    const auto part = [&](std::int64_t from, std::int64_t to) { return read.slice(2, from, to); };
    const at::Tensor x = part(0, axes_), v = part(axes_, 2 * axes_), a = part(2 * axes_, 3 * axes_),
                     r = part(3 * axes_, 3 * axes_ + others_), dr = part(3 * axes_ + others_, read.size(2));
    const auto in_world = [&](const at::Tensor& own) {
      at::Tensor world =
          own.slice(2, 0, 1) * plan.back_first.unsqueeze(1) + own.slice(2, 1, 2) * plan.back_second.unsqueeze(1);
      if (axes_ == 3) world = at::cat({world.slice(2, 0, 2), own.slice(2, 2, 3)}, 2);
      return world;
    };
    const at::Tensor moved = at::cat({in_world(x + s * v + 0.5 * s * s * a), in_world(v + s * a), r + s * dr}, 2);
    values = values + at::matmul(moved * plan.framed.unsqueeze(1), plan.to_features);
    if (plan.futures > 0) out.scores = scores(batch, z);
  } else if (plan.futures > 0) {
    out.scores = at::zeros({plan.history.size(0), plan.futures}, plan.base.options());
  }
  if (plan.futures > 0) out.futures = values.slice(1, 1).transpose(0, 1);
  out.values = values.select(1, 0).unsqueeze(0).expand({plan.samples, targets, values.size(2)});
  out.seen = plan.seen.defined() ? plan.seen.unsqueeze(0).expand({plan.samples, plan.seen.size(0), plan.seen.size(1)})
                                 : at::Tensor();
  return out;
}

}  // namespace lgode::model
