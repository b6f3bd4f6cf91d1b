// Augmentation of training batches. Rotation: rotates and mirrors each system about its centre at random. Where scenes
// have no preferred direction, the model then does not learn one. Size: enlarges or shrinks each system about its
// centre, so that a model learns from faster and slower, wider and denser scenes than there are.
//
// In the units of the world, with c^2 + s^2 = 1 and m = 1 or -1: x' = c x - s m y, y' = s x + c m y, for the two
// position features and for each pair of their velocities. Times, masks, relations and other features stay.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"

namespace lgode::data {

// Features that rotate together, as (x, y).
using TurnedPairs = std::vector<std::pair<int, int>>;

// The pairs of a data set: its two position features, their velocities, and their accelerations. ConfigError unless
// there are exactly two positions, in one unit, with as many velocities each.
TurnedPairs turned_pairs(const std::vector<Feature>& features);

// Rotates each system by an angle that follows from seed, step and system. A system in which an observation or a
// target has one value of a pair without the other is rotated by a multiple of a right angle, with its masks.
// The batch must be centred per system (Centre::kSystem).
void turn(Batch& batch, const TurnedPairs& pairs, const Normalisation& normalisation, std::uint64_t seed,
          std::int64_t step);

// Features that are enlarged together: positions, their velocities, and velocities of these.
std::vector<int> resized_features(const std::vector<Feature>& features);

// Multiplies these features of each system by a factor between 1 / most and most, whose logarithm is uniform and
// follows from seed, step and system. The batch must be centred per system.
void resize(Batch& batch, const std::vector<int>& features, double most, std::uint64_t seed, std::int64_t step);

}  // namespace lgode::data
