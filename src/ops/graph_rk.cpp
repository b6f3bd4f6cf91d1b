// Checks the arguments of the graph ODE's operators and picks the implementation: reference, node by node, or the
// fused solve of the device. graph_rk() is the ODESolve of Eq. 8.
#include "lgode/ops/graph_rk.h"

#include <optional>
#include <utility>

#include "ops/assimilating_rk.h"
#include "ops/cpu/graph_rk.h"
#include "ops/cuda/graph_rk.h"
#include "ops/graph_field.h"

namespace lgode::ops {
namespace {

void check(const at::Tensor& z, const DynamicsWeights& w, const PairGraph& pairs) {
  TORCH_CHECK_VALUE(z.dim() == 2 && z.size(0) <= pairs.rows,
                    "graph_field: expected a state [m, Z] with m <= ", pairs.rows, ", got ", z.sizes());
  TORCH_CHECK_VALUE(w.messages.size() == pairs.lists.size(), "graph_field: ", w.messages.size(),
                    " message networks for ", pairs.lists.size(), " lists of pairs");
  const std::int64_t width = z.size(1), hidden = w.w2.size(0);
  auto expect = [](const char* name, const at::Tensor& t, at::IntArrayRef shape) {
    TORCH_CHECK_VALUE(t.sizes() == shape, "graph_field: expected ", name, " ", shape, ", got ", t.sizes());
  };
  for (const DynamicsWeights::Message& message : w.messages) {
    expect("message w1", message.w1, {hidden, 2 * width});
    expect("message w2", message.w2, {hidden, hidden});
  }
  expect("w1", w.w1, {hidden, width + hidden});
  expect("w3", w.w3, {width, hidden});
}

// The kind of a solve on a GPU; empty if there is no fused solve for it.
std::optional<SolveKind> fused_on_gpu(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                                      const ode::Tableau& rule, const SolveOptions& options) {
  const SolveKind kind{options.precision, options.gradient, at::GradMode::is_enabled(), options.at_nodes};
  const GraphSize size{static_cast<std::int64_t>(pairs.lists.size()), z0.size(1), weights.w2.size(0)};
  const bool fused = pairs.tiles != nullptr && z0.scalar_type() == at::kFloat && options.impl != Impl::kReference &&
                     cuda::has_solve(z0.device(), size, pairs.tiles.get(), rule, kind);
  return fused ? std::optional(kind) : std::nullopt;
}

// The products of a fused solve on this CPU. bf16 is an option there: the caller has checked that it exists.
Precision products_on_cpu(Precision precision) {
  if (precision != Precision::kBf16) return Precision::kFloat32;
  TORCH_CHECK_VALUE(has_bf16(at::kCPU),
                    "graph_rk: this CPU has no bf16 dot products (AVX512_BF16), or they are switched off; use "
                    "Precision::kFloat32");
  return Precision::kBf16;
}

DynamicsWeights in_double(DynamicsWeights w) {
  const auto widen = [](at::Tensor& t) { t = t.detach().to(at::kDouble); };
  for (DynamicsWeights::Message& m : w.messages) widen(m.w1), widen(m.b1), widen(m.w2), widen(m.b2);
  widen(w.w1), widen(w.b1), widen(w.w2), widen(w.b2), widen(w.w3), widen(w.b3);
  return w;
}

PairGraph in_double(PairGraph pairs) {
  for (PairGraph::List& list : pairs.lists)
    if (list.weight.defined()) list.weight = list.weight.to(at::kDouble);
  return pairs;
}

}  // namespace

std::vector<at::Tensor> DynamicsWeights::tensors() const {
  std::vector<at::Tensor> all;
  for (const Message& m : messages) all.insert(all.end(), {m.w1, m.b1, m.w2, m.b2});
  all.insert(all.end(), {w1, b1, w2, b2, w3, b3});
  return all;
}

at::Tensor graph_field(const at::Tensor& z, const DynamicsWeights& weights, const PairGraph& pairs, Impl impl) {
  check(z, weights, pairs);
  return impl == Impl::kReference ? reference::graph_field(z, weights, pairs)
                                  : nodewise::graph_field(z, weights, pairs);
}

ode::Field make_graph_field(const DynamicsWeights& weights, const PairGraph& pairs, Impl impl) {
  ode::Field field;
  field.rate = [weights, pairs, impl](const at::Tensor&, const at::Tensor& y) {
    return graph_field(y, weights, pairs, impl);
  };
  field.parameters = weights.tensors();
  field.autonomous = true;
  field.wide = [weights, pairs, impl] { return make_graph_field(in_double(weights), in_double(pairs), impl); };
  return field;
}

bool has_fused_solve(at::Device device, std::int64_t networks, const FieldSize& size, const ode::Tableau& rule,
                     const SolveKind& kind, Impl impl, std::int64_t precise) {
  return impl != Impl::kReference &&
         cuda::has_solve(device, {networks, size.width, size.hidden, precise}, nullptr, rule, kind);
}

bool has_bf16(at::Device device) { return device.is_cpu() ? cpu::has_bf16_solve() : true; }

DynamicsWeights reversed(DynamicsWeights weights) {
  weights.w3 = weights.w3.neg(), weights.b3 = weights.b3.neg();
  return weights;
}

ode::Trajectory graph_rk(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                         const ode::StepPlan& plan, const ode::Tableau& rule, const SolveOptions& options) {
  check(z0, weights, pairs);
  const auto& [gradient, impl, precision, spare, at_nodes] = options;
  const bool on_cpu = cpu::can_solve_graph(z0, rule, gradient);
  const std::optional<SolveKind> on_gpu = fused_on_gpu(z0, weights, pairs, rule, options);
  TORCH_CHECK_VALUE(impl != Impl::kFused || on_cpu || on_gpu,
                    "graph_rk: the fused solve needs float32, a rule with cubic dense output and gradient mode "
                    "recompute; on the CPU a build with Highway, on a GPU systems of at most 128 objects (with "
                    "gradients in float32 or tf32: 64)");
  if (impl != Impl::kReference && on_cpu)
    return cpu::solve_graph(z0, weights, pairs, plan, rule, spare, {}, products_on_cpu(precision));
  if (on_gpu) return cuda::solve_graph(z0, weights, pairs, plan, rule, *on_gpu);
  return ode::solve(make_graph_field(weights, pairs, impl), z0, plan, rule, gradient);
}

ode::Trajectory assimilating_rk(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                                const ode::StepPlan& plan, const ode::Tableau& rule, const Assimilation& assimilation,
                                const SolveOptions& options) {
  check(z0, weights, pairs);
  const auto& [events, keep, add] = assimilation;
  const auto steps = static_cast<std::size_t>(plan.max_steps()), rows = static_cast<std::size_t>(plan.rows());
  const bool jumps = keep.defined() && keep.size(0) > 0;
  TORCH_CHECK_VALUE(!jumps || (keep.sizes() == add.sizes() && keep.dim() == 2 && keep.size(1) == z0.size(1)),
                    "assimilating_rk: expected keep and add [J, ", z0.size(1), "], got ", keep.sizes(), " and ",
                    add.defined() ? add.sizes() : at::IntArrayRef());
  TORCH_CHECK_VALUE(!jumps || events.jump.size() == steps * rows, "assimilating_rk: expected jump [K, n] with ",
                    steps * rows, " entries, got ", events.jump.size());
  TORCH_CHECK_VALUE(events.present.empty() || events.present.size() == (steps + 1) * rows,
                    "assimilating_rk: expected present [K+1, n] with ", (steps + 1) * rows, " entries, got ",
                    events.present.size());
  TORCH_CHECK_VALUE(events.read.empty() || events.read.size() == (steps + 1) * rows,
                    "assimilating_rk: expected read [K+1, n] with ", (steps + 1) * rows, " entries, got ",
                    events.read.size());
  for (const Tie& tie : events.ties)
    TORCH_CHECK_VALUE(tie.position >= 0 && tie.position < z0.size(1) && tie.velocity >= 0 &&
                          tie.velocity < z0.size(1) && tie.position != tie.velocity,
                      "assimilating_rk: a tie of column ", tie.position, " to ", tie.velocity, " of ", z0.size(1));
  if (options.impl != Impl::kReference && cpu::can_solve_graph(z0, rule, options.gradient))
    return cpu::solve_graph(z0, weights, pairs, plan, rule, options.spare, assimilation,
                            products_on_cpu(options.precision));
  if (const auto on_gpu = fused_on_gpu(z0, weights, pairs, rule, options))
    return cuda::solve_graph(z0, weights, pairs, plan, rule, *on_gpu, keep, add);
  TORCH_CHECK_VALUE(options.impl != Impl::kFused,
                    "assimilating_rk: there is no fused solve for this device, dtype, "
                    "rule, precision or number of objects; use Impl::kAuto");
  return reference::assimilating_rk(z0, weights, pairs, plan, rule, assimilation, options.impl);
}

PairGraph to_device(PairGraph pairs, const ode::StepPlan& plan, Upload& upload, Shapes shapes, const FieldSize& size,
                    const Events* events, const SolveKind& kind) {
  if (!upload.device().is_cpu()) pairs.tiles = cuda::make_tiles(pairs, plan, upload, shapes, size, events, kind);
  if (shapes == Shapes::kPadded && pairs.tiles != nullptr) return pairs;
  return lists_to_device(std::move(pairs), upload);
}

PairGraph lists_to_device(PairGraph pairs, Upload& upload) {
  for (PairGraph::List& list : pairs.lists) {
    list.target = upload(list.target), list.source = upload(list.source);
    list.target_offsets = upload(list.target_offsets);
    list.weight = upload(list.weight);
  }
  return pairs;
}

}  // namespace lgode::ops
