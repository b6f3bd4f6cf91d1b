// The operators by name in LibTorch's dispatcher: torch.ops.lgode.*, wherever Python has the same LibTorch. Gradients
// come with them. lgode/ops.py describes the arguments; a schema knows tensors, numbers and texts only, so the structs
// of the library are put together here, at each call.
#include <ATen/ATen.h>
#include <torch/library.h>
#include <torch/version.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "lgode/ode/plan.h"
#include "lgode/ode/tableau.h"
#include "lgode/ops/graph_rk.h"
#include "lgode/ops/segment.h"
#include "lgode/ops/sequence_attention.h"
#include "lgode/ops/temporal_attention.h"
#include "lgode/ops/time_encoding.h"

namespace lgode::python {
namespace {

// What kernels take for a text.
#if TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR >= 206
using Text = std::string_view;
#else
using Text = c10::string_view;
#endif

ops::Impl impl_of(Text name) {
  if (name == "auto") return ops::Impl::kAuto;
  if (name == "reference") return ops::Impl::kReference;
  TORCH_CHECK_VALUE(name == "fused", "impl is auto, reference or fused, not ", name);
  return ops::Impl::kFused;
}

ops::Direction direction_of(Text name) {
  if (name == "both") return ops::Direction::kBoth;
  if (name == "past") return ops::Direction::kPast;
  TORCH_CHECK_VALUE(name == "future", "direction is both, past or future, not ", name);
  return ops::Direction::kFuture;
}

const ode::Tableau& rule_of(Text name) {
  for (const ode::Solver solver : {ode::Solver::kRk4, ode::Solver::kRk4Classic, ode::Solver::kEuler,
                                   ode::Solver::kMidpoint, ode::Solver::kDopri5, ode::Solver::kTsit5})
    if (std::string_view(name.data(), name.size()) == ode::solver_name(solver)) return ode::tableau(solver);
  TORCH_CHECK_VALUE(false, "solver is rk4, rk4-classic, euler, midpoint, dopri5 or tsit5, not ", name);
  return ode::tableau(ode::Solver::kRk4);
}

at::Tensor on_cpu(const at::Tensor& tensor, at::ScalarType type) { return tensor.to(at::kCPU, type).contiguous(); }

at::Tensor temporal_attention(const at::Tensor& x, const at::Tensor& w_t, const at::Tensor& b_t, const at::Tensor& w_q,
                              const at::Tensor& b_q, const at::Tensor& w_k, const at::Tensor& b_k,
                              const at::Tensor& w_v, const at::Tensor& b_v, const at::Tensor& times,
                              const at::Tensor& observation_offsets, const at::Tensor& system_offsets,
                              const at::Tensor& source_offsets, const at::Tensor& sources,
                              const at::Tensor& log_weights, double window, Text direction, std::int64_t heads,
                              double frequency, Text impl) {
  ops::TemporalGraph graph;
  graph.times = on_cpu(times, at::kDouble);
  graph.observation_offsets = on_cpu(observation_offsets, at::kLong);
  graph.system_offsets = on_cpu(system_offsets, at::kLong);
  graph.source_offsets = on_cpu(source_offsets, at::kLong);
  graph.sources = on_cpu(sources, at::kLong);
  graph.log_weights = on_cpu(log_weights, at::kDouble);
  graph.window = window;
  graph.direction = direction_of(direction);
  if (!x.device().is_cpu()) {
    ops::Upload upload(x.device());
    ops::move_to_device(graph, upload);
  }
  return ops::temporal_attention(x, {w_t, b_t, w_q, b_q, w_k, b_k, w_v, b_v}, graph, {heads, frequency}, impl_of(impl));
}

at::Tensor sequence_attention(const at::Tensor& h, const at::Tensor& w_t, const at::Tensor& b_t, const at::Tensor& w_a,
                              const at::Tensor& times, const at::Tensor& offsets, double frequency, Text impl) {
  return ops::sequence_attention(h, {w_t, b_t, w_a}, times, offsets, frequency, impl_of(impl));
}

// One list per message network, sorted by target.
ops::PairGraph pairs_of(at::TensorList targets, at::TensorList sources, at::TensorList weights, const at::Tensor& z) {
  TORCH_CHECK_VALUE(targets.size() == sources.size(), "there are ", targets.size(), " lists of targets and ",
                    sources.size(), " of sources");
  TORCH_CHECK_VALUE(weights.empty() || weights.size() == targets.size(),
                    "weights: expected none, or one tensor for each "
                    "of the ",
                    targets.size(), " lists of pairs");
  ops::PairGraph pairs;
  pairs.rows = z.size(0);
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const at::Tensor target = on_cpu(targets[r], at::kLong), source = on_cpu(sources[r], at::kLong);
    TORCH_CHECK_VALUE(target.dim() == 1 && target.sizes() == source.sizes(), "pairs: targets ", target.sizes(),
                      " and sources ", source.sizes(), " must be lists of one length");
    TORCH_CHECK_VALUE(
        target.numel() == 0 ||
            (target.min().item<std::int64_t>() >= 0 && source.min().item<std::int64_t>() >= 0 &&
             target.max().item<std::int64_t>() < pairs.rows && source.max().item<std::int64_t>() < pairs.rows),
        "pairs: a row outside the state's ", pairs.rows);
    const at::Tensor order = target.argsort(/*stable=*/true, /*dim=*/0, /*descending=*/false);
    ops::PairGraph::List list;
    list.target = target.index_select(0, order), list.source = source.index_select(0, order);
    list.pairs_before.assign(static_cast<std::size_t>(pairs.rows) + 1, 0);
    const auto* rows = list.target.data_ptr<std::int64_t>();
    for (std::int64_t k = 0; k < list.target.numel(); ++k) ++list.pairs_before[static_cast<std::size_t>(rows[k]) + 1];
    for (std::size_t i = 1; i < list.pairs_before.size(); ++i) list.pairs_before[i] += list.pairs_before[i - 1];
    list.target_offsets = at::tensor(list.pairs_before, at::kLong);
    if (!weights.empty())
      list.weight = weights[r].to(at::kCPU, z.scalar_type()).reshape({-1, 1}).index_select(0, order).contiguous();
    pairs.lists.push_back(std::move(list));
  }
  return pairs;
}

ops::DynamicsWeights weights_of(at::TensorList messages, at::TensorList output) {
  TORCH_CHECK_VALUE(messages.size() % 4 == 0, "message weights: expected w1, b1, w2, b2 for each list of pairs, found ",
                    messages.size(), " tensors");
  TORCH_CHECK_VALUE(output.size() == 6, "output weights: expected w1, b1, w2, b2, w3, b3, found ", output.size());
  ops::DynamicsWeights weights;
  for (std::size_t i = 0; i < messages.size(); i += 4)
    weights.messages.push_back({messages[i], messages[i + 1], messages[i + 2], messages[i + 3]});
  weights.w1 = output[0], weights.b1 = output[1], weights.w2 = output[2], weights.b2 = output[3],
  weights.w3 = output[4], weights.b3 = output[5];
  return weights;
}

at::Tensor graph_field(const at::Tensor& z, at::TensorList messages, at::TensorList output, at::TensorList targets,
                       at::TensorList sources, at::TensorList weights, Text impl) {
  const ops::DynamicsWeights all = weights_of(messages, output);
  TORCH_CHECK_VALUE(all.messages.size() == targets.size(), "there are ", targets.size(), " lists of pairs and ",
                    all.messages.size(), " message networks");
  ops::PairGraph pairs = pairs_of(targets, sources, weights, z);
  if (!z.device().is_cpu()) {
    ops::Upload upload(z.device());
    pairs = ops::lists_to_device(std::move(pairs), upload);
  }
  return ops::graph_field(z, all, pairs, impl_of(impl));
}

at::Tensor graph_solve(const at::Tensor& z0, at::TensorList messages, at::TensorList output, at::TensorList targets,
                       at::TensorList sources, at::TensorList weights, at::IntArrayRef system_offsets, double horizon,
                       double step, Text solver, Text impl) {
  TORCH_CHECK_VALUE(horizon >= 0 && step > 0, "horizon must be at least 0 and step above 0, found ", horizon, " and ",
                    step);
  const ops::DynamicsWeights all = weights_of(messages, output);
  TORCH_CHECK_VALUE(all.messages.size() == targets.size(), "there are ", targets.size(), " lists of pairs and ",
                    all.messages.size(), " message networks");
  std::vector<std::int64_t> rows(system_offsets.begin(), system_offsets.end());
  if (rows.empty()) rows = {0, z0.size(0)};
  TORCH_CHECK_VALUE(
      rows.size() > 1 && rows.front() == 0 && rows.back() == z0.size(0) && std::is_sorted(rows.begin(), rows.end()),
      "system_offsets: expected rising rows from 0 to ", z0.size(0));
  const std::vector<double> horizons(rows.size() - 1, horizon);
  const ode::StepPlan plan = ode::fixed_plan(rows, horizons, step);
  ops::PairGraph pairs = pairs_of(targets, sources, weights, z0);
  if (!z0.device().is_cpu()) {
    ops::Upload upload(z0.device());
    pairs = ops::to_device(std::move(pairs), plan, upload);
  }
  return ops::graph_rk(z0, all, pairs, plan, rule_of(solver), {.impl = impl_of(impl)}).states;
}

at::Tensor time_encoding(const at::Tensor& times, std::int64_t width, double frequency) {
  return ops::time_encoding(times.to(at::kDouble), width, frequency,
                            at::TensorOptions(at::kFloat).device(times.device()));
}

}  // namespace

