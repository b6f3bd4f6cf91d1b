// Finds out what is in the folder of a reproduction and what each cell needs. Writes nothing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/core/options.h"
#include "lgode/data/dataset.h"
#include "lgode/train/config.h"
#include "lgode/use/text_table.h"
#include "reproduction/reproduction.h"
#include "text/flag_text.h"

namespace lgode::app {
namespace {

using use::Table;
namespace fs = std::filesystem;
using namespace reproduce;
using nlohmann::json;

// How a run's config differs from the settings, including options with default values. An option that the config lacks
// counts only if the settings name it.
std::string departs_from(const json& settings, const json& config) {
  const json resolved = resolved_config(settings, "the recipe");
  json wanted = settings;
  for (const auto& [key, value] : resolved.items())
    if (!is_of_machine(key) && value != "auto" && config.contains(key)) wanted[key] = value;
  return departure(wanted, config);
}

}  // namespace

std::int64_t epochs_logged(const fs::path& run) {
  const fs::path metrics = run / "metrics.jsonl";
  std::error_code absent;
  if (!fs::exists(metrics, absent)) return 0;
  try {
    const std::string text = read_text(metrics);
    const bool initial = text.find("\"epoch\":0,") != std::string::npos;  // a line before the first epoch
    return std::count(text.begin(), text.end(), '\n') - (initial ? 1 : 0);
  } catch (const DataError&) {
    return 0;
  }
}

json resolved_config(const json& settings, const std::string& where) {
  train::RunConfig run;
  OptionSet options;
  train::declare(options, run);
  train::resolve(options, run, {}, settings, where);
  return options.to_json();
}

Reproduction::Reproduction(ReproduceOptions options, Recipes recipes, std::vector<Cell> cells)
    : options_(std::move(options)), recipes_(std::move(recipes)) {
  check_folder();
  if (std::any_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.dataset == "motion"; })) find_motion();
  work_.reserve(cells.size());
  for (const Cell& cell : cells) work_.push_back(look_at(cell));
}

fs::path Reproduction::record_path(const Cell& cell) const {
  return options_.out / "records" / (cell.name() + ".json");
}
fs::path Reproduction::run_path(const Cell& cell) const { return options_.out / "runs" / cell.name(); }
fs::path Reproduction::log_path(const Cell& cell) const { return run_path(cell) / "log.txt"; }
fs::path Reproduction::data_path(const std::string& dataset) const {
  return options_.out / "data" / (dataset + ".safetensors");
}

Recipes::Size Reproduction::size(const std::string& dataset) const {
  Recipes::Size size = recipes_.size(options_.scale, dataset);
  if (options_.systems && dataset != "motion") size = {*options_.systems, (*options_.systems + 3) / 4};
  return size;
}

// What all results of a folder have in common.
json Reproduction::own_settings() const {
  return {{"scale", options_.scale}, {"systems", options_.systems ? json(*options_.systems) : json(nullptr)}};
}

void Reproduction::check_folder() const {
  const fs::path path = options_.out / "settings.json";
  if (!fs::exists(path)) return;
  const json there = read_json_file(path.string());
  if (there == own_settings()) return;
  throw ConfigError(fmt::format("{} holds results of scale {}, asked for is {}; choose another --out",
                                options_.out.string(), scale_text(there), scale_text(own_settings())));
}

void Reproduction::find_motion() {
  if (fs::exists(data_path("motion"))) return;
  if (options_.motion.empty()) {
    skipped_["motion"] =
        "--motion is not given; get 35.asf, 35_02.amc to 35_16.amc and 35_28.amc to 35_34.amc from mocap.cs.cmu.edu "
        "(subject 35) and pass their folder as --motion FOLDER";
    return;
  }
  motion_ = options_.motion;
  if (const std::string missing = missing_motion_file(motion_); !missing.empty())
    throw DataError(
        fmt::format("--motion {}: has no {}; expected 35.asf, 35_02.amc to 35_16.amc and 35_28.amc to "
                    "35_34.amc of mocap.cs.cmu.edu",
                    options_.motion, missing));
}

