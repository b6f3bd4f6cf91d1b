// A data set as tables: observations.csv, edges.csv, and dataset.json with what tables cannot hold (parts, origins,
// objects without observations, derived features, the rule for relations, the description). import_csv reads
// the folder back to the same data set, bit for bit.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lgode/core/file.h"
#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"

namespace lgode::table {

// The names of systems and objects that a spreadsheet would run as formulas (`=cmd`).
std::vector<std::string> formula_ids(const data::Dataset& dataset);
// The same set with a single quote before each of them.
data::Dataset with_safe_ids(const data::Dataset& dataset);

inline constexpr const char* kObservationsName = "observations.csv";
inline constexpr const char* kEdgesName = "edges.csv";
inline constexpr const char* kDatasetName = "dataset.json";

// Each file appears only when it is complete; dataset.json comes last. `progress(done, total)` counts systems. Throws
// DataError where two systems, or two objects of one system, have the same name: a table cannot distinguish them.
void export_csv(const data::Dataset& dataset, const std::filesystem::path& folder, Overwrite overwrite,
                const std::function<void(std::int64_t, std::int64_t)>& progress = {}, const StopFlag* stop = nullptr);

}  // namespace lgode::table
