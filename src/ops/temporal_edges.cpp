// The edges that a temporal graph implies, written out one by one.
#include <algorithm>
#include <vector>

#include "lgode/ops/temporal_attention.h"

namespace lgode::ops {
namespace {

struct EdgeLists {
  std::vector<std::int64_t> source, target, offsets{0};
  std::vector<std::uint8_t> other;
  std::vector<double> gap, log_weight;
};

template <class T>
at::Tensor to_tensor(const std::vector<T>& values, at::ScalarType dtype) {
  at::Tensor out = at::empty({static_cast<std::int64_t>(values.size())}, at::TensorOptions(dtype));
  std::copy(values.begin(), values.end(), static_cast<T*>(out.data_ptr()));
  return out;
}

}  // namespace

TemporalEdges temporal_edges(const TemporalGraph& graph) {
  const double* times = graph.times.data_ptr<double>();
  const std::int64_t* observations = graph.observation_offsets.data_ptr<std::int64_t>();
  const std::int64_t* source_offsets = graph.source_offsets.data_ptr<std::int64_t>();
  const std::int64_t* sources = graph.sources.data_ptr<std::int64_t>();
  const double* log_weights = graph.log_weights.data_ptr<double>();
  const std::int64_t objects = graph.observation_offsets.numel() - 1;
  const double reach = graph.window + TemporalGraph::kWindowMargin;

  EdgeLists e;
  auto add_object = [&](std::int64_t target, std::int64_t object, bool other, double log_weight) {
    for (std::int64_t s = observations[object]; s < observations[object + 1]; ++s) {
      const double gap = times[s] - times[target];
      if (gap < -reach || gap > reach) continue;
      if (graph.direction == Direction::kPast && gap > 0) continue;
      if (graph.direction == Direction::kFuture && gap < 0) continue;
      e.source.push_back(s);
      e.target.push_back(target);
      e.other.push_back(other ? 1 : 0);
      e.gap.push_back(gap);
      e.log_weight.push_back(log_weight);
    }
  };
  for (std::int64_t i = 0; i < objects; ++i) {
    for (std::int64_t t = observations[i]; t < observations[i + 1]; ++t) {
      add_object(t, i, false, 0.0);
      for (std::int64_t p = source_offsets[i]; p < source_offsets[i + 1]; ++p)
        add_object(t, sources[p], true, log_weights[p]);
      e.offsets.push_back(static_cast<std::int64_t>(e.source.size()));
    }
  }
  return {
      to_tensor(e.source, at::kLong), to_tensor(e.target, at::kLong),       to_tensor(e.other, at::kByte).to(at::kBool),
      to_tensor(e.gap, at::kDouble),  to_tensor(e.log_weight, at::kDouble), to_tensor(e.offsets, at::kLong)};
}

}  // namespace lgode::ops
