// lgode import csv: makes a data set from a long table of observations, in one file or several, and a table of edges;
// or restores one from a folder of lgode export csv.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flag_text.h"
#include "flags.h"
#include "import.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/table/import.h"
#include "lgode/use/format.h"
#include "lgode/use/parse_values.h"
#include "overwrite_guard.h"
#include "progress.h"

namespace lgode::app {
namespace {

using use::format_count;
using use::format_duration;
using use::format_number;
using use::format_plural;
using use::format_word;
using use::parse_delimiter;
using use::parse_length;
using use::parse_list;
using use::parse_pairs;

struct Arguments {
  std::vector<std::string> observations;
  std::string folder, out, edges, edge_columns, features, velocity_of, units, positions, test_systems;
  std::string window, stride, every, first_range, delimiter, columns, missing, velocities;
  std::optional<double> rate;
  std::int64_t memory = 0;
  bool force = false;
  table::ImportOptions options;
};

// A length in the unit of the times. One with a unit is in seconds, which must be that unit.
std::optional<double> length(const std::string& text, const char* flag, const table::ImportOptions& options) {
  if (text.empty()) return std::nullopt;
  const bool unit = text.find_first_not_of("0123456789.+-eE") != std::string::npos;
  const std::string& times = options.time_unit;
  const bool seconds = times.empty() || times == "s" || times == "sec" || times == "second" || times == "seconds";
  const double value = parse_length(text, flag);
  if (unit && !seconds && options.rate == 0)
    throw ConfigError(fmt::format(
        "{} {}: is in seconds, but times are in '{}'; give the length in that unit as a number, or say with --rate how "
        "many of them make a second",
        flag, text, times));
  return value;
}

// An exported folder contains all of this.
void check_folder(const Arguments& a) {
  if (a.folder.empty()) return;
  const table::ImportOptions& o = a.options;
  for (const auto& [flag, given] : {std::pair{"--edges", !a.edges.empty()},
                                    std::pair{"--edge-columns", !a.edge_columns.empty()},
                                    std::pair{"--features", !a.features.empty()},
                                    std::pair{"--velocity-of", !a.velocity_of.empty()},
                                    std::pair{"--units", !a.units.empty()},
                                    std::pair{"--positions", !a.positions.empty()},
                                    std::pair{"--test-systems", !a.test_systems.empty()},
                                    std::pair{"--split", o.split.has_value()},
                                    std::pair{"--window", !a.window.empty()},
                                    std::pair{"--stride", !a.stride.empty()},
                                    std::pair{"--every", !a.every.empty()},
                                    std::pair{"--columns", !a.columns.empty()},
                                    std::pair{"--missing-values", !a.missing.empty()},
                                    std::pair{"--velocities", !a.velocities.empty()},
                                    std::pair{"--rate", a.rate.has_value()},
                                    std::pair{"--keep-columns", o.keep_columns},
                                    std::pair{"--first-range", !a.first_range.empty()},
                                    std::pair{"--delimiter", !a.delimiter.empty()},
                                    std::pair{"--system", !o.system.empty()},
                                    std::pair{"--object", !o.object.empty()},
                                    std::pair{"--time", !o.time.empty()},
                                    std::pair{"--time-unit", !o.time_unit.empty()},
                                    std::pair{"--undirected", o.undirected},
                                    std::pair{"--decimal-comma", o.decimal_comma}})
    if (given)
      throw ConfigError(
          fmt::format("{} does not go with --folder, which is read as it was exported; import its tables "
                      "with --observations and --edges instead",
                      flag));
}

// The name of the file or, of several, of the folder that holds them.
std::string set_name(const std::vector<std::filesystem::path>& files) {
  const std::filesystem::path folder = std::filesystem::absolute(files.front()).parent_path();
  const bool together = std::all_of(files.begin(), files.end(), [&](const std::filesystem::path& file) {
    return std::filesystem::absolute(file).parent_path() == folder;
  });
  const std::string name = folder.filename().string();
  return files.size() == 1 || !together || name.empty() ? files.front().stem().string() : name;
}

std::string source_names(const std::vector<std::filesystem::path>& files) {
  const std::string first = files.front().filename().string();
  return files.size() == 1 ? first
                           : fmt::format("{} files, {} to {}", files.size(), first, files.back().filename().string());
}

table::ImportOptions resolve(const Arguments& arguments) {
  if (arguments.observations.empty() == arguments.folder.empty())
    throw ConfigError("expected --observations FILE, or --folder FOLDER that lgode export csv wrote");
  check_folder(arguments);
  table::ImportOptions options = arguments.options;
  if (!arguments.folder.empty()) {
    table::ImportOptions known = table::folder_import(arguments.folder);
    known.max_errors = options.max_errors;
    known.skip_bad_rows = options.skip_bad_rows;
    known.threads = options.threads;
    options = std::move(known);
  } else {
    options.observations = table::find_files(arguments.observations);
    options.name = set_name(options.observations);
    table::choose_edges(arguments.edges, options);
    if (!arguments.features.empty()) options.features = parse_list(arguments.features, "--features");
    if (!arguments.velocity_of.empty()) options.velocity_of = parse_pairs(arguments.velocity_of, "--velocity-of");
    if (!arguments.positions.empty()) options.positions = parse_list(arguments.positions, "--positions");
    if (!arguments.test_systems.empty()) options.test_systems = parse_list(arguments.test_systems, "--test-systems");
    if (!arguments.columns.empty()) options.columns = parse_list(arguments.columns, "--columns");
    if (!arguments.missing.empty()) options.missing = parse_list(arguments.missing, "--missing-values");
    if (arguments.velocities == "difference") options.velocities = table::Velocities::kDifference;
    if (arguments.rate && !(*arguments.rate > 0 && std::isfinite(*arguments.rate)))
      throw ConfigError(fmt::format("--rate {}: expected the number of counts per second, above 0", *arguments.rate));
    options.rate = arguments.rate.value_or(0);
    options.window = length(arguments.window, "--window", options);
    options.stride = length(arguments.stride, "--stride", options);
    options.every = length(arguments.every, "--every", options);
    options.first_range = length(arguments.first_range, "--first-range", options);
    if (!arguments.delimiter.empty()) options.delimiter = parse_delimiter(arguments.delimiter, "--delimiter");
    if (!arguments.units.empty())
      for (auto& [name, unit] : parse_pairs(arguments.units, "--units")) options.units[name] = unit;
    if (!arguments.edge_columns.empty())
      for (auto& [what, name] : parse_pairs(arguments.edge_columns, "--edge-columns"))
        options.edge_columns[what] = name;
    options.source = fmt::format("imported from {}{}", source_names(options.observations),
                                 options.edge_table.empty() ? "" : " and " + options.edge_table.filename().string());
  }
  if (arguments.memory > 0) options.memory = static_cast<std::uint64_t>(arguments.memory) << 20U;
  return options;
}

void print_report(const table::ImportReport& report) {
  for (const std::string& line : report.bad_rows) fmt::print(stderr, "skipped: {}\n", with_flags(line));
  if (report.skipped_rows > 0 || report.skipped_edges > 0)
    fmt::print(stderr, "skipped {} and {}\n", format_plural(report.skipped_rows, "bad row"),
               format_plural(report.skipped_edges, "bad edge"));
  const auto note = [](std::int64_t count, const char* what, const std::string& about) {
    if (count > 0) fmt::print(stderr, "note: {} {}\n", format_plural(count, what), about);
  };
  note(report.thinned_rows, "row", "left out by --every");
  note(report.joined_rows, "row", "joined with another one of the same object and time, which it does not contradict");
  const std::string outside =
      report.empty_outside == 0 ? "" : fmt::format("; {} of them in no system", format_count(report.empty_outside));
  note(report.empty_rows, "row", "without a value: places to fill, not observations" + outside);
  note(report.empty_systems, "system", "left out: without any observation");
  note(report.empty_windows, "window", "left out: without any observation");
  note(report.split_windows, "window", "left out: too near to the other part, training or test");
  note(report.outside_windows, "observation", "in no window");
  for (const std::string& text : report.notes) fmt::print(stderr, "warning: {}\n", with_flags(text));
}

std::string relations_text(const data::Dataset& dataset) {
  const data::EdgeRule& rule = dataset.description().edges;
  switch (rule.kind) {
    case data::EdgeRule::Kind::kAll:
      return "relations between all objects seen together";
    case data::EdgeRule::Kind::kNearest:
      return fmt::format("relations to the {} nearest objects", rule.neighbours);
    case data::EdgeRule::Kind::kWithin:
      return fmt::format("relations within a distance of {}", format_number(rule.radius));
    case data::EdgeRule::Kind::kListed:
      break;
  }
  return format_plural(dataset.relations(), "relation");
}

int import_csv(const Arguments& arguments) {
  table::ImportOptions options = resolve(arguments);
  const Overwrite overwrite = arguments.force ? Overwrite::kAllow : Overwrite::kRefuse;
  std::vector<std::filesystem::path> inputs = options.observations;
  inputs.push_back(options.edge_table);
  check_not_input(arguments.out, inputs, "the data set");
  if (options.edges != table::Edges::kTable && arguments.folder.empty())
    for (const auto& [flag, given] :
         {std::pair{"--undirected", options.undirected}, std::pair{"--edge-columns", !arguments.edge_columns.empty()}})
      if (given) throw ConfigError(fmt::format("{} is about a table of edges; name it with --edges", flag));
  check_writable(arguments.out, overwrite);
  options.scratch_folder = scratch_folder(arguments.out);
  const auto begin = std::chrono::steady_clock::now();
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  table::ImportReport report;
  std::int64_t train = 0, test = 0, objects = 0, observations = 0;
  std::string relations;
  {
    Progress progress;
    const data::Dataset dataset = table::import_csv(
        options, report,
        [&](std::int64_t done, std::int64_t total) {
          if (total > 0)
            progress.share("reading, in kB", done / 1000, total / 1000);
          else
            progress.live(fmt::format("reading: {:.0f} MB", 1e-6 * static_cast<double>(done)));
        },
        stop);
    train = static_cast<std::int64_t>(dataset.systems_in(data::Part::kTrain).size());
    test = dataset.systems() - train;
    objects = dataset.objects(), observations = dataset.observations();
    relations = relations_text(dataset);
    progress.live("writing");
    stop_no_more();
    data::save_dataset(dataset, arguments.out, overwrite);
  }
  print_report(report);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{}: {} training and {}, {}, {}, {}, {:.1f} MB, in {}\n", arguments.out, format_count(train),
             format_plural(test, "test system"), format_plural(objects, "object"),
             format_plural(observations, "observation"), relations,
             1e-6 * static_cast<double>(std::filesystem::file_size(arguments.out)), format_duration(seconds));
  fmt::print("next: lgode info {}\n", format_word(arguments.out));
  return kOk;
}

void add_table_flags(Flags app, Arguments& arguments) {
  table::ImportOptions& options = arguments.options;
  app.add_value(
         "--observations", arguments.observations, "FILE...",
         "table with a row for each object and time; several files or a pattern ('dir/*.txt') are one table, and "
         "without a column of systems each file is a system")
      .many();
  app.add_value("--columns", arguments.columns, "A,B,...",
                "names of all columns, in their order, of files without a line of names; _ skips a column")
      .list();
  app.add_value("--edges", arguments.edges, "FILE|none|all|k-nearest=K|within=R",
                "who acts on whom: a table with columns source and target and, where there are such, system, type and "
                "weight; or a rule for the objects that are seen together",
                "all");
  app.add_value("--folder", arguments.folder, "FOLDER", "instead: tables that lgode export csv wrote, as they were");
  app.add_value("--out", arguments.out, "FILE", "data set to write (.safetensors)").required();
  app.add_value("--system", options.system, "COLUMN",
                "column with the system's id: which recording a row belongs to; several: game,period",
                "system if there is one, else a file is one system");
  app.add_value("--object", options.object, "COLUMN", "column with the object's id, any text", "object");
  app.add_value("--time", options.time, "COLUMN", "column with the time: a number, ISO 8601, or a time of day", "time");
  app.add_value("--features", arguments.features, "A,B,...", "columns with values", "all others").list();
  app.add_value("--velocity-of", arguments.velocity_of, "VX=X,...", "features that are velocities of others").list();
  app.add_value("--velocities", arguments.velocities, "difference",
                "derive the velocities that the table does not have from the positions that a model sees")
      .one_of({"difference"});
  app.add_value("--missing-values", arguments.missing, "A,B,...",
                "texts that stand for a missing value, besides an empty field, NaN, NA, N/A, #N/A, null, None and -")
      .list();
  app.add_value("--units", arguments.units, "X=m,...", "units of features, for people").list();
  app.add_value("--time-unit", options.time_unit, "TEXT", "unit of numeric times, for people");
  app.add_value("--rate", arguments.rate, "N",
                "times are counts (frames), N per second; the data set and all lengths are in seconds");
  app.add_switch("--keep-columns", options.keep_columns,
                 "import a table even where its columns of objects and times look exchanged");
  app.add_value("--edge-columns", arguments.edge_columns, "source=FROM,...",
                "what the edge table calls system, source, target, type, weight")
      .list();
  app.add_switch("--undirected", options.undirected, "each edge of the table goes both ways");
  app.add_value("--positions", arguments.positions, "X,Y,...", "features that k-nearest and within measure distance in",
                "those that have a velocity, or all")
      .list();
}

void add_other_flags(Flags app, Arguments& arguments) {
  table::ImportOptions& options = arguments.options;
  app.add_value("--split", options.split, "SHARE",
                "share of the systems that train, drawn at random; with --window and fewer than five recordings, the "
                "first windows of each",
                "0.8");
  app.add_value("--test-systems", arguments.test_systems, "A,B,...",
                "systems, or windows of them (rec/3), to test on; * and ? as in zara*; the others train")
      .list();
  app.add_value("--seed", options.seed, "N", "seed of the random split", "1").seed();
  app.add_value("--window", arguments.window, "LENGTH", "cut each system into windows of this length: 60, 5min, 2h");
  app.add_value("--stride", arguments.stride, "LENGTH", "from one window's start to the next", "the window's length");
  app.add_value("--every", arguments.every, "LENGTH", "thin: of each object keep one row per interval of this length");
  app.add_value("--first-range", arguments.first_range, "LENGTH", "span of time that one task covers",
                "the window, or the longest training system");
  app.add_value("--delimiter", arguments.delimiter, "C", "between fields: , ; | or tab", "found from the first line");
  app.add_switch("--decimal-comma", options.decimal_comma, "numbers are written 3,14");
  app.add_value("--max-errors", options.max_errors, "N", "bad rows to report in detail; 0: all", "20").at_least(0);
  app.add_switch("--skip-bad-rows", options.skip_bad_rows,
                 "skip every row with a bad field, and every bad edge, and report how many");
  app.add_value("--threads", options.threads, "N", "threads; 0: all cores", "0").at_least(0);
  app.add_value("--memory", arguments.memory, "MB", "work in a temporary file beside --out where more is needed",
                "half of the machine's")
      .at_least(1);
  app.add_switch("--force", arguments.force, "replace the file if it exists");
}

}  // namespace

