// Iterates over the edges into one observation of a temporal graph. Edges are not stored: they follow from relations,
// times and the window (Eq. 11).
#pragma once

#include <cstdint>

#include "lgode/ops/temporal_attention.h"

namespace lgode::ops {

// Calls edge(source, other, gap, log_weight) for every edge into observation `target` of `object`: source observation,
// whether it belongs to another object, t_s - t_t, log w. Order: the object's own observations, then those of its
// source objects in their order; by time within an object.
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
