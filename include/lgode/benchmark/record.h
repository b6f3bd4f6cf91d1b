// Result records: one JSON file per job, with what it was made with, or with the reason of its failure. No LibTorch.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lgode/benchmark/plan.h"
#include "lgode/benchmark/score.h"

namespace lgode::benchmark {

struct Record {
  std::string benchmark;
  Job job;
  std::string failed;                   // why; empty: it is done
  std::map<std::string, Score> scores;  // by group
  // Of how it was made: "commit", "version" and, of a model, "machine", "config", "epochs", "steps", "seconds",
  // "options", "minutes"; of a failure "log".
  nlohmann::ordered_json made = nlohmann::ordered_json::object();

  nlohmann::ordered_json to_json() const;
};

// DataError names the file and what is wrong in it.
Record read_record(const std::filesystem::path& file);

// Those of a folder, by name; an absent folder has none. Files that are no records are listed in `left_out`.
std::vector<Record> read_records(const std::filesystem::path& folder, std::vector<std::string>& left_out);

void write_record(const std::filesystem::path& file, const Record& record);

}  // namespace lgode::benchmark
