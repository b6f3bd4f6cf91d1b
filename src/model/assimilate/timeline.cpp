// Joins the times of a system's objects to events, and divides the gaps between them into steps.
#include "lgode/model/assimilate/timeline.h"

#include <algorithm>
#include <iterator>

namespace lgode::model {
namespace {

// The events of a system, and the time of its last event or target.
struct Events {
  std::vector<double> times;
  double end = 0;
};

Events events_of(const data::Batch& batch, std::int64_t system, bool forecast) {
  Events out;
  // Times ascend within an object; equal ones are joined.
  std::vector<double> times, both;
  const std::int64_t first_object = batch.object_offsets[system], end_object = batch.object_offsets[system + 1];
  const auto most = static_cast<std::size_t>(batch.observation_offsets[end_object] -
                                             batch.observation_offsets[first_object] + (forecast ? 1 : 0));
  for (std::vector<double>* list : {&times, &both, &out.times}) list->reserve(most);
  const auto join = [&](auto first, auto last) {
    both.clear();
    std::set_union(times.begin(), times.end(), first, last, std::back_inserter(both));
    times.swap(both);
  };
  for (std::int64_t i = first_object; i < end_object; ++i)
    join(batch.observation_times.begin() + batch.observation_offsets[i],
         batch.observation_times.begin() + batch.observation_offsets[i + 1]);
  const double start = 0.0;
  if (forecast) join(&start, &start + 1);
  for (const double t : times)
    if (out.times.empty() || t > out.times.back() + kSameTime) out.times.push_back(t);
  if (!out.times.empty()) out.end = out.times.back();
  const auto last = std::max_element(batch.target_times.begin() + batch.target_offsets[first_object],
                                     batch.target_times.begin() + batch.target_offsets[end_object]);
  if (batch.target_offsets[first_object] < batch.target_offsets[end_object]) out.end = std::max(out.end, *last);
  return out;
}

}  // namespace

Timeline Timeline::make(const data::Batch& batch, std::int64_t system, double step, bool forecast) {
  Events found = events_of(batch, system, forecast);
  Timeline line;
  line.events = std::move(found.times);
  line.begin = line.events.empty() ? 0.0 : std::min(0.0, line.events.front());
  std::vector<double>& nodes = line.nodes;
  nodes.reserve(4 * line.events.size() + 4);
  line.jump_step.reserve(line.events.size());
  nodes.push_back(0.0);
  // Every system begins with a step without length: the first jump or, where the solve begins before it, an idle one.
  if (line.events.empty() || line.events.front() > line.begin) nodes.push_back(0.0);
  for (const double event : line.events) {
    const double to = event - line.begin, from = nodes.back(), gap = to - from;
    for_each_step(gap, step, [&](double end) {
      nodes.push_back(end == gap ? to : from + end);
      if (end != gap) nodes.push_back(nodes.back());
    });
    line.jump_step.push_back(static_cast<std::int64_t>(nodes.size()) - 1);
    nodes.push_back(nodes.back());
  }
  // After the last event the steps do not depend on the targets.
  const double last = nodes.back();
  for_each_whole_step(last, found.end - line.begin, step, [&](double node) {
    if (nodes.back() > last) nodes.push_back(nodes.back());
    nodes.push_back(node);
  });
  return line;
}

}  // namespace lgode::model
