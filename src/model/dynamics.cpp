// The graph ODE of a batch: prepares rows, pairs, steps and readings, then solves. The field itself (Eq. 10) and the
// solver are operators of src/ops and src/ode.
#include "lgode/model/dynamics.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "lgode/ode/reading_runs.h"
#include "lgode/ops/segment.h"

namespace lgode::model {
namespace {

std::string message_name(std::int64_t network) { return "dynamics.message" + std::to_string(network); }

// A list of pairs under construction.
struct PairList {
  std::vector<std::int64_t> target, source, before{0};
  std::vector<double> weight;
  bool weighted = false;

  void add(std::int64_t to, std::int64_t from, double w) {
    target.push_back(to);
    source.push_back(from);
    weight.push_back(w);
    weighted = weighted || w != 1.0;
  }
};

}  // namespace

RowLayout RowLayout::make(const data::Batch& batch, std::int64_t samples) {
  RowLayout layout;
  layout.row_offsets.push_back(0);
  layout.row_of.resize(static_cast<std::size_t>(samples * batch.objects()));
  for (std::int64_t b = 0; b < batch.systems(); ++b)
    for (std::int64_t s = 0; s < samples; ++s) {
      for (std::int64_t i = batch.object_offsets[b]; i < batch.object_offsets[b + 1]; ++i) {
        layout.row_of[s * batch.objects() + i] = static_cast<std::int64_t>(layout.object.size());
        layout.object.push_back(i);
      }
      layout.row_offsets.push_back(static_cast<std::int64_t>(layout.object.size()));
    }
  return layout;
}

std::vector<std::int64_t> RowLayout::from() const {
  std::vector<std::int64_t> from(object.size());
  for (std::size_t k = 0; k < row_of.size(); ++k) from[row_of[k]] = static_cast<std::int64_t>(k);
  return from;
}

Dynamics::Dynamics(const ModelOptions& options, std::int64_t relation_types)
    : options_(options),
      networks_(options.ode == OdeKind::kIndependent
                    ? 0
                    : relation_types + (options.interaction == Interaction::kAll ? 1 : 0)) {}

void Dynamics::declare(Parameters& p, bool start_at_zero) const {
  const std::int64_t width = options_.latent + options_.augment, hidden = options_.hidden;
  for (std::int64_t r = 0; r < networks_; ++r) {
    p.add_linear(message_name(r) + ".layer1", hidden, 2 * width);
    p.add_linear(message_name(r) + ".layer2", hidden, hidden);
  }
  p.add_linear("dynamics.object.layer1", hidden, networks_ > 0 ? width + hidden : width);
  p.add_linear("dynamics.object.layer2", hidden, hidden);
  if (start_at_zero) {
    p.add("dynamics.object.layer3.weight", {width, hidden}, 0.0);
    p.add("dynamics.object.layer3.bias", {width}, 0.0);
  } else {
    p.add_linear("dynamics.object.layer3", width, hidden);
  }
}

ops::DynamicsWeights Dynamics::weights(const Parameters& p) const {
  ops::DynamicsWeights w;
  for (std::int64_t r = 0; r < networks_; ++r) {
    const std::string name = message_name(r);
    w.messages.push_back(
        {p[name + ".layer1.weight"], p[name + ".layer1.bias"], p[name + ".layer2.weight"], p[name + ".layer2.bias"]});
  }
  w.w1 = p["dynamics.object.layer1.weight"];
  if (networks_ == 0) {
    // dz_i/dt = MLP_o(z_i): Eq. 10 without pairs. The operator expects a message network, so it gets one of zeros.
    const std::int64_t state = w.w1.size(1), hidden = w.w1.size(0);
    auto zeros = [&](at::IntArrayRef shape) { return at::zeros(shape, w.w1.options().requires_grad(false)); };
    w.messages.push_back({zeros({hidden, 2 * state}), zeros({hidden}), zeros({hidden, hidden}), zeros({hidden})});
    w.w1 = at::constant_pad_nd(w.w1, {0, hidden});
  }
  w.b1 = p["dynamics.object.layer1.bias"];
  w.w2 = p["dynamics.object.layer2.weight"], w.b2 = p["dynamics.object.layer2.bias"];
  w.w3 = p["dynamics.object.layer3.weight"], w.b3 = p["dynamics.object.layer3.bias"];
  return w;
}

ops::PairGraph Dynamics::pairs(const data::Batch& batch, const RowLayout& layout, at::ScalarType dtype) const {
  std::vector<PairList> lists(static_cast<std::size_t>(std::max<std::int64_t>(networks_, 1)));
  std::vector<bool> related;
  for (std::size_t copy = 0; copy + 1 < layout.row_offsets.size(); ++copy) {
    const std::int64_t begin = layout.row_offsets[copy], end = layout.row_offsets[copy + 1];
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t object = layout.object[row], shift = row - object;
      // Eq. 10: related pairs use the network of their relation type, all other pairs the last network.
      related.assign(static_cast<std::size_t>(end - begin), false);
      for (std::int64_t e = batch.relation_offsets[object]; networks_ > 0 && e < batch.relation_offsets[object + 1];
           ++e) {
        const std::int64_t source = batch.relation_sources[e] + shift;
        lists[batch.relation_types[e]].add(row, source, batch.relation_weights[e]);
        related[source - begin] = true;
      }
      if (networks_ > 0 && options_.interaction == Interaction::kAll)
        for (std::int64_t source = begin; source < end; ++source)
          if (source != row && !related[source - begin]) lists.back().add(row, source, 1.0);
      for (PairList& list : lists) list.before.push_back(static_cast<std::int64_t>(list.target.size()));
    }
  }
  ops::PairGraph out;
  out.rows = layout.rows();
  const at::TensorOptions index(at::kLong);
  for (PairList& list : lists) {
    ops::PairGraph::List l;
    l.target = at::tensor(list.target, index);
    l.source = at::tensor(list.source, index);
    l.target_offsets = at::tensor(list.before, index);
    if (list.weighted) l.weight = at::tensor(list.weight, at::TensorOptions(dtype)).unsqueeze(1);
    l.pairs_before = std::move(list.before);
    out.lists.push_back(std::move(l));
  }
  return out;
}

