// Features from the columns of a table, with units and velocities as the options say.
#include "table/features.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/table/unit_names.h"

namespace lgode::table {
namespace {

// A velocity may have a velocity of its own (an acceleration), but the chain must end.
void check_velocities(const std::vector<data::Feature>& features) {
  for (std::size_t f = 0; f < features.size(); ++f) {
    std::string chain = features[f].name;
    int at = features[f].velocity_of;
    for (std::size_t steps = 0; at >= 0 && steps < features.size(); ++steps) {
      const data::Feature& feature = features[static_cast<std::size_t>(at)];
      chain += " of " + feature.name;
      if (static_cast<std::size_t>(at) == f)
        throw ConfigError(fmt::format("`velocity_of`: a circle, {}; which of them is the position?", chain));
      at = feature.velocity_of;
    }
  }
}

// Derived velocities of the positions that have none.
void add_derived(const ImportOptions& options, const std::string& time_unit, std::vector<data::Feature>& features) {
  const std::size_t given = features.size();
  std::vector<int> positions;
  if (!options.relations.positions.empty()) positions = chosen_positions(options.relations, features);
  for (int f = 0; f < static_cast<int>(given) && options.relations.positions.empty(); ++f)
    if (features[static_cast<std::size_t>(f)].velocity_of < 0) positions.push_back(f);
  const auto taken = [&](const std::string& name) {
    return std::any_of(features.begin(), features.end(), [&](const data::Feature& f) { return f.name == name; });
  };
  for (const int f : positions) {
    if (std::any_of(features.begin(), features.end(), [&](const data::Feature& v) { return v.velocity_of == f; }))
      continue;
    const data::Feature position = features[static_cast<std::size_t>(f)];
    std::string name = "v" + position.name;
    if (taken(name)) name = position.name + "_velocity";
    if (taken(name))
      throw ConfigError(
          fmt::format("`velocities` difference: there are features 'v{0}' and '{0}_velocity' already; say with "
                      "`velocity_of` which is the velocity of '{0}'",
                      position.name));
    const std::string unit =
        position.unit.empty() || time_unit.empty() ? "" : fmt::format("{}/{}", position.unit, time_unit);
    features.push_back({name, unit, static_cast<int>(features.size()), f, true});
  }
  if (features.size() == given)
    throw ConfigError("`velocities` difference: every position has a velocity already; leave the option out");
}

// Units stand in the names of columns; a table in other ones would be read as numbers of the set's.
void check_same_units(const std::vector<data::Feature>& same, const std::vector<std::string>& names,
                      const std::vector<std::string>& units) {
  for (const data::Feature& feature : same) {
    const auto found = std::find(names.begin(), names.end(), feature.name);
    if (found == names.end() || feature.unit.empty()) continue;
    const std::string& unit = units[static_cast<std::size_t>(found - names.begin())];
    if (!unit.empty() && unit != feature.unit)
      throw ConfigError(
          fmt::format("'{}' is in {} in this table, and was in {} in the imported one; convert the column, or name its "
                      "unit as there if both mean the same",
                      feature.name, unit, feature.unit));
  }
}

}  // namespace

std::vector<data::Feature> make_features(const ImportOptions& options, const std::vector<std::string>& names,
                                         const std::vector<std::string>& units, const std::string& time_unit) {
  if (!options.roles.same_features.empty()) {
    check_same_units(options.roles.same_features, names, units);
    return options.roles.same_features;
  }
  const auto find = [&](const std::string& name, const char* option) {
    if (const auto found = column_named(names, units, name)) return static_cast<int>(*found);
    throw ConfigError(fmt::format("{} {}: is not a feature{}; the features are {}", option, name,
                                  did_you_mean(name, names), fmt::join(names, ", ")));
  };
  std::vector<data::Feature> features;
  for (std::size_t f = 0; f < names.size(); ++f) features.push_back({names[f], units[f], static_cast<int>(f), -1});
  for (const auto& [name, unit] : options.roles.units)
    features[static_cast<std::size_t>(find(name, "`units`"))].unit = unit;
  for (const auto& [velocity, position] : options.roles.velocity_of) {
    const int of = find(position, "`velocity_of`");
    const int is = find(velocity, "`velocity_of`");
    if (of == is)
      throw ConfigError(fmt::format("`velocity_of` {}={}: a feature is not its own velocity", velocity, position));
    features[static_cast<std::size_t>(is)].velocity_of = of;
  }
  check_velocities(features);
  if (options.roles.velocities == Velocities::kDifference) add_derived(options, time_unit, features);
  return features;
}

std::vector<int> chosen_positions(const RelationSource& source, const std::vector<data::Feature>& features) {
  if (source.positions.empty()) return data::position_features(features);
  std::vector<std::string> names, units;
  std::vector<int> places, positions;
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (features[f].derived) continue;
    names.push_back(features[f].name);
    units.push_back(features[f].unit);
    places.push_back(static_cast<int>(f));
  }
  for (const std::string& name : source.positions) {
    const auto found = column_named(names, units, name);
    if (!found)
      throw ConfigError(fmt::format("`positions` {}: is not a feature{}; the features are {}", name,
                                    did_you_mean(name, names), fmt::join(names, ", ")));
    positions.push_back(places[*found]);
  }
  return positions;
}

std::vector<std::size_t> position_columns(const RelationSource& source, const ObservationTable& table,
                                          const std::vector<data::Feature>& features) {
  std::vector<std::size_t> columns;
  for (const int f : chosen_positions(source, features)) {
    const std::string& name = features[static_cast<std::size_t>(f)].name;
    const auto found = std::find(table.features.begin(), table.features.end(), name);
    if (found != table.features.end()) columns.push_back(static_cast<std::size_t>(found - table.features.begin()));
  }
  return columns;
}

}  // namespace lgode::table
