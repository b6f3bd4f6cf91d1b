// Small random data sets with irregular times: ragged systems, missing values, objects without observations (blind),
// weights and types.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/dataset.h"

namespace lgode::testing {

struct SetShape {
  std::vector<std::int64_t> objects{3, 1, 4, 2};  // per system; the last system is for testing, the others for training
  std::int64_t min_length = 4, max_length = 9;
  std::int64_t types = 2;
  double missing = 0.0;      // share of values
  bool blind = false;        // the first object of the first system has no observations
  double blind_share = 0.0;  // probability that an object has no observations
  double shift = 0.0;        // added to every time and origin
};

inline data::Dataset random_dataset(const SetShape& shape, std::uint64_t seed = 3) {
  data::Description d;
  d.name = "random";
  d.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"vx", "m/s", 1, 0}};
  for (std::int64_t r = 0; r < shape.types; ++r) d.relation_types.push_back("type " + std::to_string(r));
  d.time_scale = d.conditioning_length = 2.0;
  data::DatasetBuilder builder(d);
  for (std::size_t s = 0; s < shape.objects.size(); ++s) {
    Random random(seed, RandomUse::kTest, {s});
    const bool test = s + 1 == shape.objects.size();
    builder.begin_system(test ? data::Part::kTest : data::Part::kTrain, shape.shift);
    for (std::int64_t i = 0; i < shape.objects[s]; ++i) {
      builder.add_object();
      const bool blind =
          (shape.blind && s == 0 && i == 0) || (shape.blind_share > 0 && random.uniform() < shape.blind_share);
      const std::int64_t length = blind ? 0 : random.between(shape.min_length, shape.max_length);
      // Test systems continue beyond the conditioning range.
      const double range = test ? 4.0 : 2.0;
      for (std::int64_t k = 0; k < length; ++k) {
        const double t = range * (static_cast<double>(k) + 0.9 * random.uniform()) / static_cast<double>(length);
        std::vector<double> v{std::sin(t + static_cast<double>(i)), std::cos(2 * t),
                              std::cos(t + static_cast<double>(i))};
        for (double& x : v)
          if (random.uniform() < shape.missing) x = std::numeric_limits<double>::quiet_NaN();
        builder.add_observation(t + shape.shift, v);
      }
    }
    for (std::int32_t i = 0; i < shape.objects[s]; ++i)
      for (std::int32_t j = 0; j < shape.objects[s]; ++j)
        if (i != j && random.uniform() < 0.6)
          builder.add_relation({j, i, static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(shape.types))),
                                static_cast<float>(0.5 + random.uniform())});
  }
  return builder.finish("random data set");
}

// Two systems of one object each: one without observations, one with a single value.
inline data::Dataset nothing_and_one_observation() {
  data::Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  data::DatasetBuilder builder(d);
  builder.begin_system(data::Part::kTrain);
  builder.add_object();
  builder.begin_system(data::Part::kTrain);
  builder.add_object();
  builder.add_observation(0.5, std::vector<double>{1.0});
  return builder.finish("tiny");
}

inline data::BatchMaker random_maker(const SetShape& shape, const data::TaskOptions& task = {},
                                     std::uint64_t seed = 3) {
  const data::Dataset dataset = random_dataset(shape, seed);
  data::TaskOptions own = task;
  if (shape.blind || shape.blind_share > 0) own.unseen = data::Unseen::kPredict;
  return {dataset, data::fit_normalisation(dataset, data::normalisation_systems(dataset, own)), own};
}

}  // namespace lgode::testing