ops::SolveKind Dynamics::kind(ops::Precision precision, bool gradients, bool beside) const {
  return {precision, options_.gradient, gradients, options_.grid == Grid::kUnion, beside};
}

bool Dynamics::is_fused_on(at::Device device, ops::Precision precision, bool gradients, std::int64_t precise) const {
  return !ode::is_adaptive(options_.solver) &&
         ops::has_fused_solve(device, std::max<std::int64_t>(networks_, 1),
                              {options_.latent + options_.augment, options_.hidden}, ode::tableau(options_.solver),
                              kind(precision, gradients), options_.impl, precise);
}

OdeRollout Dynamics::prepare(const data::Batch& batch, const RolloutOptions& options, at::ScalarType dtype,
                             ops::Upload& upload) const {
  OdeRollout out;
  out.samples = options.samples;
  out.precision = options.precision, out.spare = options.spare;
  out.layout = RowLayout::make(batch, options.samples);
  const RowLayout& layout = out.layout;
  out.from = upload(layout.from());
  out.targets = ops::size_of(batch.targets(), options.shapes);
  out.seen = options.read_seen ? ops::size_of(batch.observations(), options.shapes) : 0;

  TimeDirection all;  // times with their signs
  all.rows.reserve(static_cast<std::size_t>(options.samples * (out.targets + out.seen)));
  all.times.reserve(all.rows.capacity());
  auto add = [&](std::int64_t sample, const std::vector<std::int64_t>& offsets, const std::vector<double>& times,
                 std::int64_t padded) {
    for (std::int64_t i = 0; i < batch.objects(); ++i)
      all.rows.insert(all.rows.end(), static_cast<std::size_t>(offsets[i + 1] - offsets[i]),
                      layout.row_of[sample * batch.objects() + i]);
    all.times.insert(all.times.end(), times.begin(), times.end());
    // Padding reads different rows, so that adding its gradients, which are zero, does not collide.
    for (std::int64_t t = offsets.back(); t < padded; ++t) all.rows.push_back(t % layout.rows());
    all.times.resize(all.rows.size(), 0.0);
  };
  for (std::int64_t s = 0; s < options.samples; ++s) {
    add(s, batch.target_offsets, batch.target_times, out.targets);
    if (options.read_seen) add(s, batch.observation_offsets, batch.observation_times, out.seen);
  }
  if (std::all_of(all.times.begin(), all.times.end(), [](double t) { return t >= 0; })) {
    out.ahead = std::move(all);
  } else {
    out.back.emplace();
    const auto ahead = std::count_if(all.times.begin(), all.times.end(), [](double t) { return t >= 0; });
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
      TimeDirection& to = all.times[i] < 0 ? *out.back : out.ahead;
      order.push_back(static_cast<std::int64_t>(to.rows.size()) + (all.times[i] < 0 ? ahead : 0));
      to.rows.push_back(all.rows[i]);
      to.times.push_back(std::abs(all.times[i]));
    }
    out.order = upload(order);
    plan(*out.back, batch, out, dtype, options, upload);
  }
  plan(out.ahead, batch, out, dtype, options, upload);
  upload.shaped_by(options.samples);
  upload.shaped_by(layout.rows());
  out.fixed_launches = out.ahead.pairs.tiles != nullptr && (!out.back || out.back->pairs.tiles != nullptr) &&
                       is_fused_on(upload.device(), options.precision, options.gradients);
  return out;
}

