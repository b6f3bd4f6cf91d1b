// The features of an imported set: units, velocities and positions. Internal to the import.
#pragma once

#include <string>
#include <vector>

#include "lgode/data/dataset.h"
#include "lgode/table/options.h"
#include "table/observations.h"

namespace lgode::table {

// Of the columns `names`; ConfigError on options that name others, and on velocities that go in a circle.
// `units`: that stand with them; the option goes first.
std::vector<data::Feature> make_features(const ImportOptions& options, const std::vector<std::string>& names,
                                         const std::vector<std::string>& units, const std::string& time_unit);

// The features that give an object's position: `positions` or, where it is empty, position_features.
std::vector<int> chosen_positions(const RelationSource& source, const std::vector<data::Feature>& features);
// Their places among the values of the table's rows.
std::vector<std::size_t> position_columns(const RelationSource& source, const ObservationTable& table,
                                          const std::vector<data::Feature>& features);

}  // namespace lgode::table
