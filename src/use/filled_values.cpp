// Names of filled rows, and the recordings to fill.
#include "filled_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lgode/core/error.h"
#include "lgode/data/recordings.h"
#include "lgode/table/import.h"

namespace lgode::use {
namespace {

std::string key(std::string_view system, std::string_view object) {
  return fmt::format("{}:{}{}", system.size(), system, object);
}

std::vector<std::int64_t> all_systems(const data::Dataset& set) {
  std::vector<std::int64_t> systems(static_cast<std::size_t>(set.systems()));
  std::iota(systems.begin(), systems.end(), 0);
  return systems;
}

}  // namespace

ObjectsByName::ObjectsByName(const data::Dataset& set) {
  for (std::int64_t s = 0; s < set.systems(); ++s)
    for (std::int64_t o = 0; o < set.objects_of(s); ++o)
      objects_.emplace(key(data::recording_of(set, s), set.object_id(s, o)), set.first_object(s) + o);
}

std::optional<std::int64_t> ObjectsByName::find(std::string_view system, std::string_view object) const {
  const auto found = objects_.find(key(system, object));
  return found == objects_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<double> interval_quantiles(const eval::FillOptions& options) {
  return options.predict.quantiles.empty() ? std::vector<double>{0.05, 0.95} : options.predict.quantiles;
}

Recordings recordings_of(const data::Dataset& dataset, const std::vector<std::int64_t>& systems) {
  if (dataset.description().recordings.empty()) return {dataset, systems};
  return recordings_of_table(data::join_recordings(dataset, systems));
}

Recordings recordings_of_table(data::Dataset table) {
  std::vector<std::int64_t> systems = all_systems(table);
  return {std::move(table), std::move(systems)};
}

table::ImportOptions whole_import(const data::Dataset& dataset, const std::vector<std::string>& columns,
                                  const std::string& where) {
  if (std::find(columns.begin(), columns.end(), kImputed) != columns.end())
    throw ConfigError(fmt::format("{}: has a column '{}' already; rename or remove it", where, kImputed));
  table::ImportOptions import = table::same_table_import(dataset.description());
  import.relations.rule = data::EdgeRule::Kind::kListed;
  import.arrangement.split = 1.0;
  import.skip_bad_rows = true;
  return import;
}

void check_table_fits(const data::Dataset& table, const data::Dataset& dataset, const std::string& where) {
  if (table.description().time_format.empty() != dataset.description().time_format.empty())
    throw DataError(fmt::format("{}: either the table or the data set has dates, the other plain times", where));
  if (table.features() != dataset.features())
    throw DataError(fmt::format("{}: has {} features, the data set {}", where, table.features(), dataset.features()));
}

bool has_system_column(const data::Dataset& set) {
  const auto& columns = set.description().columns;
  return columns.empty() || !columns[0].empty() || set.systems() > 1;
}

std::vector<std::string> table_columns(const data::Dataset& dataset) {
  const std::vector<std::string>& columns = dataset.description().columns;
  std::vector<std::string> names = columns.empty() ? std::vector<std::string>{"system", "object", "time"} : columns;
  if (names[0].empty() && has_system_column(dataset)) names[0] = "system";
  return names;
}

}  // namespace lgode::use
