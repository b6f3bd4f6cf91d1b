// Result records: one JSON file per cell, written by `lgode evaluate --record`, or one that says why the cell failed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lgode/reproduce/plan.h"

namespace lgode::reproduce {

struct Errors {
  double mse = 0;                // all targets; not multiplied by 100
  std::optional<double> unseen;  // targets outside the context
};

struct Record {
  std::filesystem::path file;
  Cell cell;
  std::string failed;  // why; empty where the cell is done, and only then the rest is there
  Errors errors;
  std::optional<double> first_half;         // error of the first half of a forecast
  std::optional<double> within;             // error of a forecast for the systems that stay clear of the walls
  std::map<std::string, Errors> classical;  // by name
  std::optional<double> validation;
  std::int64_t epochs = 0, train_systems = 0, test_systems = 0;
  double seconds = 0;  // of the training, from its median epoch
  std::string device, commit;
  nlohmann::json config;

  // What all records that may be averaged share: the config without what names the cell, paths and machine,
  // and epochs and systems.
  std::string settings() const;
};

// DataError names the file and what is missing or of the wrong type, and cells that the paper does not have.
Record read_record(const std::filesystem::path& file);

// All of a folder's *.json files but tables.json and settings.json, by name. Other files are skipped and
// listed in `left_out`.
std::vector<Record> read_records(const std::filesystem::path& folder, std::vector<std::string>& left_out);

// The record of a cell that failed.
nlohmann::ordered_json failed_record(const Cell& cell, const nlohmann::json& settings, const std::string& reason,
                                     const std::filesystem::path& log);

// The reason for a failure, from the command's output: its last error, else its last line, else how it ended. `code` is
// the exit code, or 128 + the signal that ended it.
std::string failure_reason(const std::string& output, int code);

}  // namespace lgode::reproduce
