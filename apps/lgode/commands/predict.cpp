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
#include <string>
#include <vector>

#include "command.h"
#include "commands/arguments.h"
#include "commands/shard.h"
#include "engine.h"
#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/core/wildcard.h"
#include "lgode/data/recordings.h"
#include "lgode/eval/run_info.h"
#include "lgode/use/options.h"
#include "lgode/use/parse_values.h"
#include "lgode/use/prediction_file.h"
#include "text/flags.h"
#include "text/inputs.h"
#include "text/option_flags.h"
#include "text/ranges.h"

namespace lgode::app {
namespace {

struct Arguments : PredictArguments {
  explicit Arguments(Flags app) : flags(app, declared) {
    use::declare_prediction(declared, options);
    use::declare_fill(declared, filling);
  }

  OptionSet declared;
  OptionFlags flags;
};

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
    throw DataError(fmt::format("{}: there are no {}systems {}to predict", arguments.source(),
                                arguments.part == "all" ? "" : arguments.part + " ",
                                arguments.systems.empty() ? "" : "among --systems "));
  return systems;
}

// Parses times and start: dates if the data has them, unless times count from an origin.
void set_times(const Arguments& arguments, const data::Dataset& dataset, eval::PredictOptions& options) {
  const data::TimeText text(options.relative ? data::Description{} : dataset.description());
  if (!arguments.times.empty()) options.times = parse_times(arguments.times, "--times", text);
  if (!arguments.times_file.empty()) options.times = read_times(arguments.times_file, text);
  if (!arguments.start.empty()) options.start = text.parse(arguments.start);
  if (!arguments.start.empty() && !options.start)
    throw ConfigError(fmt::format("--start {}: expected a number{}", arguments.start,
                                  text.dates() ? " or a date such as 2024-03-01T12:00:00Z" : ""));
  if (!arguments.from_table()) return;
  // A table has the times of its own clock, which may be counts.
  for (double& time : options.times) time = use::physical_time(dataset, time);
  if (options.start) options.start = use::physical_time(dataset, *options.start);
  if (options.horizon) options.horizon = use::physical_length(dataset, *options.horizon);
}

// What says where the systems come from.
void check_source(const Arguments& arguments) {
  const TableArguments& table = arguments.new_table;
  if (arguments.fill && arguments.data.empty())
    throw ConfigError("--fill needs --data, the data set that the table was imported as");
  if (arguments.data.empty() && table.table.empty())
    throw ConfigError("expected --data, a data set, or --table, a new table, to predict");
  if (arguments.from_table() && !arguments.data.empty())
    throw ConfigError(
        "--table, a new table to forecast, does not go with --data; to fill the table that --data was imported from, "
        "add --fill");
  if (!arguments.from_table() && !table.edges.empty())
    throw ConfigError("--edges goes with --table, a new table; a data set has its own relations");
  if (!arguments.from_table() && table.skip_bad_rows)
    throw ConfigError("--skip-bad-rows goes with --table, a new table to forecast");
  if (arguments.from_table() && arguments.part != "all")
    throw ConfigError("--part goes with --data; a new table has one part");
}

bool is_csv(const std::string& path) { return std::filesystem::path(path).extension() == ".csv"; }

void check_fill(const Arguments& arguments) {
  if (!arguments.fill && arguments.filling.all_times) throw ConfigError("--all-times goes with --fill only");
  if (!arguments.fill && arguments.filling.with != "auto") throw ConfigError("--fill-with goes with --fill only");
  if (arguments.spreadsheet_safe && arguments.fill && !arguments.new_table.table.empty())
    throw ConfigError("--spreadsheet-safe does not go with --fill --table, whose rows stay as they are");
  if (arguments.spreadsheet_safe && !is_csv(arguments.out))
    throw ConfigError("--spreadsheet-safe is about CSV; name an --out that ends in .csv");
  if (!arguments.fill) return;
  if (!arguments.shard.empty()) throw ConfigError("--shard does not go with --fill");
  if (!arguments.times.empty() || !arguments.times_file.empty() || !arguments.start.empty())
    throw ConfigError("--fill has the times of the data; --times, --times-file and --start do not go with it");
  if (arguments.options.horizon) throw ConfigError("--fill has the times of the data; --horizon does not go with it");
  if (arguments.options.method != eval::Method::kModel)
    throw ConfigError("--with goes with forecasts; --fill takes --fill-with");
  if (!arguments.new_table.table.empty() && (!arguments.systems.empty() || arguments.part != "all"))
    throw ConfigError("--table is filled whole; --systems and --part do not go with it");
  if (std::filesystem::path(arguments.out).extension() != ".csv")
    throw ConfigError(fmt::format("--out {}: --fill writes a table; the name must end in .csv", arguments.out));
}

// Completes the options, and checks what goes with sampled paths.
void settle(Arguments& arguments) {
  eval::PredictOptions& options = arguments.options;
  const bool samples_given = arguments.flags.given("samples");
  if (!samples_given && arguments.fill) options.samples = use::kFillSamples;
  if (options.paths > 0 && arguments.fill) throw ConfigError("--paths does not go with --fill");
  if (options.futures > 0 && arguments.fill) throw ConfigError("--futures does not go with --fill");
  if (options.paths > 0 && std::filesystem::path(arguments.out).extension() != ".safetensors")
    throw ConfigError(fmt::format("--out {}: sampled paths are written to .safetensors only", arguments.out));
  use::settle(options, samples_given);
}

// For a file that is read later: reports a wrong path now.
void check_readable(const std::string& path) {
  if (::access(path.c_str(), R_OK) != 0)
    throw DataError(fmt::format("{}: cannot be opened: {}; check the path", path, std::strerror(errno)));
}

int predict(Arguments& arguments) {
  // Everything that can be checked is checked before the work starts.
  arguments.flags.read();
  check_source(arguments);
  check_fill(arguments);
  use::check_prediction_name(arguments.out);
  const std::optional<Shard> shard = parse_shard(arguments.shard);
  check_writable(arguments.out, arguments.overwrite());
  if (arguments.fill) check_writable(use::fill_notes_path(arguments.out), arguments.overwrite());
  if (arguments.fill) check_writable(use::fill_intervals_path(arguments.out), arguments.overwrite());
  eval::PredictOptions& options = arguments.options;
  settle(arguments);
  refuse_table(arguments.run, "lgode predict", "lgode train", " --out RUN, lgode predict RUN ...");
  refuse_table(arguments.data, "lgode predict", "lgode predict RUN --data", " ...");
  before_reading(arguments.times_file);
  if (arguments.fill && !arguments.new_table.table.empty()) check_readable(arguments.new_table.table);
  const data::Dataset dataset = arguments.from_table()
                                    ? read_table_for(arguments.run, arguments.new_table, use::TableUse::kPredict,
                                                     static_cast<int>(arguments.threads), arguments.out)
                                    : data::load_dataset(arguments.data);
  set_times(arguments, dataset, options);
  options.systems = select_systems(arguments, dataset);
  if (shard) options.systems = shard->of(options.systems);
  // A fill can do without a model that cannot take missing values.
  const bool needs_model = !arguments.fill || arguments.filling.with == "model";
  eval::check_fits(eval::load_run_info(arguments.run), dataset,
                   {.allow_mismatch = options.allow_mismatch, .allow_missing = !needs_model});
  const std::vector<std::filesystem::path> inputs = {arguments.data, arguments.new_table.table,
                                                     eval::checkpoint_path(arguments.run)};
  check_not_input(arguments.out, inputs, "the prediction");
  if (arguments.fill) check_not_input(use::fill_notes_path(arguments.out), inputs, "the notes on the filled table");
  if (arguments.fill)
    check_not_input(use::fill_intervals_path(arguments.out), inputs, "the intervals of the filled table");
  return run_prediction(arguments, is_csv(arguments.out) && !(arguments.fill && !arguments.new_table.table.empty())
                                       ? safe_for_spreadsheets(dataset, arguments.spreadsheet_safe)
                                       : dataset);
}

void add_times(Flags app, Arguments& arguments) {
  Flag times =
      app.add_value("--times", arguments.times, "START:STEP:STOP|T,T,...",
                    "times to predict: a range with STOP included, or a list", "60 steps over the range of the task");
  Flag file =
      app.add_value("--times-file", arguments.times_file, "FILE", "times to predict, one per line, # starts a comment");
  file.excludes(times);
  arguments.flags.add("relative");
  app.add_value("--start", arguments.start, "T",
                "where the prediction starts; a forecast sees the observations before it, as in an evaluation",
                "the last observation, which is seen, too (extrapolation), the origin (interpolation)");
  arguments.flags.add("include_start");
  arguments.flags.add("horizon").excludes(times).excludes(file);
  arguments.flags.add("context");
}

void add_filling(Flags app, Arguments& arguments) {
  app.add_switch("--fill", arguments.fill,
                 "write the data's own table with missing values filled and a column that names them");
  arguments.flags.add("all_times", {.before = "with `fill`: "});
  arguments.flags.add("fill_with", {.before = "with `fill`: "});
}

void add_systems(Flags app, Arguments& arguments) {
  app.add_value("--systems", arguments.systems, "0,3,5-9",
                "systems by their index in the data set, or by name, * and ? as in zara*; each is predicted once",
                "all of them")
      .list();
  app.add_value("--part", arguments.part, "train|test|all", "systems of one part only", "all")
      .one_of({"train", "test", "all"});
  app.add_value(
      "--shard", arguments.shard, "I/N",
      "only shard I of N of the systems, to NAME.shard-I-of-N next to --out; the last shard to finish joins them");
}

void add_footer(Flags app) {
  app.footer(
      examples(
          {"lgode predict runs/first --data springs.safetensors --part test --out forecast.csv",
           "lgode predict runs/first --table new.csv --out forecast.csv",
           "lgode predict runs/first --table new.csv --start 1200 --horizon 50 --with auto --out forecast.csv",
           "lgode predict runs/first --data mine.safetensors --start 6 --times 6:0.05:9 --relative --out forecast.csv",
           "lgode predict runs/first --data mine.safetensors --systems 0,3,5-9 --paths 50 --out some.safetensors",
           "lgode predict runs/walk --data scenes.safetensors --futures 6 --out futures.csv",
           "lgode predict runs/first --data mine.safetensors --quantiles 0.05,0.25,0.5,0.75,0.95 --out bands.csv",
           "lgode predict runs/first --data mine.safetensors --shard 2/4 --out /shared/forecast.csv",
           "lgode predict runs/fill --data mine.safetensors --fill --table obs.csv --out filled.csv"}) +
      "\n\nWhere the data has dates, so have --times (DATE,DATE,... or DATE/STEP/DATE), --start and the output.\n"
      "CSV has a row for each system, object, time and feature: system,object,time,feature,mean,std,q05,q95. With\n"
      "--futures the columns future and probability follow: future 0 is the mean path, 1 the most probable one. With "
      "a\n"
      "new table the first columns are the table's own, and --times, --start and --horizon count as its times do:\n"
      "frames where they are frames.\n"
      "Intervals are calibrated where the run is (lgode calibrate). --fill writes the intervals of the filled values\n"
      "to NAME.intervals.csv next to NAME.csv.");
}

}  // namespace

