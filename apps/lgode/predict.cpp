// lgode predict: trajectories with uncertainty at any times, written to CSV or safetensors.
#include "lgode/eval/predict.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "fill.h"
#include "flags.h"
#include "format.h"
#include "inputs.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/data/recordings.h"
#include "lgode/version.h"
#include "notes.h"
#include "prediction_file.h"
#include "progress.h"
#include "ranges.h"
#include "words.h"

namespace lgode::app {
namespace {

struct Arguments {
  std::string run, data, out, times, times_file, systems, start, table;
  std::string part = "all", device = "auto";
  std::int64_t threads = 0;
  std::optional<double> step;
  std::optional<std::int64_t> samples;
  bool force = false, fill = false, all_times = false;
  eval::PredictOptions options;
};

// The windows of a recording.
std::vector<std::int64_t> windows_of(const std::string& recording, const data::Dataset& dataset) {
  std::vector<std::int64_t> systems;
  if (dataset.description().recordings.empty()) return systems;
  for (std::int64_t s = 0; s < dataset.systems(); ++s)
    if (data::recording_of(dataset, s) == recording) systems.push_back(s);
  return systems;
}

// Systems by their names, or those of the recordings that they were cut from; what is no name may be indices. None
// where all of the list are indices.
std::vector<std::int64_t> find_named(const std::string& text, const data::Dataset& dataset) {
  const auto& ids = dataset.description().system_ids;
  if (text.find_first_not_of("0123456789,-") == std::string::npos) return {};
  std::vector<std::int64_t> systems;
  for (const std::string& id : parse_list(text, "--systems")) {
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found != ids.end()) {
      systems.push_back(found - ids.begin());
    } else if (const std::vector<std::int64_t> windows = windows_of(id, dataset); !windows.empty()) {
      systems.insert(systems.end(), windows.begin(), windows.end());
    } else if (!id.empty() && id.find_first_not_of("0123456789-") == std::string::npos) {
      for (const std::int64_t s : parse_indices(id, dataset.systems(), "--systems")) systems.push_back(s);
    } else if (!ids.empty()) {
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

// Times and start as they were given; dates where the data has them, unless they count from an origin.
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
  if (!arguments.fill) return;
  if (!arguments.times.empty() || !arguments.times_file.empty() || !arguments.start.empty())
    throw ConfigError("--fill has the times of the data; --times, --times-file and --start do not go with it");
  if (!arguments.table.empty() && (!arguments.systems.empty() || arguments.part != "all"))
    throw ConfigError("--table is filled whole; --systems and --part do not go with it");
  if (std::filesystem::path(arguments.out).extension() != ".csv")
    throw ConfigError(fmt::format("--out {}: --fill writes a table; the name must end in .csv", arguments.out));
}

int fill(const Arguments& arguments, const eval::Run& run, const data::Dataset& dataset, Overwrite overwrite) {
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  Filled filled;
  {
    Progress progress;
    filled = write_filled(
        arguments.out, overwrite, run, dataset, {arguments.options, arguments.all_times, arguments.table},
        [&](std::int64_t done, std::int64_t total) { progress.share("filling", done, total); }, stop);
  }
  if (filled.bad_rows > 0)
    fmt::print(stderr,
               "note: {} cannot be read or stand there twice; they stay as they are, lgode import csv tells why\n",
               format_plural(filled.bad_rows, "row"));
  if (filled.open_values > 0)
    fmt::print(stderr, "note: {} in {} stay empty: their systems are not in {}, or their rows cannot be read\n",
               format_plural(filled.open_values, "value"), format_plural(filled.open_rows, "row"), arguments.data);
  if (filled.blind_times > 0)
    fmt::print(stderr,
               "note: {} lie in ranges of time in which nothing of their system was observed; what is filled in there "
               "is a guess without evidence\n",
               format_plural(filled.blind_times, "row"));
  if (arguments.table.empty() && !dataset.description().recordings.empty())
    fmt::print(stderr,
               "note: the data was cut into windows, and rows in none of them are not there; to fill the table that it "
               "came from, pass it with --table\n");
  fmt::print("{}: {}, {} of them new, {}\n", arguments.out, format_plural(filled.rows, "row"),
             format_count(filled.new_rows), format_plural(filled.values, "imputed value"));
  return kOk;
}

int predict(Arguments& arguments) {
  // All that can fail fails before the work starts.
  check_fill(arguments);
  check_prediction_name(arguments.out);
  const Overwrite overwrite = arguments.force ? Overwrite::kAllow : Overwrite::kRefuse;
  check_writable(arguments.out, overwrite);
  eval::PredictOptions& options = arguments.options;
  // A filled table has no place for spread, and the mean path is what errors are told of.
  options.samples = arguments.samples.value_or(arguments.fill ? 0 : options.samples);
  const data::Dataset dataset = data::load_dataset(arguments.data);
  set_times(arguments, dataset, options);
  options.systems = select_systems(arguments, dataset);
  const int threads = eval::use_threads(arguments.threads);
  const eval::Run run = eval::load_run(arguments.run, eval::pick_device(arguments.device), arguments.step);
  eval::check_fits(run, dataset);
  check_not_input(arguments.out, {arguments.data, arguments.table, run.path}, "the prediction");
  print_notes(run, dataset);
  if (arguments.fill) return fill(arguments, run, dataset, overwrite);

  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  const nlohmann::json notes = {{"run", arguments.run},
                                {"data", arguments.data},
                                {"samples", options.samples},
                                {"seed", options.seed},
                                {"version", LGODE_VERSION},
                                {"commit", LGODE_COMMIT},
                                {"machine", eval::machine_name(threads)}};
  std::int64_t done = 0, values = 0;
  {
    Progress progress;
    write_predictions(arguments.out, overwrite, dataset, notes, [&](const PredictionSink& sink) {
      const auto total = static_cast<std::int64_t>(options.systems.size());
      eval::predict(
          run, dataset, options,
          [&](const eval::SystemPrediction& prediction) {
            sink(prediction);
            values += static_cast<std::int64_t>(prediction.mean.size());
            progress.share("predicting", ++done, total);
          },
          stop);
      stop_no_more();
    });
  }
  fmt::print("{}: {}, {}\n", arguments.out, format_plural(done, "system"), format_plural(values, "predicted value"));
  return kOk;
}

}  // namespace

Command add_predict(CLI::App& root) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* app = root.add_subcommand("predict", "predict trajectories, with uncertainty, at any times");
  eval::PredictOptions& options = arguments->options;
  add_value(*app, "RUN", arguments->run, " ", "run folder or checkpoint")->required();
  add_value(*app, "--data", arguments->data, "FILE", "data set whose systems are continued or filled")->required();
  add_value(*app, "--out", arguments->out, "FILE", "where to write: .csv or .safetensors")->required();
  CLI::Option* times =
      add_value(*app, "--times", arguments->times, "START:STEP:STOP|T,T,...",
                "times to predict: a range with STOP included, or a list", "60 steps over the range of the task");
  CLI::Option* file = add_value(*app, "--times-file", arguments->times_file, "FILE",
                                "times to predict, one a line, # starts a comment");
  file->excludes(times);
  app->add_flag("--relative", options.relative, "times and --start count from each system's origin");
  add_value(*app, "--start", arguments->start, "T",
            "where the prediction starts; what is observed later is not looked at",
            "the last observation (extrapolation), the origin (interpolation)");
  app->add_flag("--fill", arguments->fill,
                "write the data's own table with missing values filled and a column that names them");
  add_value(*app, "--table", arguments->table, "FILE",
            "with --fill: the table that was imported; its rows stay as they are, in their order, and only what is "
            "missing is filled",
            "the rows of the data, by system, object and time");
  app->add_flag("--all-times", arguments->all_times, "with --fill: a row for every object at each time of its system");
  add_value(*app, "--samples", arguments->samples, "N", "latent samples for mean and quantiles; 0: the mean path",
            "100, with --fill 0")
      ->check(at_least(0));
  add_value(*app, "--systems", arguments->systems, "0,3,5-9", "systems by their index in the data set, or by name",
            "all of them");
  add_value(*app, "--part", arguments->part, "train|test|all", "systems of one part only", "all")
      ->check(CLI::IsMember({"train", "test", "all"}));
  add_value(*app, "--seed", options.seed, "N", "seed of the latent samples", "1")->check(seed_number());
  add_value(*app, "--step", arguments->step, "X", "step of the solver, in model time", "the run's own")
      ->check(CLI::Range(1e-5, 1e3));
  add_value(*app, "--batch", options.batch, "N", "systems at a time", "64")->check(at_least(1));
  add_value(*app, "--threads", arguments->threads, "N", "threads; 0: all cores", "0")->check(at_least(0));
  add_value(*app, "--device", arguments->device, "auto|cpu|cuda", "where to compute", "auto")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  app->add_flag("--force", arguments->force, "replace the file if it exists");
  app->footer(
      examples(
          {"lgode predict runs/first --data springs.safetensors --part test --out forecast.csv",
           "lgode predict runs/first --data mine.safetensors --start 6 --times 6:0.05:9 --relative --out forecast.csv",
           "lgode predict runs/first --data mine.safetensors --systems 0,3,5-9 --out some.safetensors",
           "lgode predict runs/fill --data mine.safetensors --fill --table obs.csv --out filled.csv"}) +
      "\n\nWhere the data has dates, so have --times (DATE,DATE,... or DATE/STEP/DATE), --start and the output.\n"
      "CSV has a row for each system, object, time and feature: system,object,time,feature,mean,std,q05,q95.");
  return {app, [arguments] { return predict(*arguments); }};
}

}  // namespace lgode::app
