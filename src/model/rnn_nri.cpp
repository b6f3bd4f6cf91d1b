// The recurrent network that imputes, and the graph network that steps over the grid.
#include "lgode/model/rnn_nri.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lgode/ops/segment.h"
#include "model/layers.h"

namespace lgode::model {
namespace {

// Pairs computed at once: as many as fit into a CPU's cache, or keep a GPU busy.
constexpr std::int64_t kPairsOnCpu = 1 << 15, kPairsOnGpu = 1 << 20;

ModelOptions decoder_options(ModelOptions options, const ModelShape& shape) {
  options.latent = shape.features, options.augment = 0;
  options.ode = OdeKind::kGraph;
  return options;
}

}  // namespace

// Pairs of the objects of `at_once` seen nodes, and of the single node from which the next one ahead is computed.
struct GridRollout : Rollout {
  GridPlan grid;
  std::int64_t targets = 0;  // T
  std::int64_t at_once = 1;  // seen nodes
  ops::PairGraph seen, ahead;
};

RnnNri::RnnNri(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype,
               at::Device device)
    : Model(options, shape, dtype, device), decoder_(decoder_options(options, shape), shape.relation_types) {
  TORCH_CHECK_VALUE(shape.objects > 0 && shape.grid_step > 0, "rnn-nri needs a number of objects and a time step, got ",
                    shape.objects, " and ", shape.grid_step);
  const std::int64_t width = shape.objects * shape.features, u = options.sequence_width;
  const double bound = 1.0 / std::sqrt(static_cast<double>(u));
  parameters_.add("imputer.mean", {width}, 0, 0);
  // Starts as exp(-d); the small bias keeps it off the kink of max(0, .).
  parameters_.add("imputer.fade.weight", {width}, 0, 1);
  parameters_.add("imputer.fade.bias", {width}, 0, 0.01);
  parameters_.add_linear("imputer.state_fade", u, width);
  parameters_.add("imputer.gru.input.weight", {3 * u, 2 * width}, bound);
  parameters_.add("imputer.gru.input.bias", {3 * u}, bound);
  parameters_.add("imputer.gru.state.weight", {3 * u, u}, bound);
  parameters_.add("imputer.gru.state.bias", {3 * u}, bound);
  parameters_.add_linear("imputer.output", width, u);
  decoder_.declare(parameters_);
  parameters_.finish(dtype, device, seed);
}

std::unique_ptr<Model> RnnNri::fresh() const {
  return std::make_unique<RnnNri>(options_, shape_, /*seed=*/1, dtype_, device_);
}

std::shared_ptr<const Rollout> RnnNri::prepare(const data::Batch& batch, const RolloutOptions& options,
                                               ops::Upload& upload) const {
  auto out = std::make_shared<GridRollout>();
  out->samples = options.samples, out->targets = batch.targets();
  out->grid = plan_grid(batch, shape_.objects, shape_.grid_step, dtype_, upload, options.read_seen);
  // A system is repeated once per seen node, as it is once per sample elsewhere.
  auto pairs = [&](std::int64_t copies) {
    return ops::lists_to_device(decoder_.pairs(batch, RowLayout::make(batch, copies), dtype_), upload);
  };
  out->ahead = pairs(1);
  std::int64_t count = 1;
  for (const ops::PairGraph::List& list : out->ahead.lists) count += list.target.numel();
  out->at_once = std::clamp<std::int64_t>((device_.is_cpu() ? kPairsOnCpu : kPairsOnGpu) / count, 1, out->grid.seen);
  out->seen = pairs(out->at_once);
  return out;
}

RnnNri::Imputed RnnNri::impute(const GridPlan& c) const {
  const Parameters& p = parameters_;
  const at::Tensor mean = p["imputer.mean"];
  const at::Tensor fade = (c.since * p["imputer.fade.weight"] + p["imputer.fade.bias"]).relu().neg().exp();
  const at::Tensor state_fade = linear(p, "imputer.state_fade", c.since).relu().neg().exp();
  const at::Tensor missing = 1.0 - c.mask;
  at::Tensor latest = mean.expand({c.systems, mean.numel()});
  at::Tensor state = at::zeros({c.systems, options_.sequence_width}, mean.options().requires_grad(false));
  std::vector<at::Tensor> rests, states;
  for (std::int64_t j = 0; j < c.seen; ++j) {
    const at::Tensor rest = mean + fade[j] * (latest - mean);
    const at::Tensor filled = c.values[j] + missing[j] * rest;
    state = at::gru_cell(at::cat({filled, c.mask[j]}, 1), state_fade[j] * state, p["imputer.gru.input.weight"],
                         p["imputer.gru.state.weight"], p["imputer.gru.input.bias"], p["imputer.gru.state.bias"]);
    rests.push_back(rest), states.push_back(state);
    latest = c.values[j] + missing[j] * latest;
  }
  const at::Tensor y = at::stack(rests) + linear(p, "imputer.output", at::stack(states));  // [J, B, n*D]
  return {y[0], (c.values + missing * y).transpose(0, 1)};
}

Paths RnnNri::paths(const BatchTensors& /*batch*/, const Rollout& rollout, const at::Tensor& /*noise*/,
                    const Dropout& /*dropout*/) const {
  const auto* prepared = dynamic_cast<const GridRollout*>(&rollout);
  TORCH_CHECK_VALUE(prepared != nullptr, "rnn-nri: the roll-out was prepared by a model of another kind");
  const GridRollout& r = *prepared;
  const GridPlan& c = r.grid;
  const std::int64_t width = c.objects * c.features;
  const ops::DynamicsWeights weights = decoder_.weights(parameters_);
  auto step = [&](const at::Tensor& v, const ops::PairGraph& pairs) {
    return v + shape_.grid_step * ops::graph_field(v, weights, pairs, options_.impl);
  };
  const Imputed imputed = impute(c);
  // Seen nodes: each is computed from the one before it, `at_once` nodes together. Rows: system, node, object.
  std::vector<at::Tensor> steps{imputed.first.unsqueeze(1)};
  for (std::int64_t j = 0; j + 1 < c.seen; j += r.at_once) {
    at::Tensor from = imputed.values.slice(1, j, j + r.at_once);
    const std::int64_t count = from.size(1);
    if (count < r.at_once) from = at::constant_pad_nd(from, {0, 0, 0, r.at_once - count});
    const at::Tensor next = step(from.reshape({-1, c.features}), r.seen).view({c.systems, r.at_once, width});
    steps.push_back(next.slice(1, 0, std::min(count, c.seen - 1 - j)));
  }
  const at::Tensor seen = at::cat(steps, 1);
  std::vector<at::Tensor> nodes{seen.reshape({-1, c.features})};
  // Nodes ahead: one after another, from the last imputed node.
  const at::Tensor last = c.last.view({-1, 1, 1}).expand({c.systems, 1, width});
  at::Tensor state = imputed.values.gather(1, last).reshape({-1, c.features});
  std::vector<at::Tensor> ahead;
  for (std::int64_t f = 0; f < c.ahead; ++f) {
    state = step(state, r.ahead);
    ahead.push_back(state.view({c.systems, 1, width}));
  }
  if (!ahead.empty()) nodes.push_back(at::cat(ahead, 1).reshape({-1, c.features}));
  const at::Tensor table = at::cat(nodes, 0);
  const at::Tensor low = ops::gather_rows(table, c.low), high = ops::gather_rows(table, c.high);
  const at::Tensor path = (low + c.share * (high - low)).expand({rollout.samples, c.low.numel(), c.features});
  Paths out;
  out.values = path.slice(1, 0, r.targets);
  if (c.low.numel() > r.targets) out.seen = path.slice(1, r.targets);
  return out;
}

}  // namespace lgode::model
