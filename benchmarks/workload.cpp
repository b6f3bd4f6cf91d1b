// The shared data set and model of workload.h.
#include "workload.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lgode/core/random.h"
#include "lgode/data/simulate.h"

namespace lgode::bench {

ops::Precision& precision() {
  static ops::Precision chosen = ops::Precision::kFloat32;
  return chosen;
}

const data::BatchMaker& springs() {
  static const data::BatchMaker maker = [] {
    const data::Dataset set = data::simulate({.train = 256, .test = 1});
    return data::BatchMaker(set, data::fit_normalisation(set, set.systems_in(data::Part::kTrain)), {.observed = 0.6});
  }();
  return maker;
}

data::Batch springs_batch(std::int64_t systems) {
  std::vector<std::int64_t> list(static_cast<std::size_t>(systems));
  std::iota(list.begin(), list.end(), 0);
  return springs().make(list, data::View::kTrain);
}

data::Batch own_times_batch(std::int64_t objects, std::int64_t observations) {
  data::Batch batch;
  Random random(1, RandomUse::kTest);
  batch.features = 4, batch.system = batch.place = {0}, batch.start = {0.0};
  batch.centre.assign(4, 0.0);
  batch.object_offsets = {0, objects};
  batch.observation_offsets = batch.target_offsets = batch.relation_offsets = {0};
  const auto add = [&](std::int64_t i, double t, auto& times, auto& values, auto& mask) {
    const double phase = 3 * t + static_cast<double>(i), x = std::cos(phase), y = std::sin(phase);
    times.push_back(t);
    for (const double v : {x, y, -y, x}) values.push_back(static_cast<float>(v)), mask.push_back(1.0F);
  };
  for (std::int64_t i = 0; i < objects; ++i) {
    batch.object.push_back(i);
    std::vector<double> times;
    for (std::int64_t k = 0; k < observations; ++k) times.push_back(random.uniform());
    std::sort(times.begin(), times.end());
    for (std::int64_t k = 0; k < observations; ++k) {
      add(i, times[k], batch.observation_times, batch.observation_values, batch.observation_mask);
      batch.observation_rows.push_back(static_cast<std::int32_t>(k));
      if (k > 0) add(i, (times[k - 1] + times[k]) / 2, batch.target_times, batch.target_values, batch.target_mask);
    }
    for (std::int64_t j = 0; j < objects; ++j)
      if (j != i)
        batch.relation_sources.push_back(j), batch.relation_types.push_back(0), batch.relation_weights.push_back(1);
    batch.observation_offsets.push_back(static_cast<std::int64_t>(batch.observation_times.size()));
    batch.target_offsets.push_back(static_cast<std::int64_t>(batch.target_times.size()));
    batch.relation_offsets.push_back(static_cast<std::int64_t>(batch.relation_sources.size()));
  }
  batch.target_seen.assign(batch.target_times.size(), 0);
  return batch;
}

model::LgOde make_model(const model::ModelOptions& options, at::Device device) {
  return {options, {4, 1, false, data::default_window(springs().dataset(), 0.6)}, 1, at::kFloat, device};
}

}  // namespace lgode::bench
