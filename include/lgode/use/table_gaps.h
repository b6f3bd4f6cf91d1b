// The gaps of a table that will be filled later, for a training that hides such gaps (`gaps_from`).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/train/config.h"

namespace lgode::use {

// Lengths of the table's gaps as options take them (TaskOptions::gaps), ascending: of each object and feature the times
// between two neighbouring values that are farther apart than usual (1.5 times the median). Of many lengths some
// quantiles. The table is read with the settings of the data set's import. DataError if it has no gaps.
std::vector<std::string> table_gaps(const std::filesystem::path& table, const data::Dataset& dataset,
                                    const std::filesystem::path& scratch_folder = ".", const StopFlag* stop = nullptr);

// The config with `gaps` from its `gaps_from`, unless it has both or neither.
train::RunConfig settle_gaps(train::RunConfig config, const data::Dataset& dataset, const StopFlag* stop = nullptr);

}  // namespace lgode::use