TORCH_LIBRARY(lgode, m) {
  m.def(
      "temporal_attention(Tensor x, Tensor w_t, Tensor b_t, Tensor w_q, Tensor b_q, Tensor w_k, Tensor b_k, Tensor "
      "w_v, "
      "Tensor b_v, Tensor times, Tensor observation_offsets, Tensor system_offsets, Tensor source_offsets, "
      "Tensor sources, Tensor log_weights, float window=1.0, str direction='both', int heads=1, "
      "float frequency=200.0, str impl='auto') -> Tensor",
      &temporal_attention);
  m.def(
      "sequence_attention(Tensor h, Tensor w_t, Tensor b_t, Tensor w_a, Tensor times, Tensor offsets, "
      "float frequency=200.0, str impl='auto') -> Tensor",
      &sequence_attention);
  m.def(
      "graph_field(Tensor z, Tensor[] messages, Tensor[] output, Tensor[] targets, Tensor[] sources, "
      "Tensor[] weights, str impl='auto') -> Tensor",
      &graph_field);
  m.def(
      "graph_solve(Tensor z0, Tensor[] messages, Tensor[] output, Tensor[] targets, Tensor[] sources, "
      "Tensor[] weights, int[] system_offsets=[], float horizon=1.0, float step=0.1, str solver='rk4', "
      "str impl='auto') -> Tensor",
      &graph_solve);
  m.def("time_encoding(Tensor times, int width, float frequency=200.0) -> Tensor", &time_encoding);
  m.def("segment_sum(Tensor x, Tensor offsets) -> Tensor", &ops::segment_sum);
  m.def("segment_mean(Tensor x, Tensor offsets) -> Tensor", &ops::segment_mean);
  m.def("segment_softmax(Tensor x, Tensor offsets) -> Tensor", &ops::segment_softmax);
}

}  // namespace lgode::python
