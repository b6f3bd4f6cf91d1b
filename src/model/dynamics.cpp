#include "lgode/model/dynamics.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lgode::model {
namespace {

std::string message_name(std::int64_t network) { return "dynamics.message" + std::to_string(network); }

// A list of pairs while it grows.
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
  layout.samples = samples;
  layout.row_offsets.push_back(0);
  layout.row_of.resize(static_cast<std::size_t>(samples * batch.objects()));
  const std::vector<double> horizons = batch.horizons();
  for (std::int64_t b = 0; b < batch.systems(); ++b)
    for (std::int64_t s = 0; s < samples; ++s) {
      for (std::int64_t i = batch.object_offsets[b]; i < batch.object_offsets[b + 1]; ++i) {
        layout.row_of[s * batch.objects() + i] = static_cast<std::int64_t>(layout.object.size());
        layout.object.push_back(i);
      }
      layout.row_offsets.push_back(static_cast<std::int64_t>(layout.object.size()));
      layout.horizons.push_back(horizons[b]);
    }
  return layout;
}

Dynamics::Dynamics(const ModelOptions& options, std::int64_t relation_types)
    : options_(options), networks_(relation_types + (options.interaction == Interaction::kAll ? 1 : 0)) {
  if (options.ode == OdeKind::kIndependent) std::swap(networks_, skipped_);
}

void Dynamics::declare(Parameters& p) const {
  const std::int64_t width = options_.latent + options_.augment, hidden = options_.hidden;
  for (std::int64_t r = 0; r < networks_; ++r) {
    p.add_linear(message_name(r) + ".layer1", hidden, 2 * width);
    p.add_linear(message_name(r) + ".layer2", hidden, hidden);
  }
  p.skip(static_cast<std::uint64_t>(4 * skipped_));
  p.add_linear("dynamics.object.layer1", hidden, networks_ > 0 ? width + hidden : width);
  p.add_linear("dynamics.object.layer2", hidden, hidden);
  p.add_linear("dynamics.object.layer3", width, hidden);
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
    // dz_i/dt = MLP_o(z_i): the operator's form, with a message network that nothing goes through.
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

std::vector<at::Tensor> Rollout::on_device() const {
  std::vector<at::Tensor> all = ops::tensors_on_device(pairs);
  all.push_back(from);
  if (readings) {
    const std::vector<at::Tensor> more = readings->on_device();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

std::vector<std::int64_t> Rollout::sizes() const {
  std::vector<std::int64_t> all = ops::sizes_on_device(pairs);
  all.insert(all.end(), {layout.samples, layout.rows(), static_cast<std::int64_t>(rows.size())});
  return all;
}

bool Dynamics::is_fused_on(at::Device device) const {
  return !ode::is_adaptive(options_.solver) &&
         ops::has_fused_solve(device, std::max<std::int64_t>(networks_, 1), options_.latent + options_.augment,
                              options_.hidden, ode::tableau(options_.solver), options_.gradient, options_.impl,
                              options_.precision);
}

Rollout Dynamics::prepare(const data::Batch& batch, std::int64_t samples, const at::TensorOptions& options,
                          ops::Shapes shapes) const {
  Rollout out;
  out.layout = RowLayout::make(batch, samples);
  const RowLayout& layout = out.layout;
  std::vector<std::int64_t> from(layout.object.size());
  for (std::size_t k = 0; k < layout.row_of.size(); ++k) from[layout.row_of[k]] = static_cast<std::int64_t>(k);
  out.from = at::tensor(from, at::TensorOptions(at::kLong)).to(options.device());
  const std::int64_t targets = ops::size_of(batch.targets(), shapes);
  out.rows.reserve(static_cast<std::size_t>(samples * targets));
  out.times.reserve(out.rows.capacity());
  for (std::int64_t s = 0; s < samples; ++s) {
    for (std::int64_t i = 0; i < batch.objects(); ++i)
      for (std::int64_t t = batch.target_offsets[i]; t < batch.target_offsets[i + 1]; ++t) {
        out.rows.push_back(layout.row_of[s * batch.objects() + i]);
        out.times.push_back(batch.target_times[t]);
      }
    // Padding reads anything, of different rows: their gradients, which are zero, are added at different places.
    for (std::int64_t t = batch.targets(); t < targets; ++t) {
      out.rows.push_back(t % layout.rows());
      out.times.push_back(0.0);
    }
  }
  if (!ode::is_adaptive(options_.solver)) {
    out.plan = options_.grid == Grid::kUnion ? ode::union_plan(layout.row_offsets, batch.target_times, options_.refine)
                                             : ode::fixed_plan(layout.row_offsets, layout.horizons, options_.step);
    out.readings = ops::locate(*out.plan, out.rows, out.times, ode::tableau(options_.solver), options);
  } else {
    out.plan = ode::StepPlan{layout.row_offsets, std::vector<std::vector<double>>(layout.horizons.size(), {0.0})};
  }
  out.pairs = ops::to_device(pairs(batch, layout, c10::typeMetaToScalarType(options.dtype())), *out.plan,
                             options.device(), shapes);
  out.fused_on_gpu = out.pairs.tiles != nullptr && is_fused_on(options.device());
  return out;
}

at::Tensor Dynamics::operator()(const Parameters& parameters, const Rollout& rollout, const at::Tensor& z0) const {
  const at::Tensor start = at::constant_pad_nd(z0, {0, options_.augment});
  const ops::DynamicsWeights w = weights(parameters);
  const ode::Tableau& rule = ode::tableau(options_.solver);
  if (!ode::is_adaptive(options_.solver)) {
    // Only training may round: results are float32.
    const ops::Precision precision = at::GradMode::is_enabled() ? options_.precision : ops::Precision::kFloat32;
    return ops::read(
        ops::graph_rk(start, w, rollout.pairs, *rollout.plan, rule, options_.gradient, options_.impl, precision),
        *rollout.readings, options_.latent);
  }
  const ode::Tolerance tolerance{options_.rtol, options_.atol, options_.max_solver_steps};
  const ode::Trajectory path =
      ode::solve_adaptive(ops::make_graph_field(w, rollout.pairs, options_.impl), start, rollout.layout.row_offsets,
                          rollout.layout.horizons, rule, tolerance, options_.gradient);
  return ode::read(path, rollout.rows, rollout.times, options_.latent);
}

}  // namespace lgode::model
