// lgode predict: trajectories with uncertainty at any times, written to CSV or safetensors.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "command.h"
#include "engine.h"
#include "flags.h"
#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/core/wildcard.h"
#include "lgode/data/recordings.h"
#include "lgode/eval/run_info.h"
#include "lgode/table/cell.h"
#include "lgode/use/parse_values.h"
#include "lgode/use/prediction_file.h"
#include "overwrite_guard.h"
#include "predict_arguments.h"
#include "ranges.h"
#include "shard.h"
#include "table_advice.h"

namespace lgode::app {
namespace {

using Arguments = PredictArguments;

// The windows of a recording.
std::vector<std::int64_t> windows_of(const std::string& recording, const data::Dataset& dataset) {
  std::vector<std::int64_t> systems;
  if (dataset.description().recordings.empty()) return systems;
  for (std::int64_t s = 0; s < dataset.systems(); ++s)
    if (data::recording_of(dataset, s) == recording) systems.push_back(s);
  return systems;
}

// The systems whose name, or whose recording's, fits a pattern.
std::vector<std::int64_t> matches_of(const std::string& pattern, const data::Dataset& dataset) {
  std::vector<std::int64_t> systems;
  if (!is_pattern(pattern)) return systems;
  for (std::int64_t s = 0; s < dataset.systems(); ++s)
    if (matches(pattern, dataset.system_id(s)) || matches(pattern, data::recording_of(dataset, s)))
      systems.push_back(s);
  return systems;
}

// Systems by their names or patterns, by the recordings that they were cut from, or by indices. Empty if the list has
// only indices.
std::vector<std::int64_t> find_named(const std::string& text, const data::Dataset& dataset) {
  const auto& ids = dataset.description().system_ids;
  if (text.find_first_not_of("0123456789,-") == std::string::npos) return {};
  std::vector<std::int64_t> systems;
  for (const std::string& id : use::parse_list(text, "--systems")) {
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found != ids.end()) {
      systems.push_back(found - ids.begin());
    } else if (const std::vector<std::int64_t> windows = windows_of(id, dataset); !windows.empty()) {
      systems.insert(systems.end(), windows.begin(), windows.end());
    } else if (const std::vector<std::int64_t> matching = matches_of(id, dataset); !matching.empty()) {
      systems.insert(systems.end(), matching.begin(), matching.end());
    } else if (!id.empty() && id.find_first_not_of("0123456789-") == std::string::npos) {
      for (const std::int64_t s : parse_indices(id, dataset.systems(), "--systems")) systems.push_back(s);
    } else if (!ids.empty() || is_pattern(id)) {
      throw ConfigError(fmt::format("--systems {}: there is no such system{}", id, did_you_mean(id, ids)));
    }
  }
  std::sort(systems.begin(), systems.end());
  systems.erase(std::unique(systems.begin(), systems.end()), systems.end());
  return systems;
}

// Indices in the data set; never empty.
std::vector<std::int64_t> select_systems(const Arguments& arguments, const data::Dataset& dataset) {
  std::vector<std::int64_t> systems;
  if (!arguments.systems.empty()) {
    systems = find_named(arguments.systems, dataset);
    if (systems.empty()) systems = parse_indices(arguments.systems, dataset.systems(), "--systems");
  } else {
    systems.resize(static_cast<std::size_t>(dataset.systems()));
    std::iota(systems.begin(), systems.end(), 0);
  }
  if (arguments.part != "all") {
    const data::Part part = arguments.part == "train" ? data::Part::kTrain : data::Part::kTest;
    std::erase_if(systems, [&](std::int64_t s) { return dataset.part(s) != part; });
  }
  if (systems.empty())
    throw DataError(fmt::format("{}: there are no {}systems {}to predict", arguments.data,
                                arguments.part == "all" ? "" : arguments.part + " ",
                                arguments.systems.empty() ? "" : "among --systems "));
  return systems;
}

// Parses times and start: dates if the data has them, unless times count from an origin.
void set_times(const Arguments& arguments, const data::Dataset& dataset, eval::PredictOptions& options) {
  const data::TimeText text(options.relative ? data::Description{} : dataset.description());
  if (!arguments.times.empty()) options.times = parse_times(arguments.times, "--times", text);
  if (!arguments.times_file.empty()) options.times = read_times(arguments.times_file, text);
  if (arguments.start.empty()) return;
  options.start = text.parse(arguments.start);
  if (!options.start)
    throw ConfigError(fmt::format("--start {}: expected a number{}", arguments.start,
                                  text.dates() ? " or a date such as 2024-03-01T12:00:00Z" : ""));
}

void check_fill(const Arguments& arguments) {
  if (!arguments.fill && arguments.all_times) throw ConfigError("--all-times goes with --fill only");
  if (!arguments.fill && !arguments.table.empty()) throw ConfigError("--table goes with --fill only");
  if (!arguments.fill && arguments.fill_with != "auto") throw ConfigError("--fill-with goes with --fill only");
  if (!arguments.fill) return;
  if (!arguments.shard.empty()) throw ConfigError("--shard does not go with --fill");
  if (!arguments.times.empty() || !arguments.times_file.empty() || !arguments.start.empty())
    throw ConfigError("--fill has the times of the data; --times, --times-file and --start do not go with it");
  if (!arguments.table.empty() && (!arguments.systems.empty() || arguments.part != "all"))
    throw ConfigError("--table is filled whole; --systems and --part do not go with it");
  if (std::filesystem::path(arguments.out).extension() != ".csv")
    throw ConfigError(fmt::format("--out {}: --fill writes a table; the name must end in .csv", arguments.out));
}

// Parses the quantiles and checks what goes with sampled paths.
void set_quantiles(Arguments& arguments) {
  std::set<std::string> names;
  if (!arguments.quantiles.empty())
    for (const std::string& text : use::parse_list(arguments.quantiles, "--quantiles")) {
      const std::optional<double> q = table::parse_number(text, false);
      if (!q || !(*q > 0 && *q < 1))
        throw ConfigError(fmt::format("--quantiles {}: expected numbers between 0 and 1, such as 0.05,0.5,0.95", text));
      if (!names.insert(eval::quantile_name(*q)).second)
        throw ConfigError(fmt::format("--quantiles {}: appears twice", text));
      arguments.options.quantiles.push_back(*q);
    }
  const std::int64_t paths = arguments.options.paths;
  if (paths == 0) return;
  if (arguments.fill) throw ConfigError("--paths does not go with --fill");
  if (std::filesystem::path(arguments.out).extension() != ".safetensors")
    throw ConfigError(fmt::format("--out {}: sampled paths are written to .safetensors only", arguments.out));
  if (!arguments.samples) arguments.samples = std::max(paths, arguments.options.samples);
  if (paths > *arguments.samples)
    throw ConfigError(fmt::format("--paths {}: only {} samples are drawn; raise --samples", paths, *arguments.samples));
}

// For a file that is read later: reports a wrong path now.
void check_readable(const std::string& path) {
  if (::access(path.c_str(), R_OK) != 0)
    throw DataError(fmt::format("{}: cannot be opened: {}; check the path", path, std::strerror(errno)));
}

int predict(Arguments& arguments) {
  // Everything that can be checked is checked before the work starts.
  check_fill(arguments);
  use::check_prediction_name(arguments.out);
  const std::optional<Shard> shard = parse_shard(arguments.shard);
  check_writable(arguments.out, arguments.overwrite());
  if (arguments.fill) check_writable(use::fill_notes_path(arguments.out), arguments.overwrite());
  if (arguments.fill) check_writable(use::fill_intervals_path(arguments.out), arguments.overwrite());
  eval::PredictOptions& options = arguments.options;
  set_quantiles(arguments);
  // A filled table has no column for the spread, and reported errors are those of the mean path.
  if (!arguments.context.empty())
    options.context = arguments.context == "all" ? data::Context::kAll : data::Context::kMatched;
  options.samples = arguments.samples.value_or(arguments.fill ? 0 : options.samples);
  refuse_table(arguments.run, "lgode predict", "lgode train", " --out RUN, lgode predict RUN ...");
  refuse_table(arguments.data, "lgode predict", "lgode predict RUN --data", " ...");
  before_reading(arguments.times_file);
  if (!arguments.table.empty()) check_readable(arguments.table);
  const data::Dataset dataset = data::load_dataset(arguments.data);
  set_times(arguments, dataset, options);
  options.systems = select_systems(arguments, dataset);
  if (shard) options.systems = shard->of(options.systems);
  // A fill can do without a model that cannot take missing values.
  const bool needs_model = !arguments.fill || arguments.fill_with == "model";
  eval::check_fits(eval::load_run_info(arguments.run), dataset,
                   {.allow_mismatch = options.allow_mismatch, .allow_missing = !needs_model});
  const std::vector<std::filesystem::path> inputs = {arguments.data, arguments.table,
                                                     eval::checkpoint_path(arguments.run)};
  check_not_input(arguments.out, inputs, "the prediction");
  if (arguments.fill) check_not_input(use::fill_notes_path(arguments.out), inputs, "the notes on the filled table");
  if (arguments.fill)
    check_not_input(use::fill_intervals_path(arguments.out), inputs, "the intervals of the filled table");
  return run_prediction(arguments, dataset);
}

}  // namespace

