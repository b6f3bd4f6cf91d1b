// Edges by name become relations among the objects of the observations. Without a system column an edge holds in every
// system that has both objects.
#include "table/edges.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "lgode/core/nearest.h"
#include "table/edge_rows.h"

namespace lgode::table {
namespace {

EdgeRows open_table(const ImportContext& context, Problems& problems) {
  const ImportOptions& options = context.options;
  const EdgeFormat format{.columns = options.relations.columns,
                          .delimiter = options.format.delimiter,
                          .decimal_comma = options.format.decimal_comma,
                          .float_weights = options.known.has_value()};
  return context.edges != nullptr ? EdgeRows(*context.edges, format, problems)
                                  : EdgeRows(*options.relations.table, format, problems);
}

class EdgeReader {
 public:
  EdgeReader(const ImportContext& context, const ObjectIndex& index, Problems& problems,
             const std::unordered_set<std::string>& excused)
      : options_(context.options),
        context_(context),
        index_(index),
        excused_(excused),
        rows_(open_table(context, problems)) {
    table_.by_system.resize(index.systems().size());
    seen_.resize(index.systems().size());
    if (options_.known)
      table_.types = options_.known->description.relation_types;
    else if (!options_.relations.same_types.empty())
      table_.types = options_.relations.same_types;
    else if (!rows_.has_types())
      table_.types = {"related"};
  }

  EdgeTable read() {
    rows_.read([this](const EdgeTexts& edge) { add_row(edge); }, context_.stop);
    if (table_.types.empty()) table_.types = {"related"};
    return std::move(table_);
  }

 private:
  using Column = EdgeRows::Column;

  bool refuse(Column column, std::string_view found, std::string expected) {
    rows_.refuse(column, found, std::move(expected));
    return false;
  }

  bool excused(std::string_view id) const { return excused_.contains(std::string(id)); }

  static std::array<std::pair<Column, std::string_view>, 2> ends(const EdgeTexts& edge) {
    return {{{Column::kSource, edge.source}, {Column::kTarget, edge.target}}};
  }

  bool add_row(const EdgeTexts& edge) {
    std::vector<std::uint32_t> systems;
    if (!find_systems(edge, systems)) return false;
    const std::int32_t type = edge.type ? find_type(*edge.type) : 0;
    if (type < 0)
      return refuse(Column::kType, *edge.type, fmt::format("one of the types {}", fmt::join(table_.types, ", ")));
    bool fresh = false;
    bool same = true;
    for (const std::uint32_t system : systems) fresh |= add_edge(system, edge, type, same);
    if (fresh) return true;
    // An undirected edge may be given in both directions.
    if (options_.relations.undirected && same) return false;
    return refuse(Column::kRow, fmt::format("{} to {}", edge.source, edge.target),
                  options_.relations.undirected
                      ? "one weight for both directions; this edge occurred before with another"
                      : "each edge once; this one occurred before");
  }

  // The systems that the edge holds in.
  bool find_systems(const EdgeTexts& edge, std::vector<std::uint32_t>& systems) {
    if (edge.system) {
      const auto system = index_.find_system(*edge.system);
      if (!system && excused(*edge.system)) return false;
      if (!system)
        return refuse(Column::kSystem, *edge.system,
                      "a system of the observations" + meant(*edge.system, index_.systems()));
      for (const auto& [column, id] : ends(edge)) {
        if (index_.find(*system, id)) continue;
        if (excused(id)) return false;
        return refuse(
            column, id,
            fmt::format("an object of system '{}'{}", index_.systems()[*system], meant(id, objects_of(*system))));
      }
      systems = {*system};
      return true;
    }
    for (std::uint32_t s = 0; s < index_.systems().size(); ++s)
      if (index_.find(s, edge.source) && index_.find(s, edge.target)) systems.push_back(s);
    if (!systems.empty()) return true;
    if (excused(edge.source) || excused(edge.target)) return false;
    for (const auto& [column, id] : ends(edge)) {
      const bool somewhere = std::any_of(index_.objects().begin(), index_.objects().end(),
                                         [&, name = id](const auto& object) { return object.id == name; });
      if (!somewhere) return refuse(column, id, "an object of the observations" + meant(id, objects_of(0)));
    }
    return refuse(Column::kTarget, edge.target, "an object that is in one system with the source");
  }

  std::vector<std::string> objects_of(std::uint32_t system) const {
    std::vector<std::string> ids;
    for (const ObjectIndex::Object& object : index_.objects())
      if (object.system == system) ids.push_back(object.id);
    return ids;
  }

  static std::string meant(std::string_view word, const std::vector<std::string>& candidates) {
    // Searching very many names for a typing error takes too long.
    constexpr std::size_t kMost = 10000;
    const std::string near = candidates.size() > kMost ? std::string() : nearest(word, candidates);
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
  }

  // Negative if the set's types are known and this is not one of them.
  std::int32_t find_type(std::string_view name) {
    const auto found = std::find(table_.types.begin(), table_.types.end(), name);
    if (found != table_.types.end()) return static_cast<std::int32_t>(found - table_.types.begin());
    if (options_.known || !options_.relations.same_types.empty()) return -1;
    table_.types.emplace_back(name);
    return static_cast<std::int32_t>(table_.types.size()) - 1;
  }

  // False if it is a repetition; `same` stays true if the weight is the same.
  bool add_edge(std::uint32_t system, const EdgeTexts& edge, std::int32_t type, bool& same) {
    const std::uint32_t source = *index_.find(system, edge.source);
    const std::uint32_t target = *index_.find(system, edge.target);
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
      // An exported set is restored exactly.
      if (!options_.known) {
        const auto [was, fresh] = seen_[system].try_emplace({from, to, type}, edge.weight);
        same = same && was->second == edge.weight;
        if (!fresh) return false;
      }
      table_.by_system[system].push_back({from, to, type, edge.weight});
      return true;
    };
    const bool fresh = add(source, target);
    return (options_.relations.undirected && add(target, source)) || fresh;
  }

  const ImportOptions& options_;
  const ImportContext& context_;
  const ObjectIndex& index_;
  const std::unordered_set<std::string>& excused_;
  EdgeRows rows_;
  EdgeTable table_;
  std::vector<std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, float>> seen_;  // weights
};

}  // namespace

EdgeTable read_edges(const ImportContext& context, const ObjectIndex& index, Problems& problems,
                     const std::unordered_set<std::string>& excused) {
  return EdgeReader(context, index, problems, excused).read();
}

}  // namespace lgode::table