void Dynamics::plan(TimeDirection& d, const data::Batch& batch, const OdeRollout& rollout, at::ScalarType dtype,
                    const RolloutOptions& options, ops::Upload& upload) const {
  const std::vector<std::int64_t>& offsets = rollout.layout.row_offsets;
  d.horizons.assign(offsets.size() - 1, 0.0);
  std::vector<std::size_t> copy_of(static_cast<std::size_t>(rollout.layout.rows()));
  for (std::size_t copy = 0; copy + 1 < offsets.size(); ++copy)
    std::fill(copy_of.begin() + offsets[copy], copy_of.begin() + offsets[copy + 1], copy);
  double latest = 0;
  ode::for_each_run(d.rows, d.times, [&](const ode::ReadingRun& run) {
    if (!run.again)
      latest = std::max(0.0, *std::max_element(d.times.begin() + static_cast<std::ptrdiff_t>(run.begin),
                                               d.times.begin() + static_cast<std::ptrdiff_t>(run.end)));
    double& horizon = d.horizons[copy_of[d.rows[run.begin]]];
    horizon = std::max(horizon, latest);
  });
  if (!ode::is_adaptive(options_.solver)) {
    d.plan = options_.grid == Grid::kUnion ? ode::union_plan(offsets, d.times, options_.refine)
                                           : ode::fixed_plan(offsets, d.horizons, options_.step);
    d.readings = ops::locate(d.plan, d.rows, d.times, ode::tableau(options_.solver), dtype, upload);
  } else {
    d.plan = ode::StepPlan{offsets, std::vector<std::vector<double>>(d.horizons.size(), {0.0})};
  }
  d.pairs = ops::to_device(pairs(batch, rollout.layout, dtype), d.plan, upload, options.shapes,
                           {options_.latent + options_.augment, options_.hidden}, nullptr,
                           kind(options.precision, options.gradients, options.beside));
}

at::Tensor Dynamics::solve(const TimeDirection& d, const ops::DynamicsWeights& weights, const OdeRollout& rollout,
                           const at::Tensor& start) const {
  const ode::Tableau& rule = ode::tableau(options_.solver);
  if (!ode::is_adaptive(options_.solver))
    return ops::read(ops::graph_rk(start, weights, d.pairs, d.plan, rule,
                                   {options_.gradient, options_.impl, rollout.precision, rollout.spare,
                                    options_.grid == Grid::kUnion}),
                     *d.readings, options_.latent);
  const ode::Tolerance tolerance{options_.rtol, options_.atol, options_.max_solver_steps};
  const ode::Trajectory path =
      ode::solve_adaptive(ops::make_graph_field(weights, d.pairs, options_.impl), start, rollout.layout.row_offsets,
                          d.horizons, rule, tolerance, options_.gradient);
  return ode::read(path, d.rows, d.times, options_.latent);
}

at::Tensor Dynamics::operator()(const Parameters& parameters, const OdeRollout& rollout, const at::Tensor& z0) const {
  // Eq. 8: z^0, .., z^T = ODESolve(g, z^0, times), with the augmentation at zero.
  const at::Tensor start = at::constant_pad_nd(z0, {0, options_.augment});
  const ops::DynamicsWeights w = weights(parameters);
  const at::Tensor ahead = solve(rollout.ahead, w, rollout, start);
  if (!rollout.back) return ahead;
  return ops::gather_rows(at::cat({ahead, solve(*rollout.back, ops::reversed(w), rollout, start)}, 0), rollout.order);
}

}  // namespace lgode::model
