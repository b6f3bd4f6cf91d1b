// lgode import csv: makes a data set from a long table of observations, in one file or several, and a table of edges;
// or restores one from a folder of lgode export csv.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "commands/import.h"
#include "lgode/core/clock.h"
#include "lgode/core/error.h"
#include "lgode/table/import.h"
#include "lgode/use/format.h"
#include "lgode/use/import_messages.h"
#include "text/command_line.h"
#include "text/flag_text.h"
#include "text/flags.h"
#include "text/inputs.h"
#include "text/interrupt.h"
#include "text/option_flags.h"
#include "text/progress.h"

namespace lgode::app {
namespace {

using use::format_count;
using use::format_duration;
using use::format_number;
using use::format_plural;
using use::format_word;

struct Arguments {
  explicit Arguments(Flags app) : flags(app, options) { table::declare(options, import); }

  std::vector<std::string> observations;
  std::string folder, out;
  bool force = false;
  table::ImportOptions import;
  OptionSet options;  // bound to import
  OptionFlags flags;
};

// An exported folder has what the other options set.
void check_folder(const Arguments& arguments) {
  for (const std::string& key : arguments.flags.given())
    if (arguments.options.find(key)->group != table::kWorkGroup && key != "seed")
      throw ConfigError(
          fmt::format("{} does not go with --folder, which is read as it was exported; import its tables "
                      "with --observations and --edges instead",
                      flag_name(key)));
}

table::ImportOptions resolve(Arguments& arguments) {
  if (arguments.observations.empty() == arguments.folder.empty())
    throw ConfigError("expected --observations FILE, or --folder FOLDER that lgode export csv wrote");
  if (!arguments.folder.empty()) check_folder(arguments);
  arguments.flags.read();
  table::ImportOptions options = arguments.import;
  if (!arguments.folder.empty()) {
    table::ImportOptions known = table::folder_import(arguments.folder);
    known.max_errors = options.max_errors;
    known.skip_bad_rows = options.skip_bad_rows;
    known.threads = options.threads;
    known.memory = options.memory;
    return known;
  }
  options.observations = table::find_files(arguments.observations);
  options.file_systems = true;
  table::name_after_files(options);
  table::check_options(options);
  return options;
}

void print_report(const table::ImportReport& report) {
  for (const std::string& line : report.bad_rows) fmt::print(stderr, "skipped: {}\n", with_flags(line));
  if (const std::string skipped = use::skipped_text(report); !skipped.empty()) fmt::print(stderr, "{}\n", skipped);
  print_messages(use::messages(report));
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

// As the library does; where columns of text stand in the way, with the whole command that leaves them out.
data::Dataset read(const table::ImportOptions& options, table::ImportReport& report,
                   const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop) {
  try {
    return table::import_csv(options, report, progress, stop);
  } catch (const table::TextColumnsError& error) {
    if (error.others.empty()) throw;
    const std::string what = error.what(), features = fmt::format("{}", fmt::join(error.others, ","));
    throw ConfigError(fmt::format("{}; without: {}", what.substr(0, what.rfind("; without: ")),
                                  command_line_with("--features", features)));
  }
}

int import_csv(Arguments& arguments) {
  table::ImportOptions options = resolve(arguments);
  const Overwrite overwrite = arguments.force ? Overwrite::kAllow : Overwrite::kRefuse;
  std::vector<std::filesystem::path> inputs = options.observations;
  if (options.relations.table) inputs.push_back(*options.relations.table);
  check_not_input(arguments.out, inputs, "the data set");
  if (!options.relations.table)
    for (const char* key : {"undirected", "edge_columns"})
      if (arguments.options.find(key)->source == Source::kFlag)
        throw ConfigError(fmt::format("{} is about a table of edges; name it with --edges", flag_name(key)));
  check_writable(arguments.out, overwrite);
  options.scratch_folder = scratch_folder(arguments.out);
  const auto begin = std::chrono::steady_clock::now();
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  table::ImportReport report;
  std::int64_t train = 0, test = 0, objects = 0, observations = 0;
  std::string relations;
  {
    Progress progress;
    const data::Dataset dataset = read(
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
  const double seconds = seconds_since(begin);
  fmt::print("{}: {} training and {}, {}, {}, {}, {:.1f} MB, in {}\n", arguments.out, format_count(train),
             format_plural(test, "test system"), format_plural(objects, "object"),
             format_plural(observations, "observation"), relations,
             1e-6 * static_cast<double>(std::filesystem::file_size(arguments.out)), format_duration(seconds));
  fmt::print("next: lgode info {}\n", format_word(arguments.out));
  return kOk;
}

}  // namespace

std::filesystem::path scratch_folder(const std::string& out) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(out, error).parent_path();
  while (!std::filesystem::is_directory(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

Command add_import_csv(Flags import) {
  Flags app = import.add_command("csv", "import a long table of observations");
  auto arguments = std::make_shared<Arguments>(app);
  app.add_value(
         "--observations", arguments->observations, "FILE...",
         "table with a row for each object and time; several files or a pattern ('dir/*.txt') are one table, and "
         "without a column of systems each file is a system")
      .many();
  app.add_value("--folder", arguments->folder, "FOLDER", "instead: tables that lgode export csv wrote, as they were");
  app.add_value("--out", arguments->out, "FILE", "data set to write (.safetensors)").required();
  arguments->flags.add_all();
  app.add_switch("--force", arguments->force, "replace the file if it exists");
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
