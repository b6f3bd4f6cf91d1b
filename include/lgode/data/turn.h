// Turns and mirrors the systems of a training batch about their centres, each at random: where a scene has no preferred
// direction, a model that sees it from all sides learns none.
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

// Features that turn together, as (x, y).
using TurnedPairs = std::vector<std::pair<int, int>>;

// The pairs of a data set: its two position features, their velocities, and the velocities of those. ConfigError unless
// there are exactly two positions, in one unit, with as many velocities each.
TurnedPairs turned_pairs(const std::vector<Feature>& features);

// Turns each system by an angle of its own, which follows from seed, step and system. A system in which an observation
// or a target has one value of a pair without the other is turned by a multiple of a right angle; its masks turn, too.
// The batch must be centred per system (Centre::kSystem).
void turn(Batch& batch, const TurnedPairs& pairs, const Normalisation& normalisation, std::uint64_t seed,
          std::int64_t step);

}  // namespace lgode::data
