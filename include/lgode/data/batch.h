// A batch of systems, as the input of a model: ragged flat arrays, normalised values, times in model units (one unit is
// the data set's time scale) relative to each system's start. Assembled from scenes (data/batch_maker.h). No LibTorch
// here.
//
// Shapes: B systems, N objects, M encoder observations, T targets, D features, E relations.
#pragma once

#include <cstdint>
#include <vector>

namespace lgode::data {

struct Batch {
  std::int64_t features = 0;
  std::vector<std::int64_t> system;          // [B] Scene::number; of a data set's system its index
  std::vector<std::int64_t> place;           // [B] position in the caller's list of scenes
  std::vector<double> start;                 // [B] t_start in model time since the system's origin
  std::vector<std::int64_t> object_offsets;  // [B+1]
  std::vector<std::int64_t> object;          // [N] index within its system; ascending
  std::vector<double> centre;                // [B, D] physical; subtracted from the values, mostly 0

  // Relations by target object; objects are counted over the whole batch.
  std::vector<std::int64_t> relation_offsets;  // [N+1]
  std::vector<std::int64_t> relation_sources;  // [E]
  std::vector<std::int32_t> relation_types;    // [E]
  std::vector<float> relation_weights;         // [E]

  // Observations that the encoder sees; times ascending within an object.
  std::vector<std::int64_t> observation_offsets;  // [N+1]
  std::vector<double> observation_times;          // [M]
  std::vector<float> observation_values;          // [M, D] 0 where missing
  std::vector<float> observation_mask;            // [M, D] 1 where present
  std::vector<std::int32_t> observation_rows;     // [M] row of the scene's source, counted within the object

  // Targets: values that the model has to predict.
  std::vector<std::int64_t> target_offsets;  // [N+1]
  std::vector<double> target_times;          // [T] >= 0, ascending within an object
  // Empty in a prediction:
  std::vector<float> target_values;       // [T, D]
  std::vector<float> target_mask;         // [T, D]
  std::vector<std::uint8_t> target_seen;  // [T] 1 where the encoder sees this observation
  std::vector<std::int32_t> target_rows;  // [T] row of the scene's source, counted within the object

  // U targets of objects that are excluded because they have no context, also in systems that are excluded because
  // they have none at all.
  std::int64_t unseen_objects = 0;   // objects with such targets
  std::vector<float> unseen_errors;  // [U, D] target minus the mean of its system's context (no context: 0)
  std::vector<float> unseen_mask;    // [U, D]

  std::int64_t systems() const { return static_cast<std::int64_t>(system.size()); }
  std::int64_t objects() const { return object_offsets.back(); }
  std::int64_t observations() const { return static_cast<std::int64_t>(observation_times.size()); }
  std::int64_t targets() const { return static_cast<std::int64_t>(target_times.size()); }
  // Whether any target has a value.
  bool asks_something() const;
  // Last target time of each system; 0 without targets.
  std::vector<double> horizons() const;
};

}  // namespace lgode::data