Command add_predict(Flags root) {
  Flags app = root.add_command("predict", "predict trajectories, with uncertainty, at any times");
  auto arguments = std::make_shared<Arguments>(app);
  OptionFlags& declared = arguments->flags;
  app.add_value("RUN", arguments->run, " ", "run folder or checkpoint").required();
  app.add_value("--data", arguments->data, "FILE", "data set whose systems are continued or filled");
  add_table(app, arguments->new_table,
            "instead of --data: a new table to forecast, with the columns of the training data's table, also several "
            "files ('new/*.csv'); the result has its names and times. With --fill: the table that --data was imported "
            "from, one file; its rows stay as they are, in their order, and only what is missing is filled",
            "with --fill the rows of the data, by system, object and time");
  app.add_value("--out", arguments->out, "FILE", "where to write: .csv or .safetensors").required();
  declared.add("method");
  add_times(app, *arguments);
  add_filling(app, *arguments);
  declared.add("allow_mismatch");
  declared.add("outliers");
  declared.add("quantiles");
  declared.add("paths", {.after = "; to .safetensors only"});
  declared.add("futures");
  declared.add("samples", {.shown_default = "100, with --fill 0"});
  add_systems(app, *arguments);
  declared.add("seed");
  app.add_value("--step", arguments->step, "X", "step of the solver, in model time", "the run's own")
      .between(1e-5, 1e3);
  declared.add("batch");
  app.add_value("--threads", arguments->threads, "N", "threads; 0: all cores", "0").at_least(0);
  app.add_value("--device", arguments->device, "auto|cpu|cuda", "where to compute", "auto")
      .one_of({"auto", "cpu", "cuda"});
  add_spreadsheet_safe(app, arguments->spreadsheet_safe);
  app.add_switch("--force", arguments->force, "replace the file if it exists");
  add_footer(app);
  return {app, [arguments] { return predict(*arguments); }};
}

}  // namespace lgode::app
