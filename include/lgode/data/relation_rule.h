// Who acts on whom among the objects that are present: all on all, the nearest, those within a radius, or as listed.
// Batches decide once per scene, by the positions of its context; a follower decides again at each time, by the
// latest positions, so that its neighbours change while a forecast over the same rows keeps its first ones.
//
// Objects are counted by their place in the list of those present. Relations are ordered by target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

// By a rule other than kListed, with type 0 and weight 1. `positions`: [objects, axes], NaN where unknown; an object
// without a position has no neighbours. kAll reads no positions, so they may be empty. Sources ascend by place
// (kAll, kWithin) or by distance (kNearest).
std::vector<Relation> relations_by_rule(const EdgeRule& rule, std::size_t objects, std::span<const double> positions);

// The listed relations of which both ends are present, in their order for each target. `place`: by the number that an
// object has in `listed`; -1: absent.
std::vector<Relation> relations_among(std::vector<Relation> listed, std::span<const std::int32_t> place);

}  // namespace lgode::data
