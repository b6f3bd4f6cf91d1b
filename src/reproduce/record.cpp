// Reads and checks result records; finds the reason in a failed command's output.
#include "lgode/reproduce/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/reproduce/paper_tables.h"

namespace lgode::reproduce {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int kSignalBase = 128;
constexpr int kKilled = 128 + 9;
constexpr int kInterrupted = 130;

std::optional<double> number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

Errors errors_of(const json& object, const char* all, const char* unseen) {
  const Errors errors = {object.at(all).get<double>(), number(object, unseen)};
  if (!(errors.mse >= 0) || errors.unseen.value_or(0.0) < 0)
    throw DataError(fmt::format("{} is {}, expected a mean squared error", all, errors.mse));
  return errors;
}

std::int64_t count(const json& object, const char* key) {
  const json& value = object.at(key);
  if (!value.is_number_integer() || value < 0)
    throw DataError(fmt::format("{} is {}, expected a whole number", key, json_text(value)));
  return value.get<std::int64_t>();
}

Cell cell_of(const json& j) {
  Cell cell;
  cell.dataset = j.at("dataset"), cell.task = j.at("task"), cell.protocol = j.at("protocol");
  cell.seed = static_cast<std::uint64_t>(count(j, "seed"));
  if (cell.protocol != "clean" && cell.protocol != "paper")
    throw DataError(fmt::format("protocol is {}, expected clean or paper", cell.protocol));
  cell.observed = static_cast<int>(std::lround(100 * j.at("observed").get<double>()));
  const std::string model = j.at("model"), variant = j.at("variant");
  const PaperRow* row = find_row(model, variant);
  if (row == nullptr || !paper_error(cell.task, cell.dataset, cell.observed, "lg-ode"))
    throw DataError(fmt::format("the tables have no cell {} {} {} %, model {}, variant {}", cell.dataset, cell.task,
                                cell.observed, model, variant));
  cell.row = row->name;
  return cell;
}

void read_results(const json& j, Record& record) {
  record.errors = errors_of(j, "test_mse", "test_mse_unseen");
  for (const auto& [name, errors] : j.at("classical").items())
    record.classical[name] = errors_of(errors, "mse", "mse_unseen");
  if (record.cell.task == "extrapolate") {
    record.first_half = number(j, "test_mse_first_half");
    if (j.contains("within")) record.within = number(j.at("within"), "mse");
  }
  record.validation = number(j, "validation_mse");
  record.epochs = count(j, "epochs");
  record.train_systems = count(j, "train_systems");
  record.test_systems = j.contains("test_systems") ? count(j, "test_systems") : 0;
  record.seconds = static_cast<double>(record.epochs) * number(j, "epoch_s").value_or(0.0);
  record.device = j.at("device"), record.commit = j.at("commit");
  record.config = j.at("config");
  if (!record.config.is_object()) throw DataError("config is " + json_text(record.config) + ", expected an object");
}

}  // namespace

std::string Record::settings() const {
  json kept = json::object();
  for (const auto& [key, value] : config.items())
    if (!is_of_machine(key) && key != "model" && key != "variant" && key != "seed") kept[key] = value;
  kept["_epochs"] = epochs;
  kept["_train_systems"] = train_systems;
  kept["_test_systems"] = test_systems;
  return json_text(kept);
}

Record read_record(const fs::path& file) {
  const std::string text = read_text(file);
  const json j = parse_json(text);
  if (!j.is_object()) throw DataError(file.string() + ": is not a JSON object; expected a recorded result");
  Record record;
  record.file = file;
  try {
    record.cell = cell_of(j);
    record.failed = j.value("failed", "");
    if (record.failed.empty()) read_results(j, record);
  } catch (const json::exception& e) {
    throw DataError(fmt::format("{}: is not a recorded result, or is incomplete ({})", file.string(), e.what()));
  } catch (const DataError& e) {
    throw DataError(fmt::format("{}: {}", file.string(), e.what()));
  }
  return record;
}

std::vector<Record> read_records(const fs::path& folder, std::vector<std::string>& left_out) {
  if (!fs::is_directory(folder)) throw DataError(folder.string() + ": no such folder");
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && entry.path().extension() == ".json" && name != "tables.json" &&
        name != "settings.json")
      files.push_back(entry.path());
  }
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

nlohmann::ordered_json failed_record(const Cell& cell, const json& settings, const std::string& reason,
                                     const fs::path& log) {
  const PaperRow* row = find_row(cell.row);
  return {{"dataset", cell.dataset}, {"task", cell.task},       {"observed", cell.observed / 100.0},
          {"model", row->model},     {"variant", row->variant}, {"protocol", cell.protocol},
          {"seed", cell.seed},       {"failed", reason},        {"log", log.string()},
          {"config", settings}};
}

std::string failure_reason(const std::string& output, int code) {
  constexpr std::string_view kMark = "lgode: error: ";
  std::string error, last;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    last = line;
    if (line.starts_with(kMark)) error = line.substr(kMark.size());
  }
  if (code == kInterrupted) return "interrupted";
  if (code == kKilled) return "killed (signal 9); is the memory full?";
  if (!error.empty()) return error;
  if (code > kSignalBase) return fmt::format("ended by signal {}", code - kSignalBase);
  return last.empty() ? fmt::format("ended with exit code {}", code) : fmt::format("{} (exit code {})", last, code);
}

}  // namespace lgode::reproduce
