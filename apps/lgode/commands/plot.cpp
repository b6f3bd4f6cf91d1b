// lgode plot: a system as a figure for a publication.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "commands/arguments.h"
#include "engine.h"
#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/eval/run_info.h"
#include "lgode/report/filled_table.h"
#include "lgode/report/run_record.h"
#include "lgode/use/prediction_file.h"
#include "text/flags.h"
#include "text/inputs.h"
#include "text/ranges.h"

namespace lgode::app {
namespace {

namespace fs = std::filesystem;

// The index of a system that is given by index or name; -1 if none is given.
std::int64_t find_system(const std::string& text, const data::Dataset& dataset) {
  if (text.empty()) return -1;
  const auto& ids = dataset.description().system_ids;
  const auto named = std::find(ids.begin(), ids.end(), text);
  if (named != ids.end()) return named - ids.begin();
  if (text.find_first_not_of("0123456789") != std::string::npos)
    throw ConfigError(
        fmt::format("--system {}: there is no such system{}; name one by its index in the data set, 0 to "
                    "{}, or by its name",
                    text, did_you_mean(text, ids), dataset.systems() - 1));
  return parse_indices(text, dataset.systems(), "--system").front();
}

// The data set that a table was filled from, by the notes next to it.
std::string data_of_fill(const std::string& table) {
  std::ifstream notes(use::fill_notes_path(table));
  const auto found = notes ? nlohmann::json::parse(notes, nullptr, /*allow_exceptions=*/false) : nlohmann::json();
  return found.is_object() ? found.value("data", std::string()) : std::string();
}

int plot_filled(const PlotArguments& arguments) {
  const std::string noted = data_of_fill(arguments.run), data = arguments.data.empty() ? noted : arguments.data;
  if (data.empty())
    throw ConfigError(fmt::format(
        "{}: no {} names the data set that it was filled from; pass it with --data, for the names of the columns",
        arguments.run, use::fill_notes_path(arguments.run).string()));
  if (arguments.data.empty() && !fs::exists(data))
    throw DataError(
        fmt::format("{}: absent; {} was filled from it, pass --data with its new path", data, arguments.run));
  check_not_input(arguments.out, {arguments.run, data, arguments.truth}, "the figure");
  return run_filled_plot(arguments, data::load_dataset(data).description());
}

int plot(const PlotArguments& arguments) {
  const std::string extension = fs::path(arguments.out).extension().string();
  if (extension != ".svg" && extension != ".png" && extension != ".pdf")
    throw ConfigError(fmt::format("--out {}: the name must end in .svg, .png or .pdf", arguments.out));
  if (is_table(arguments.run) && report::is_filled_table(arguments.run)) {
    refuse_table(arguments.data, "lgode plot", "lgode plot TABLE --data", " ...");
    check_writable(arguments.out, arguments.force ? Overwrite::kAllow : Overwrite::kRefuse);
    return plot_filled(arguments);
  }
  if (!arguments.truth.empty())
    throw ConfigError(
        fmt::format("--truth {}: goes with a filled table, and {} is not one: it has no column 'imputed'; the truth of "
                    "a run is in its data set",
                    arguments.truth, arguments.run));
  refuse_table(arguments.run, "lgode plot", "lgode train", " --out RUN, lgode plot RUN ...",
               ", and tables that lgode predict --fill wrote, which have a column 'imputed'");
  refuse_table(arguments.data, "lgode plot", "lgode plot RUN --data", " ...");
  check_writable(arguments.out, arguments.force ? Overwrite::kAllow : Overwrite::kRefuse);
  const report::RunRecord record = report::read_run(arguments.run);
  if (!record.has_weights)
    throw DataError(
        fmt::format("{}: the run has no weights yet, so there is nothing to predict; train it further", arguments.run));
  std::string data = arguments.data;
  if (data.empty()) data = record.config.value("data", std::string());
  if (data.empty()) throw ConfigError(fmt::format("{}: its config names no data set; pass --data", arguments.run));
  if (arguments.data.empty() && !fs::exists(data))
    throw DataError(
        fmt::format("{}: absent; {} was trained on it, pass --data with its new path", data, arguments.run));
  const data::Dataset dataset = data::load_dataset(data);
  eval::check_fits(eval::load_run_info(arguments.run), dataset, {.allow_mismatch = arguments.allow_mismatch});
  check_not_input(arguments.out, {data, eval::checkpoint_path(arguments.run)}, "the figure");
  return run_plot(arguments, find_system(arguments.system, dataset), dataset);
}

}  // namespace

Command add_plot(Flags root) {
  auto arguments = std::make_shared<PlotArguments>();
  Flags app = root.add_command("plot", "draw a system as a figure for a publication: SVG, PNG or PDF");
  app.add_value("RUN", arguments->run, " ", "run folder or checkpoint; or a table that lgode predict --fill wrote")
      .required();
  app.add_value("--system", arguments->system, "3", "system by its index in the data set, or by name",
                "the median of the test part by error; of a table the first filled one");
  app.add_value("--out", arguments->out, "FILE", "the figure: .svg, .png or .pdf").required();
  app.add_value("--data", arguments->data, "FILE", "data set",
                "the one the run was trained on, or the table was filled from");
  app.add_value("--features", arguments->features, "NAME,...",
                "draw these features over time instead of paths or poses")
      .many(/*commas=*/true);
  app.add_value("--objects", arguments->objects, "N", "draw at most this many objects", "40 paths, 4 objects over time")
      .at_least(1);
  app.add_value("--only", arguments->names, "NAME,...", "draw these objects").many(/*commas=*/true);
  app.add_value("--truth", arguments->truth, "FILE",
                "of a filled table: a table of the same columns with the true values, to draw and to compare with");
  app.add_value("--title", arguments->title, "TEXT", "title above the figure", "none");
  app.add_switch("--force", arguments->force, "replace the file if it exists");
  app.add_switch("--allow-mismatch", arguments->allow_mismatch,
                 "even if units or time spans of the data differ from the training data's");
  app.add_value("--threads", arguments->threads, "N", "threads; 0: all cores", "0").at_least(0);
  app.add_value("--device", arguments->device, "auto|cpu|cuda", "where to compute", "auto")
      .one_of({"auto", "cpu", "cuda"});
  app.footer(
      examples({"lgode plot runs/first --system 3 --out fig.svg",
                "lgode plot runs/first --system 4003 --out fig.pdf --title \"springs, 60 % observed\"",
                "lgode plot runs/first --system 4003 --features x,vx --objects 2 --out series.svg",
                "lgode plot filled.csv --system 35_28 --only lhand,ltoes --features y --out filled.svg"}) +
      "\n\nGround truth next to the prediction: what was observed is faint, what is predicted solid. Objects in "
      "space are\nposes side by side. The model sees what lgode evaluate shows of the system. Of a filled table: "
      "what was observed, what was imputed, and\nthe intervals in NAME.intervals.csv where there is such a file. "
      "PNG and PDF need a build with Cairo.");
  return {app, [arguments] { return plot(*arguments); }};
}

}  // namespace lgode::app
