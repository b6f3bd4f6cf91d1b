// Reads and writes result records.
#include "lgode/benchmark/record.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"

namespace lgode::benchmark {
namespace {

namespace fs = std::filesystem;

Task task_of(const std::string& word) {
  if (word == "forecast") return Task::kForecast;
  if (word == "impute") return Task::kImpute;
  throw DataError(fmt::format("task is '{}', expected forecast or impute", word));
}

}  // namespace

nlohmann::ordered_json Record::to_json() const {
  nlohmann::ordered_json json = {{"benchmark", benchmark},
                                 {"fold", job.fold},
                                 {"task", job.task == Task::kImpute ? "impute" : "forecast"},
                                 {"row", job.row},
                                 {"seed", job.seed}};
  if (!failed.empty()) json["failed"] = failed;
  if (failed.empty()) {
    json["results"] = nlohmann::ordered_json::object();
    for (const auto& [group, score] : scores) json["results"][group] = score.to_json();
  }
  for (const auto& [key, value] : made.items()) json[key] = value;
  return json;
}

Record read_record(const fs::path& file) {
  const nlohmann::ordered_json json = parse_ordered_json(read_text(file));
  if (!json.is_object())
    throw DataError(file.string() + ": is not a JSON object; expected a result of lgode benchmark");
  Record record;
  try {
    record.benchmark = json.at("benchmark");
    record.job = {json.at("fold"), task_of(json.at("task")), json.at("row"), json.at("seed")};
    record.failed = json.value("failed", "");
    if (record.failed.empty())
      for (const auto& [group, score] : json.at("results").items()) record.scores[group] = Score::from_json(score);
  } catch (const nlohmann::json::exception& e) {
    throw DataError(
        fmt::format("{}: is not a result of lgode benchmark, or is incomplete ({})", file.string(), e.what()));
  } catch (const DataError& e) {
    throw DataError(fmt::format("{}: {}", file.string(), e.what()));
  }
  for (const auto& [key, value] : json.items())
    if (key != "benchmark" && key != "fold" && key != "task" && key != "row" && key != "seed" && key != "failed" &&
        key != "results")
      record.made[key] = value;
  return record;
}

std::vector<Record> read_records(const fs::path& folder, std::vector<std::string>& left_out) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return {};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Record> records;
  for (const fs::path& file : files) {
    try {
      records.push_back(read_record(file));
    } catch (const DataError& e) {
      left_out.emplace_back(e.what());
    }
  }
  return records;
}

void write_record(const fs::path& file, const Record& record) {
  write_file(file, Overwrite::kAllow, json_text(record.to_json(), 1) + "\n");
}

}  // namespace lgode::benchmark
