#include "lgode/model/batch_tensors.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lgode::model {
namespace {

// Zeros behind the last value.
template <class T>
at::Tensor copy(const std::vector<T>& values, at::IntArrayRef shape) {
  at::Tensor out = at::empty(shape, at::TensorOptions(c10::CppTypeToScalarType<T>::value));
  T* end = std::copy(values.begin(), values.end(), out.data_ptr<T>());
  std::fill(end, out.data_ptr<T>() + out.numel(), T(0));
  return out;
}

// Related objects of each target, once a pair: several relations between two objects count with the sum of their
// weights.
void set_sources(const data::Batch& batch, ops::TemporalGraph& graph) {
  std::vector<std::int64_t> offsets{0}, sources;
  std::vector<double> log_weights;
  for (std::int64_t i = 0; i < batch.objects(); ++i) {
    std::map<std::int64_t, double> weight;
    for (std::int64_t e = batch.relation_offsets[i]; e < batch.relation_offsets[i + 1]; ++e)
      weight[batch.relation_sources[e]] += batch.relation_weights[e];
    for (const auto& [source, w] : weight) {
      sources.push_back(source);
      log_weights.push_back(std::log(w));
    }
    offsets.push_back(static_cast<std::int64_t>(sources.size()));
  }
  graph.source_offsets = copy(offsets, {static_cast<std::int64_t>(offsets.size())});
  graph.sources = copy(sources, {static_cast<std::int64_t>(sources.size())});
  graph.log_weights = copy(log_weights, {static_cast<std::int64_t>(log_weights.size())});
}

}  // namespace

BatchTensors to_tensors(data::Batch batch, const TensorOptions& options) {
  BatchTensors out;
  const std::int64_t objects = batch.objects(), features = batch.features;
  auto place = [&](const at::Tensor& t) { return t.to(options.dtype).to(options.device); };
  const std::int64_t observations = ops::size_of(batch.observations(), options.shapes);
  const std::int64_t targets = ops::size_of(batch.targets(), options.shapes);
  const at::Tensor values = copy(batch.observation_values, {observations, features});
  out.inputs = place(options.append_mask ? at::cat({values, copy(batch.observation_mask, {observations, features})}, 1)
                                         : values);
  out.graph.times = copy(batch.observation_times, {batch.observations()});
  out.graph.observation_offsets = copy(batch.observation_offsets, {objects + 1});
  out.graph.system_offsets = copy(batch.object_offsets, {batch.systems() + 1});
  out.graph.window = options.window;
  out.graph.direction = options.direction;
  set_sources(batch, out.graph);
  ops::move_to_device(out.graph, options.device, options.shapes);
  out.times = copy(batch.observation_times, {observations}).to(options.device);
  out.observation_offsets = out.graph.observation_offsets.to(options.device);
  out.object_offsets = out.graph.system_offsets.to(options.device);
  out.target_offsets = copy(batch.target_offsets, {objects + 1}).to(options.device);
  out.target_values = place(copy(batch.target_values, {targets, features}));
  out.target_mask = place(copy(batch.target_mask, {targets, features}));
  out.batch = std::move(batch);
  return out;
}

std::vector<at::Tensor> BatchTensors::on_device() const {
  std::vector<at::Tensor> all{inputs,         times,         observation_offsets, object_offsets,
                              target_offsets, target_values, target_mask};
  const std::vector<at::Tensor> edges = ops::tensors_on_device(graph);
  all.insert(all.end(), edges.begin(), edges.end());
  return all;
}

}  // namespace lgode::model
