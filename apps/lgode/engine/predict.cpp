// Runs the predictions of lgode predict: writes trajectories, or fills the gaps of a table.
#include "lgode/eval/predict.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "command.h"
#include "commands/arguments.h"
#include "commands/import.h"
#include "commands/shard.h"
#include "engine.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/use/fill.h"
#include "lgode/use/format.h"
#include "lgode/use/predict.h"
#include "text/flag_text.h"
#include "text/interrupt.h"
#include "text/progress.h"

namespace lgode::app {
namespace {

int fill(const PredictArguments& arguments, const eval::Run& run, const data::Dataset& dataset) {
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  use::FillOptions options;
  options.predict = arguments.options;
  options.with = use::parse_fill_with(arguments.filling.with);
  options.all_times = arguments.filling.all_times;
  options.table = arguments.new_table.table;
  options.scratch_folder = scratch_folder(arguments.out);
  options.intervals = use::fill_intervals_path(arguments.out);
  use::Filled filled;
  {
    Progress progress;
    use::FillCallbacks callbacks;
    callbacks.table_read = [&](const data::Dataset& table) { print_messages(use::messages_on(run.info, table)); };
    callbacks.progress = [&](std::int64_t done, std::int64_t total) { progress.share("filling", done, total); };
    callbacks.before_commit = stop_no_more;
    filled = use::write_filled(arguments.out, arguments.overwrite(), run, dataset, options, callbacks, stop);
  }
  const bool user_table = !arguments.new_table.table.empty();
  print_messages(use::messages(filled, dataset, run.info, arguments.data, user_table));
  nlohmann::json notes = use::prediction_notes(arguments.run, arguments.data, arguments.options, run.context);
  notes.update(use::fill_notes(filled, dataset, arguments.filling.with));
  notes["table"] = user_table ? nlohmann::json(arguments.new_table.table) : nlohmann::json(nullptr);
  notes["out"] = arguments.out;
  const std::filesystem::path notes_path = use::fill_notes_path(arguments.out);
  write_file(notes_path, arguments.overwrite(), json_text(notes, 2) + "\n");
  for (const std::string& line : use::fill_lines(filled, dataset, arguments.filling.with))
    fmt::print("{}\n", with_flags(line));
  fmt::print("{}: {}, {} of them new, {}\n", arguments.out, use::format_plural(filled.rows, "row"),
             use::format_count(filled.new_rows), use::format_plural(filled.values, "imputed value"));
  fmt::print("{}: how it was filled\n", notes_path.string());
  if (!filled.without_intervals)
    fmt::print("{}: intervals of {}\n", options.intervals.string(), use::format_plural(filled.interval_rows, "value"));
  return kOk;
}

// Parts hold exact numbers, whatever the whole is.
std::filesystem::path part_name(const std::string& out) {
  return std::filesystem::path(out).replace_extension(".safetensors");
}

}  // namespace

int run_prediction(const PredictArguments& arguments, const data::Dataset& dataset) {
  eval::PredictOptions options = arguments.options;
  const ops::Context context = ops::make_context(arguments.device, arguments.threads);
  eval::Run run = eval::load_run(arguments.run, context, arguments.step);
  if (options.outliers == data::Outliers::kUse) run.info.task.gate.reset();
  if (!arguments.fill || arguments.new_table.table.empty()) print_messages(use::messages_on(run.info, dataset));
  if (arguments.fill) return fill(arguments, run, dataset);

  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  use::Messages choice;
  run = use::settle_method(run, options, choice, stop);
  print_messages(choice);
  const nlohmann::json notes = use::prediction_notes(arguments.run, arguments.source(), options, context);
  const use::PredictionForm form{
      .own_names = arguments.from_table(), .relative = options.relative, .futures = options.futures};
  use::Predicted found;
  const std::optional<Shard> shard = parse_shard(arguments.shard);
  std::optional<ShardParts> parts;
  if (shard) parts.emplace(part_name(arguments.out), *shard);
  {
    Progress progress;
    use::write_predictions(
        parts ? parts->own() : std::filesystem::path(arguments.out), parts ? Overwrite::kAllow : arguments.overwrite(),
        dataset, notes, options.quantiles,
        [&](const use::PredictionSink& sink) {
          if (options.systems.empty()) return;  // more shards than systems
          eval::PredictOptions reporting = options;
          reporting.progress = [&](std::int64_t done, std::int64_t total, double work) {
            progress.share("predicting", done, total, work);
          };
          found = use::predict(run, dataset, reporting, sink, stop);
          stop_no_more();
        },
        parts ? use::PredictionForm() : form);
  }
  print_messages(use::messages(found, run, options));
  fmt::print("{}: {}, {}\n", parts ? parts->own().string() : arguments.out, use::format_plural(found.systems, "system"),
             use::format_plural(found.values, "predicted value"));
  if (!parts) return kOk;
  const auto all = parts->claim();
  if (!all) {
    fmt::print("{}\n", parts->waiting_text());
    return kOk;
  }
  use::write_predictions(
      arguments.out, arguments.overwrite(), dataset, notes, options.quantiles,
      [&](const use::PredictionSink& sink) {
        for (const std::filesystem::path& part : *all) use::read_predictions(part, dataset, options.quantiles, sink);
      },
      form);
  parts->remove();
  fmt::print("{}: joined from {} parts\n", arguments.out, all->size());
  return kOk;
}

}  // namespace lgode::app