std::filesystem::path scratch_folder(const std::string& out) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(out, error).parent_path();
  while (!std::filesystem::is_directory(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

Command add_import_csv(Flags import) {
  auto arguments = std::make_shared<Arguments>();
  Flags app = import.add_command("csv", "import a long table of observations");
  add_table_flags(app, *arguments);
  add_other_flags(app, *arguments);
  app.footer(
      examples(
          {"lgode import csv --observations obs.csv --edges edges.csv --out data.safetensors",
           "lgode import csv --observations log.csv --object robot --time stamp --features x,y,vx,vy "
           "--velocity-of vx=x,vy=y --window 10min --edges k-nearest=3 --out robots.safetensors",
           "lgode import csv --observations obs.csv --test-systems run7,run8 --skip-bad-rows --out data.safetensors",
           "lgode import csv --observations 'scenes/*.txt' --columns time,object,x,y --rate 25 --velocities difference "
           "--window 8s --test-systems 'zara*' --edges within=5 --out people.safetensors",
           "lgode import csv --folder tables/ --out data.safetensors"}) +
      "\n\nThe table is long: a row is one object at one time, in any order. An empty field, NaN or NA is a missing "
      "value; a row without any value is a place to fill.");
  return {app, [arguments] { return import_csv(*arguments); }};
}

}  // namespace lgode::app
