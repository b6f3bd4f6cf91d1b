// Relations of an imported set: all pairs, none, the K nearest objects, or those of the edge table.
#include "csv_relations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"

namespace lgode::data {
namespace {

// More than this is surely a mistake, and would fill the memory.
constexpr std::int64_t kMostRelations = 500'000'000;

void add(OwnedArrays& arrays, std::int64_t source, std::int64_t target, std::int32_t type, float weight) {
  arrays.sources.push_back(static_cast<std::int32_t>(source));
  arrays.targets.push_back(static_cast<std::int32_t>(target));
  arrays.types.push_back(type);
  arrays.weights.push_back(weight);
}

void end_system(OwnedArrays& arrays) {
  arrays.relation_offsets.push_back(static_cast<std::int64_t>(arrays.sources.size()));
}

void add_all(Systems& systems) {
  std::int64_t total = 0;
  for (std::size_t s = 0; s < systems.system_ids.size(); ++s)
    total += systems.objects_of(s) * (systems.objects_of(s) - 1);
  if (total > kMostRelations)
    throw ConfigError(
        fmt::format("relating all objects would create {} relations; pass `edges` FILE, none or k-nearest=K", total));
  for (std::size_t s = 0; s < systems.system_ids.size(); ++s) {
    for (std::int64_t target = 0; target < systems.objects_of(s); ++target)
      for (std::int64_t source = 0; source < systems.objects_of(s); ++source)
        if (source != target) add(systems.arrays, source, target, 0, 1.0F);
    end_system(systems.arrays);
  }
}

// Features that give an object's position.
std::vector<std::size_t> position_features(const CsvImport& options, const std::vector<Feature>& features) {
  std::vector<std::size_t> positions, rest;
  std::vector<std::string> names;
  names.reserve(features.size());
  for (const Feature& feature : features) names.push_back(feature.name);
  for (const std::string& name : options.positions) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw ConfigError(fmt::format("`positions` {}: is no feature{}; the features are {}", name,
                                    did_you_mean(name, names), fmt::join(names, ", ")));
    positions.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  if (!positions.empty()) return positions;
  for (std::size_t f = 0; f < features.size(); ++f) {
    const bool moves = std::any_of(features.begin(), features.end(),
                                   [&](const Feature& v) { return v.velocity_of == static_cast<int>(f); });
    if (moves) positions.push_back(f);
    if (features[f].velocity_of < 0) rest.push_back(f);
  }
  return positions.empty() ? rest : positions;
}

// Mean of each position feature over the object's observations; NaN where there is none.
std::vector<double> mean_position(const Systems& systems, std::size_t object,
                                  const std::vector<std::size_t>& features) {
  const auto values = systems.values_of(object);
  std::vector<double> mean;
  for (const std::size_t f : features) {
    double sum = 0;
    std::int64_t count = 0;
    for (std::size_t i = f; i < values.size(); i += systems.features) {
      if (std::isnan(values[i])) continue;
      sum += values[i];
      ++count;
    }
    mean.push_back(count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN());
  }
  return mean;
}

// The K objects nearest to an object act on it. An object without a position has no neighbours.
void add_nearest(Systems& systems, std::int64_t neighbours, const std::vector<std::size_t>& features) {
  for (std::size_t s = 0; s < systems.system_ids.size(); ++s) {
    std::vector<std::vector<double>> positions;
    for (auto o = systems.arrays.object_offsets[s]; o < systems.arrays.object_offsets[s + 1]; ++o)
      positions.push_back(mean_position(systems, static_cast<std::size_t>(o), features));
    for (std::size_t target = 0; target < positions.size(); ++target) {
      std::vector<std::pair<double, std::size_t>> by_distance;
      for (std::size_t source = 0; source < positions.size(); ++source) {
        double square = 0;
        for (std::size_t f = 0; f < features.size(); ++f)
          square += std::pow(positions[source][f] - positions[target][f], 2);
        if (source != target && !std::isnan(square)) by_distance.emplace_back(square, source);
      }
      const auto count = std::min<std::size_t>(static_cast<std::size_t>(neighbours), by_distance.size());
      std::partial_sort(by_distance.begin(), by_distance.begin() + static_cast<std::ptrdiff_t>(count),
                        by_distance.end());
      for (std::size_t k = 0; k < count; ++k)
        add(systems.arrays, static_cast<std::int64_t>(by_distance[k].second), static_cast<std::int64_t>(target), 0,
            1.0F);
    }
    end_system(systems.arrays);
  }
}

}  // namespace

void add_table_relations(Systems& systems, const EdgeTable& edges, const std::vector<std::int32_t>& local_of) {
  for (const std::uint32_t recording : systems.recording) {
    for (const EdgeRow& edge : edges.by_system[recording])
      add(systems.arrays, local_of[edge.source], local_of[edge.target], edge.type, edge.weight);
    end_system(systems.arrays);
  }
}

std::vector<std::string> add_relations(const CsvImport& options, Systems& systems, const std::vector<Feature>& features,
                                       const EdgeTable& edges, const std::vector<std::int32_t>& local_of) {
  switch (options.edges) {
    case Edges::kTable:
      add_table_relations(systems, edges, local_of);
      return edges.types;
    case Edges::kAll:
      add_all(systems);
      break;
    case Edges::kNearest:
      add_nearest(systems, options.neighbours, position_features(options, features));
      break;
    case Edges::kNone:
      systems.arrays.relation_offsets.assign(systems.system_ids.size() + 1, 0);
      break;
  }
  return {"related"};
}

}  // namespace lgode::data