Command add_predict(Flags root) {
  auto arguments = std::make_shared<Arguments>();
  Flags app = root.add_command("predict", "predict trajectories, with uncertainty, at any times");
  eval::PredictOptions& options = arguments->options;
  app.add_value("RUN", arguments->run, " ", "run folder or checkpoint").required();
  app.add_value("--data", arguments->data, "FILE", "data set whose systems are continued or filled").required();
  app.add_value("--out", arguments->out, "FILE", "where to write: .csv or .safetensors").required();
  Flag times =
      app.add_value("--times", arguments->times, "START:STEP:STOP|T,T,...",
                    "times to predict: a range with STOP included, or a list", "60 steps over the range of the task");
  Flag file = app.add_value("--times-file", arguments->times_file, "FILE",
                            "times to predict, one per line, # starts a comment");
  file.excludes(times);
  app.add_switch("--relative", options.relative, "times and --start count from each system's origin");
  app.add_value("--start", arguments->start, "T", "where the prediction starts; later observations are ignored",
                "the last observation (extrapolation), the origin (interpolation)");
  app.add_value(
         "--context", arguments->context, "matched|all",
         "extrapolation: observations that the model sees before the start: as long a span as in training, or all",
         "as the run was trained")
      .one_of({"matched", "all"});
  app.add_switch("--fill", arguments->fill,
                 "write the data's own table with missing values filled and a column that names them");
  app.add_value(
      "--table", arguments->table, "FILE",
      "with --fill: the table that was imported, one file; its rows stay as they are, in their order, and only what is "
      "missing is filled",
      "the rows of the data, by system, object and time");
  app.add_switch("--all-times", arguments->all_times,
                 "with --fill: a row for every object at each time of its system, from its own first row to its last");
  app.add_value(
         "--fill-with", arguments->fill_with, "auto|model|linear|hermite",
         "with --fill: how; auto compares model, straight line and cubic Hermite on gaps cut into known values and "
         "takes the best for each feature",
         "auto")
      .one_of({"auto", "model", "linear", "hermite"});
  app.add_switch("--allow-mismatch", options.allow_mismatch,
                 "predict even if units or time spans of the data differ from those of the training data");
  app.add_value("--quantiles", arguments->quantiles, "Q,Q,...",
                "quantiles to write, between 0 and 1, such as 0.05,0.25,0.5,0.75,0.95", "0.05,0.95");
  app.add_value("--paths", options.paths, "N",
                "also write N sampled paths of all objects together, with the intervals' spread: scenarios; to "
                ".safetensors only",
                "0")
      .at_least(0);
  app.add_value("--samples", arguments->samples, "N", "latent samples for mean and quantiles; 0: the mean path",
                "100, with --fill 0")
      .at_least(0);
  app.add_value("--systems", arguments->systems, "0,3,5-9",
                "systems by their index in the data set, or by name, * and ? as in zara*; each is predicted once",
                "all of them")
      .list();
  app.add_value("--part", arguments->part, "train|test|all", "systems of one part only", "all")
      .one_of({"train", "test", "all"});
  app.add_value(
      "--shard", arguments->shard, "I/N",
      "only part I of N of the systems, to NAME.part-I-of-N beside --out; the last shard to finish joins them");
  app.add_value("--seed", options.seed, "N", "seed of the latent samples", "1").seed();
  app.add_value("--step", arguments->step, "X", "step of the solver, in model time", "the run's own")
      .between(1e-5, 1e3);
  app.add_value("--batch", options.batch, "N", "systems at a time", "64").at_least(1);
  app.add_value("--threads", arguments->threads, "N", "threads; 0: all cores", "0").at_least(0);
  app.add_value("--device", arguments->device, "auto|cpu|cuda", "where to compute", "auto")
      .one_of({"auto", "cpu", "cuda"});
  app.add_switch("--force", arguments->force, "replace the file if it exists");
  app.footer(
      examples(
          {"lgode predict runs/first --data springs.safetensors --part test --out forecast.csv",
           "lgode predict runs/first --data mine.safetensors --start 6 --times 6:0.05:9 --relative --out forecast.csv",
           "lgode predict runs/first --data mine.safetensors --systems 0,3,5-9 --paths 50 --out some.safetensors",
           "lgode predict runs/first --data mine.safetensors --quantiles 0.05,0.25,0.5,0.75,0.95 --out bands.csv",
           "lgode predict runs/first --data mine.safetensors --shard 2/4 --out /shared/forecast.csv",
           "lgode predict runs/fill --data mine.safetensors --fill --table obs.csv --out filled.csv"}) +
      "\n\nWhere the data has dates, so have --times (DATE,DATE,... or DATE/STEP/DATE), --start and the output.\n"
      "CSV has a row for each system, object, time and feature: system,object,time,feature,mean,std,q05,q95.\n"
      "Intervals are calibrated where the run is (lgode calibrate). --fill writes those of the filled values to\n"
      "NAME.intervals.csv beside NAME.csv.");
  return {app, [arguments] { return predict(*arguments); }};
}

}  // namespace lgode::app
