// Relations of an imported set: a rule for batches, or those of the edge table among the objects of each system.
#include "table/relations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"

namespace lgode::table {
namespace {

// A number after a prefix such as "within=".
template <class Number>
bool read_after(std::string_view text, std::string_view prefix, Number& value) {
  if (!text.starts_with(prefix)) return false;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, value);
  return error == std::errc() && stop == end;
}

}  // namespace

void choose_edges(const std::string& text, ImportOptions& options) {
  const bool within = text == "within" || text.starts_with("within=");
  options.edges = text.empty() || text == "all"   ? Edges::kAll
                  : text == "none"                ? Edges::kNone
                  : text.starts_with("k-nearest") ? Edges::kNearest
                  : within                        ? Edges::kWithin
                                                  : Edges::kTable;
  if (options.edges == Edges::kTable) options.edge_table = text;
  if (options.edges == Edges::kTable && text.find('=') != std::string::npos && !std::filesystem::exists(text))
    throw ConfigError(fmt::format(
        "`edges` {}: is neither a file nor a rule; expected a table, none, all, k-nearest=K or within=R", text));
  if (options.edges == Edges::kWithin &&
      !(read_after(text, "within=", options.radius) && options.radius > 0 && std::isfinite(options.radius)))
    throw ConfigError(fmt::format("`edges` {}: expected within=R with a distance R above 0", text));
  if (options.edges == Edges::kNearest &&
      (!read_after(text, "k-nearest=", options.neighbours) || options.neighbours < 1))
    throw ConfigError(fmt::format("`edges` {}: expected k-nearest=K with K at least 1", text));
}

std::vector<int> chosen_positions(const ImportOptions& options, const std::vector<data::Feature>& features) {
  if (options.positions.empty()) return data::position_features(features);
  std::vector<std::string> names;
  std::vector<int> places, positions;
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (features[f].derived) continue;
    names.push_back(features[f].name);
    places.push_back(static_cast<int>(f));
  }
  for (const std::string& name : options.positions) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw ConfigError(fmt::format("`positions` {}: is no feature{}; the features are {}", name,
                                    did_you_mean(name, names), fmt::join(names, ", ")));
    positions.push_back(places[static_cast<std::size_t>(found - names.begin())]);
  }
  return positions;
}

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
      a.sources.push_back(source);
      a.targets.push_back(target);
      a.types.push_back(edge.type);
      a.weights.push_back(edge.weight);
    }
    a.relation_offsets.push_back(static_cast<std::int64_t>(a.sources.size()));
    for (std::size_t o = first; o < end; ++o) place[static_cast<std::size_t>(systems.place_in_recording[o])] = -1;
  }
}

void add_relations(const ImportOptions& options, Systems& systems, const EdgeTable& edges,
                   const std::vector<std::int32_t>& local_of, data::Description& description) {
  description.relation_types = {"related"};
  data::EdgeRule& rule = description.edges;
  switch (options.edges) {
    case Edges::kTable:
      add_table_relations(systems, edges, local_of);
      description.relation_types = edges.types;
      return;
    case Edges::kNone:
      break;
    case Edges::kAll:
      rule.kind = data::EdgeRule::Kind::kAll;
      break;
    case Edges::kNearest:
      rule.kind = data::EdgeRule::Kind::kNearest;
      rule.neighbours = options.neighbours;
      rule.positions = chosen_positions(options, description.features);
      break;
    case Edges::kWithin:
      rule.kind = data::EdgeRule::Kind::kWithin;
      rule.radius = options.radius;
      rule.positions = chosen_positions(options, description.features);
      break;
  }
  systems.arrays.relation_offsets.assign(systems.system_ids.size() + 1, 0);
}

}  // namespace lgode::table
