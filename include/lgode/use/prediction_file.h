// Predictions on disk: CSV in long form, or safetensors with flat arrays (docs/data-format.md). Independent of
// LibTorch.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lgode/core/file.h"
#include "lgode/data/dataset.h"

namespace lgode::eval {
struct SystemPrediction;
}

namespace lgode::use {

inline constexpr const char* kPredictionKind = "prediction";

using PredictionSink = std::function<void(const eval::SystemPrediction&)>;
// Makes the predictions; calls the sink once per system.
using PredictionSource = std::function<void(const PredictionSink&)>;

// The path of the notes on a filled table, next to it: NAME.json for NAME.csv.
std::filesystem::path fill_notes_path(const std::filesystem::path& table);

// ConfigError unless the name ends in .csv or .safetensors.
void check_prediction_name(const std::filesystem::path& path);

// How systems, objects and times appear in a file.
struct PredictionForm {
  // As in the table that the data set was made of: names of its columns, and counts where its times are counts.
  bool own_names = false;
  bool relative = false;     // times count from each system's origin
  std::int64_t futures = 0;  // that each prediction has: CSV has the columns future and probability
};

// Runs `source` and writes what it yields; the file appears only when it is complete. Derived features are omitted.
// Objects without a prediction (NaN) have no rows in CSV and NaN in safetensors. `notes`: JSON about the whole
// prediction, kept in safetensors only.
// `quantiles`: those that the predictions hold; none: 5 and 95 %.
void write_predictions(const std::filesystem::path& path, Overwrite overwrite, const data::Dataset& dataset,
                       const nlohmann::json& notes, const std::vector<double>& quantiles,
                       const PredictionSource& source, const PredictionForm& form = {});

// Calls the sink with the predictions of a .safetensors file that write_predictions() wrote for this data set.
void read_predictions(const std::filesystem::path& path, const data::Dataset& dataset,
                      const std::vector<double>& quantiles, const PredictionSink& sink);

// The path of the intervals of a filled table: NAME.intervals.csv for NAME.csv.
std::filesystem::path fill_intervals_path(const std::filesystem::path& table);

// For lgode info: a safetensors file as JSON, and that as text.
nlohmann::ordered_json summarise_predictions(const std::filesystem::path& path);
std::string prediction_text(const nlohmann::ordered_json& summary);

}  // namespace lgode::use
