// The edges into one observation of a temporal graph, as the graph implies them.
#pragma once

#include <cstdint>

#include "lgode/ops/temporal_attention.h"

namespace lgode::ops {

// Calls edge(source observation, of another object, t_s - t_t, log w) for every edge into observation `target` of
// `object`: its own object first, then its sources in their order, each by time.
template <class Edge>
void for_each_edge(const TemporalGraph& graph, std::int64_t object, std::int64_t target, const Edge& edge) {
  const double* times = graph.times.data_ptr<double>();
  const std::int64_t* observations = graph.observation_offsets.data_ptr<std::int64_t>();
  const std::int64_t* source_offsets = graph.source_offsets.data_ptr<std::int64_t>();
  const std::int64_t* sources = graph.sources.data_ptr<std::int64_t>();
  const double* log_weights = graph.log_weights.data_ptr<double>();
  const double reach = graph.window + TemporalGraph::kWindowMargin;
  const double back = graph.direction == Direction::kFuture ? 0.0 : reach;
  const double ahead = graph.direction == Direction::kPast ? 0.0 : reach;
  auto from = [&](std::int64_t source, bool other, double log_weight) {
    for (std::int64_t s = observations[source]; s < observations[source + 1]; ++s) {
      const double gap = times[s] - times[target];
      if (gap >= -back && gap <= ahead) edge(s, other, gap, log_weight);
    }
  };
  from(object, false, 0.0);
  for (std::int64_t p = source_offsets[object]; p < source_offsets[object + 1]; ++p)
    from(sources[p], true, log_weights[p]);
}

}  // namespace lgode::ops
