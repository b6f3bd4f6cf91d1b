// Applies the rules to each pair: a scene has few objects.
#include "lgode/data/relation_rule.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lgode::data {
namespace {

Relation relation(std::size_t source, std::size_t target) {
  return {static_cast<std::int32_t>(source), static_cast<std::int32_t>(target), 0, 1.0F};
}

std::vector<Relation> all_on_all(std::size_t objects) {
  std::vector<Relation> out;
  out.reserve(objects * (objects - (objects > 0 ? 1 : 0)));
  for (std::size_t target = 0; target < objects; ++target)
    for (std::size_t source = 0; source < objects; ++source)
      if (source != target) out.push_back(relation(source, target));
  return out;
}

std::vector<Relation> near_ones(const EdgeRule& rule, std::size_t objects, std::span<const double> positions) {
  const std::size_t axes = rule.positions.size();
  const double most = rule.radius * rule.radius;
  std::vector<Relation> out;
  std::vector<std::pair<double, std::size_t>> near;  // squared distance, source
  for (std::size_t target = 0; target < objects; ++target) {
    near.clear();
    for (std::size_t source = 0; source < objects; ++source) {
      double square = 0;
      for (std::size_t a = 0; a < axes; ++a) {
        const double difference = positions[source * axes + a] - positions[target * axes + a];
        square += difference * difference;
      }
      // NaN where a position is unknown.
      const bool in = rule.kind == EdgeRule::Kind::kWithin ? square <= most : !std::isnan(square);
      if (in && source != target) near.emplace_back(square, source);
    }
    if (rule.kind == EdgeRule::Kind::kNearest) {
      const std::size_t keep = std::min(static_cast<std::size_t>(rule.neighbours), near.size());
      std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(keep), near.end());
      near.resize(keep);
    }
    for (const auto& [square, source] : near) out.push_back(relation(source, target));
  }
  return out;
}

}  // namespace

std::vector<Relation> relations_by_rule(const EdgeRule& rule, std::size_t objects, std::span<const double> positions) {
  switch (rule.kind) {
    case EdgeRule::Kind::kAll:
      return all_on_all(objects);
    case EdgeRule::Kind::kNearest:
    case EdgeRule::Kind::kWithin:
      return near_ones(rule, objects, positions);
    case EdgeRule::Kind::kListed:
      break;
  }
  return {};
}

std::vector<Relation> relations_among(std::vector<Relation> listed, std::span<const std::int32_t> place) {
  auto end = listed.begin();
  for (const Relation& r : listed) {
    const std::int32_t source = place[static_cast<std::size_t>(r.source)],
                       target = place[static_cast<std::size_t>(r.target)];
    if (source >= 0 && target >= 0) *end++ = {source, target, r.type, r.weight};
  }
  listed.erase(end, listed.end());
  const auto before = [](const Relation& a, const Relation& b) { return a.target < b.target; };
  if (!std::is_sorted(listed.begin(), listed.end(), before)) std::stable_sort(listed.begin(), listed.end(), before);
  return listed;
}

}  // namespace lgode::data
