// Converts a batch on the host to tensors on the model's device.
#include "lgode/model/batch_tensors.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lgode::model {
namespace {

// Pads with zeros behind the last value.
template <class T>
at::Tensor copy(const std::vector<T>& values, at::IntArrayRef shape) {
  at::Tensor out = at::empty(shape, at::TensorOptions(c10::CppTypeToScalarType<T>::value));
  T* end = std::copy(values.begin(), values.end(), out.data_ptr<T>());
  std::fill(end, out.data_ptr<T>() + out.numel(), T(0));
  return out;
}

// Related objects of each target, one entry per pair: the weights of several relations between two objects are added.
void set_sources(const data::Batch& batch, ops::TemporalGraph& graph) {
  std::vector<std::int64_t> offsets{0}, sources;
  std::vector<double> log_weights;
  offsets.reserve(static_cast<std::size_t>(batch.objects()) + 1);
  sources.reserve(batch.relation_sources.size()), log_weights.reserve(batch.relation_sources.size());
  std::vector<std::pair<std::int64_t, double>> related;  // sources of one object, ascending
  const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
  for (std::int64_t i = 0; i < batch.objects(); ++i) {
    related.clear();
    for (std::int64_t e = batch.relation_offsets[i]; e < batch.relation_offsets[i + 1]; ++e)
      related.emplace_back(batch.relation_sources[e], batch.relation_weights[e]);
    // Stable: weights are added in the order of the relations.
    if (!std::is_sorted(related.begin(), related.end(), before))
      std::stable_sort(related.begin(), related.end(), before);
    for (std::size_t k = 0; k < related.size();) {
      const std::int64_t source = related[k].first;
      double weight = 0;
      for (; k < related.size() && related[k].first == source; ++k) weight += related[k].second;
      sources.push_back(source);
      log_weights.push_back(std::log(weight));
    }
    offsets.push_back(static_cast<std::int64_t>(sources.size()));
  }
  graph.source_offsets = copy(offsets, {static_cast<std::int64_t>(offsets.size())});
  graph.sources = copy(sources, {static_cast<std::int64_t>(sources.size())});
  graph.log_weights = copy(log_weights, {static_cast<std::int64_t>(log_weights.size())});
}

// An object without observations borrows from its observed sources.
Borrowing find_borrowing(const data::Batch& batch, const ops::TemporalGraph& graph, ops::Shapes shapes,
                         ops::Upload& upload) {
  std::vector<std::int64_t> objects, offsets{0}, sources;
  auto seen = [&](std::int64_t i) { return batch.observation_offsets[i + 1] > batch.observation_offsets[i]; };
  const auto* source_offsets = graph.source_offsets.data_ptr<std::int64_t>();
  const auto* source = graph.sources.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < batch.objects(); ++i) {
    if (seen(i)) continue;
    objects.push_back(i);
    for (std::int64_t e = source_offsets[i]; e < source_offsets[i + 1]; ++e)
      if (seen(source[e])) sources.push_back(source[e]);
    offsets.push_back(static_cast<std::int64_t>(sources.size()));
  }
  if (objects.empty()) return {};
  // Padding: entries without sources, spread over the objects; they add zeros.
  const auto count = static_cast<std::int64_t>(objects.size());
  for (std::int64_t k = count; k < ops::size_of(count, shapes); ++k) {
    objects.push_back(k % batch.objects());
    offsets.push_back(offsets.back());
  }
  sources.resize(static_cast<std::size_t>(ops::size_of(static_cast<std::int64_t>(sources.size()), shapes)), 0);
  return {upload(objects), upload(offsets), upload(sources)};
}

// [observations, D], or with the mask behind the values [observations, 2 D]; zeros from the last observation on.
at::Tensor place_inputs(const data::Batch& batch, std::int64_t observations, const TensorOptions& options,
                        ops::Upload& upload) {
  const std::int64_t features = batch.features, width = options.append_mask ? 2 * features : features;
  const auto write = [&](float* to) {
    float* const end = to + observations * width;
    if (options.append_mask) {
      const float *value = batch.observation_values.data(), *mask = batch.observation_mask.data();
      for (std::int64_t i = 0; i < batch.observations(); ++i, value += features, mask += features)
        to = std::copy(mask, mask + features, std::copy(value, value + features, to));
    } else {
      to = std::copy(batch.observation_values.begin(), batch.observation_values.end(), to);
    }
    std::fill(to, end, 0.0F);
  };
  if (options.dtype == at::kFloat) return upload.written<float>({observations, width}, write);
  const at::Tensor values = at::empty({observations, width}, at::TensorOptions(at::kFloat));
  write(values.data_ptr<float>());
  return upload(values.to(options.dtype));
}

}  // namespace

BatchTensors to_tensors(data::Batch batch, const TensorOptions& options, ops::Upload& upload) {
  BatchTensors out;
  const std::int64_t objects = batch.objects(), features = batch.features;
  auto place = [&](const at::Tensor& t) { return upload(t.to(options.dtype)); };
  const std::int64_t observations = ops::size_of(batch.observations(), options.shapes);
  const std::int64_t targets = ops::size_of(batch.targets(), options.shapes);
  out.inputs = place_inputs(batch, observations, options, upload);
  out.graph.times = copy(batch.observation_times, {batch.observations()});
  out.graph.observation_offsets = copy(batch.observation_offsets, {objects + 1});
  out.graph.system_offsets = copy(batch.object_offsets, {batch.systems() + 1});
  out.graph.window = options.window;
  out.graph.direction = options.direction;
  set_sources(batch, out.graph);
  ops::move_to_device(out.graph, upload, options.shapes);
  out.times = upload.padded<double>(batch.observation_times.data(), batch.observations(), observations);
  out.observation_offsets = upload(out.graph.observation_offsets);
  out.object_offsets = upload(out.graph.system_offsets);
  if (upload.purpose() == ops::Purpose::kTraining) {
    out.target_offsets = upload(copy(batch.target_offsets, {objects + 1}));
    out.target_values = place(copy(batch.target_values, {targets, features}));
    out.target_mask = place(copy(batch.target_mask, {targets, features}));
    out.target_seen = place(copy(batch.target_seen, {targets, 1}));
  }
  out.borrowing = find_borrowing(batch, out.graph, options.shapes, upload);
  out.batch = std::move(batch);
  return out;
}

}  // namespace lgode::model
