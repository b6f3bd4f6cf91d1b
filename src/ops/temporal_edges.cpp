// Writes out the edges of a temporal graph as tensors.
#include "ops/temporal_edges.h"

#include <algorithm>
#include <vector>

namespace lgode::ops {
namespace {

template <class T>
at::Tensor to_tensor(const std::vector<T>& values, at::ScalarType dtype) {
  at::Tensor out = at::empty({static_cast<std::int64_t>(values.size())}, at::TensorOptions(dtype));
  std::copy(values.begin(), values.end(), static_cast<T*>(out.data_ptr()));
  return out;
}

}  // namespace

TemporalEdges temporal_edges(const TemporalGraph& graph) {
  const std::int64_t* observations = graph.observation_offsets.data_ptr<std::int64_t>();
  const std::int64_t objects = graph.observation_offsets.numel() - 1;
  std::vector<std::int64_t> sources, targets, offsets{0};
  std::vector<std::uint8_t> others;
  std::vector<double> gaps, log_weights;
  for (std::int64_t i = 0; i < objects; ++i)
    for (std::int64_t t = observations[i]; t < observations[i + 1]; ++t) {
      for_each_edge(graph, i, t, [&](std::int64_t source, bool other, double gap, double log_weight) {
        sources.push_back(source);
        targets.push_back(t);
        others.push_back(other ? 1 : 0);
        gaps.push_back(gap);
        log_weights.push_back(log_weight);
      });
      offsets.push_back(static_cast<std::int64_t>(sources.size()));
    }
  return {
      to_tensor(sources, at::kLong), to_tensor(targets, at::kLong),       to_tensor(others, at::kByte).to(at::kBool),
      to_tensor(gaps, at::kDouble),  to_tensor(log_weights, at::kDouble), to_tensor(offsets, at::kLong)};
}

}  // namespace lgode::ops