Reproduction::Work Reproduction::look_at(const Cell& cell) const {
  Work work;
  work.cell = cell;
  work.settings = recipes_.settings(options_.scale, cell);
  if (options_.epochs) work.settings["epochs"] = *options_.epochs;
  work.progress.kind = fmt::format("{} {} {}", cell.dataset, cell.task, cell.row);
  if (const auto epochs = work.settings.find("epochs"); epochs != work.settings.end() && epochs->is_number_integer())
    work.progress.epochs = *epochs;
  std::string departs;
  fs::path departs_at;
  if (fs::exists(record_path(cell))) departs = look_at_record(work), departs_at = record_path(cell);
  if (work.step != Step::kDone && skipped_.contains(cell.dataset)) {
    work.step = Step::kSkip;
    return work;
  }
  if (const fs::path config = run_path(cell) / "config.json"; work.step != Step::kDone && fs::exists(config)) {
    work.step = options_.force && !work.failed_before.empty() ? Step::kAgain : Step::kResume;
    departs_at = config;
    try {
      departs = departs_from(work.settings, read_json_file(config.string()));
    } catch (const Error& error) {
      work.refused = fmt::format("{}; --force trains it from the start", with_flags(error.what()));
    }
  }
  if (options_.force && !(departs.empty() && work.refused.empty())) {
    work.step = Step::kAgain;
    work.refused.clear();
    work.progress.state = State::kWaiting;
    work.progress.seconds = 0;
  } else if (!departs.empty()) {
    throw ConfigError(
        fmt::format("{}: made with other settings ({}); choose another --out, or pass --force to train "
                    "such cells again",
                    departs_at.string(), departs));
  }
  if (work.step == Step::kResume) work.progress.first = work.progress.finished = epochs_logged(run_path(cell));
  return work;
}

// Whether the cell is done, and how its record differs from the requested settings. A record that cannot be read counts
// as a failure: the cell is evaluated again.
std::string Reproduction::look_at_record(Work& work) const {
  const fs::path path = record_path(work.cell);
  Record record;
  try {
    record = read_record(path);
  } catch (const DataError& error) {
    work.failed_before = with_flags(error.what());
    return {};
  }
  if (!(record.cell == work.cell))
    throw DataError(fmt::format("{}: is the record of {}; remove it", path.string(), record.cell.name()));
  work.failed_before = record.failed;
  if (!record.failed.empty()) return {};
  work.step = Step::kDone;
  work.progress.state = State::kDone;
  work.progress.seconds = record.seconds;
  const std::int64_t systems = size(work.cell.dataset).test;
  if (systems > 0 && record.test_systems > 0 && systems != record.test_systems)
    return fmt::format("test_systems is {}, asked for is {}", record.test_systems, systems);
  return departs_from(work.settings, record.config);
}

std::string Reproduction::dry_run() const {
  Table table({"cell", "what", "settings"});
  for (const Work& work : work_) {
    std::string what = "train";
    switch (work.step) {
      case Step::kDone:
        what = "done";
        break;
      case Step::kResume:
        what = fmt::format("continue after {} of {} epochs", work.progress.finished, work.progress.epochs);
        break;
      case Step::kAgain:
        what = "train again";
        break;
      case Step::kSkip:
        what = "skipped";
        break;
      case Step::kTrain:
        break;
    }
    if (!work.failed_before.empty()) what += " (failed before)";
    json rest = work.settings;
    for (const char* key : {"task", "observed", "protocol", "seed"}) rest.erase(key);
    table.add({work.cell.name(), what, fmt::format("{}", fmt::join(setting_flags(rest), " "))});
  }
  std::string text = table.left().text();
  for (const auto& [dataset, why] : skipped_) text += fmt::format("skipped: {}: {}\n", dataset, why);
  return text;
}

// Why an existing data set cannot be used; empty if it can.
std::string Reproduction::data_fault(const std::string& dataset) const {
  const fs::path path = data_path(dataset);
  try {
    const data::Dataset set = data::load_dataset(path);
    const auto train = static_cast<std::int64_t>(set.systems_in(data::Part::kTrain).size()),
               test = static_cast<std::int64_t>(set.systems_in(data::Part::kTest).size());
    const Recipes::Size want = size(dataset);
    if (want.train == 0 || (want.train == train && want.test == test)) return {};
    return fmt::format(
        "{}: has {} training and {} test systems, asked for are {} and {}; choose another --out, or remove the file to "
        "have it made again",
        path.string(), train, test, want.train, want.test);
  } catch (const Error& error) {
    return fmt::format("{}; remove the file to have it made again", with_flags(error.what()));
  }
}

}  // namespace lgode::app
