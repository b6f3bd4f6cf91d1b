// Groups systems of a batch and computes the decaying sums over edges as matrix products.
#include "lgode/model/decay.h"

#include <algorithm>
#include <cmath>

#include "lgode/ops/segment.h"

namespace lgode::model {
namespace {

constexpr std::int64_t kPairsAtOnce = 1 << 24;  // padded pairs of observations per group: limits the memory

// The group of systems [first, last), each padded to `longest` observations.
SystemGroup make_group(const data::Batch& batch, const ops::TemporalGraph& graph, std::int64_t first, std::int64_t last,
                       std::int64_t longest, at::ScalarType dtype, ops::Upload& upload) {
  std::int64_t objects = 0;
  for (std::int64_t s = first; s < last; ++s)
    objects = std::max(objects, batch.object_offsets[s + 1] - batch.object_offsets[s]);
  const std::int64_t count = last - first;
  std::vector<std::int64_t> rows(static_cast<std::size_t>(count * longest), 0), place(rows), slots;
  std::vector<std::int64_t> present(rows.size(), 0);
  std::vector<double> relations(static_cast<std::size_t>(count * objects * objects), 0.0);
  const auto* source_offsets = graph.source_offsets.data_ptr<std::int64_t>();
  const auto* sources = graph.sources.data_ptr<std::int64_t>();
  const auto* log_weights = graph.log_weights.data_ptr<double>();
  for (std::int64_t s = first; s < last; ++s) {
    const std::int64_t base = batch.object_offsets[s];
    std::int64_t slot = (s - first) * longest;
    for (std::int64_t i = base; i < batch.object_offsets[s + 1]; ++i) {
      for (std::int64_t r = batch.observation_offsets[i]; r < batch.observation_offsets[i + 1]; ++r, ++slot) {
        rows[slot] = r, place[slot] = i - base, present[slot] = 1;
        slots.push_back(slot);
      }
      for (std::int64_t e = source_offsets[i]; e < source_offsets[i + 1]; ++e)
        relations[((s - first) * objects + i - base) * objects + sources[e] - base] = std::exp(log_weights[e]);
    }
  }
  return {upload(rows).view({count, longest}),
          upload(at::tensor(present, at::TensorOptions(at::kLong)).ne(0)).view({count, longest}),
          upload(place).view({count, longest}), upload(slots),
          upload(at::tensor(relations, at::TensorOptions(at::kDouble)).to(dtype)).view({count, objects, objects})};
}

}  // namespace

std::shared_ptr<const DecayInput> decay_input(const BatchTensors& tensors, ops::Upload& upload) {
  const data::Batch& batch = tensors.batch;
  auto out = std::make_shared<DecayInput>();
  auto length = [&](std::int64_t s) {
    return batch.observation_offsets[batch.object_offsets[s + 1]] - batch.observation_offsets[batch.object_offsets[s]];
  };
  for (std::int64_t first = 0; first < batch.systems();) {
    std::int64_t last = first, longest = 0;
    for (; last < batch.systems(); ++last) {
      const std::int64_t next = std::max(longest, length(last));
      if (last > first && (last + 1 - first) * next * next > kPairsAtOnce) break;
      longest = next;
    }
    out->groups.push_back(make_group(batch, tensors.graph, first, last, longest, tensors.inputs.scalar_type(), upload));
    first = last;
  }
  return out;
}

std::vector<DecayGroup> decay_groups(const BatchTensors& batch, const at::TensorOptions& options) {
  const at::ScalarType dtype = c10::typeMetaToScalarType(options.dtype());
  const ops::TemporalGraph& graph = batch.graph;
  const double reach = graph.window + ops::TemporalGraph::kWindowMargin;
  const double back = graph.direction == ops::Direction::kFuture ? 0.0 : reach;
  const double ahead = graph.direction == ops::Direction::kPast ? 0.0 : reach;
  std::vector<DecayGroup> out;
  const auto* input = dynamic_cast<const DecayInput*>(batch.encoder_input.get());
  TORCH_CHECK_VALUE(input != nullptr, "weight-decay: the batch was not prepared for this encoder");
  for (const SystemGroup& g : input->groups) {
    const std::int64_t count = g.rows.size(0), longest = g.rows.size(1), objects = g.relations.size(1);
    if (longest == 0) continue;
    const at::Tensor times = batch.times.index_select(0, g.rows.flatten()).view({count, longest});
    const at::Tensor gap = times.unsqueeze(1) - times.unsqueeze(2);
    const at::Tensor edge = gap.ge(-back) & gap.le(ahead) & g.present.unsqueeze(1) & g.present.unsqueeze(2);
    // relations[place of t][place of s]
    const at::Tensor related = g.relations.gather(1, g.place.unsqueeze(2).expand({count, longest, objects}))
                                   .gather(2, g.place.unsqueeze(1).expand({count, longest, longest}));
    const at::Tensor same = (edge & g.place.unsqueeze(1).eq(g.place.unsqueeze(2))).to(dtype);
    const at::Tensor other = related * edge;
    const at::Tensor number = (same.ne(0) | other.ne(0)).sum(2, /*keepdim=*/true).clamp_min(1);
    out.push_back({&g, gap.abs().to(dtype), same, other, number.to(dtype).reciprocal()});
  }
  return out;
}

at::Tensor decayed_mean(const at::Tensor& x, const at::Tensor& w_v, const at::Tensor& b_v, const at::Tensor& tau,
                        const std::vector<DecayGroup>& groups) {
  const std::int64_t d = x.size(1);
  const at::Tensor rate = at::softplus(tau);
  std::vector<at::Tensor> rows;
  for (const DecayGroup& g : groups) {
    const at::Tensor& index = g.group->rows;
    const at::Tensor sources = ops::gather_rows(x, index.flatten());
    const at::Tensor fading = (g.gap * -rate).exp();
    at::Tensor sum;
    for (std::int64_t y = 0; y < 2; ++y) {
      const at::Tensor message = at::linear(sources, w_v[y], b_v[y]).view({index.size(0), index.size(1), d});
      const at::Tensor part = at::bmm(fading * (y == 0 ? g.same : g.other), message);
      sum = y == 0 ? part : sum + part;
    }
    rows.push_back(ops::gather_rows((sum * g.share).flatten(0, 1), g.group->slots));
  }
  return rows.empty() ? at::zeros_like(x) : at::cat(rows, 0);
}

}  // namespace lgode::model
