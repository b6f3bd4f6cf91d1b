// Relations of an imported set: a rule for batches, or the edge table's relations among the objects of each system.
#include "table/relations.h"

#include "table/features.h"

namespace lgode::table {
void add_table_relations(Systems& systems, const EdgeTable& edges, const std::vector<std::int32_t>& local_of) {
  OwnedArrays& a = systems.arrays;
  std::vector<std::int32_t> place;  // in the system, by place in the recording; -1: absent
  for (std::size_t s = 0; s < systems.recording.size(); ++s) {
    const auto first = static_cast<std::size_t>(a.object_offsets[s]),
               end = static_cast<std::size_t>(a.object_offsets[s + 1]);
    for (std::size_t o = first; o < end; ++o) {
      const auto at = static_cast<std::size_t>(systems.place_in_recording[o]);
      if (at >= place.size()) place.resize(at + 1, -1);
      place[at] = static_cast<std::int32_t>(o - first);
    }
    const auto find = [&](std::uint32_t object) {
      const auto at = static_cast<std::size_t>(local_of[object]);
      return at < place.size() ? place[at] : -1;
    };
    for (const EdgeRow& edge : edges.by_system[systems.recording[s]]) {
      const std::int32_t source = find(edge.source), target = find(edge.target);
      if (source < 0 || target < 0) continue;
      a.relation_sources.push_back(source);
      a.relation_targets.push_back(target);
      a.relation_types.push_back(edge.type);
      a.relation_weights.push_back(edge.weight);
    }
    a.relation_offsets.push_back(static_cast<std::int64_t>(a.relation_sources.size()));
    for (std::size_t o = first; o < end; ++o) place[static_cast<std::size_t>(systems.place_in_recording[o])] = -1;
  }
}

void add_relations(const RelationSource& source, Systems& systems, const std::optional<EdgeTable>& edges,
                   const std::vector<std::int32_t>& local_of, data::Description& description) {
  if (edges) {
    add_table_relations(systems, *edges, local_of);
    description.relation_types = edges->types;
    return;
  }
  using Kind = data::EdgeRule::Kind;
  description.relation_types = {"related"};
  data::EdgeRule& rule = description.edges;
  rule.kind = source.rule;
  if (rule.kind == Kind::kNearest) rule.neighbours = source.neighbours;
  if (rule.kind == Kind::kWithin) rule.radius = source.radius;
  if (rule.kind == Kind::kNearest || rule.kind == Kind::kWithin)
    rule.positions = chosen_positions(source, description.features);
  systems.arrays.relation_offsets.assign(systems.system_ids.size() + 1, 0);
}

}  // namespace lgode::table
