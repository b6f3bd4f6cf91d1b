// Runs the predictions of lgode predict: writes trajectories, or fills the gaps of a table.
#include "lgode/eval/predict.h"

#include <fmt/format.h>

#include "command.h"
#include "engine.h"
#include "format.h"
#include "import.h"
#include "interrupt.h"
#include "lgode/eval/fill.h"
#include "lgode/version.h"
#include "predict_arguments.h"
#include "prediction_file.h"
#include "progress.h"
#include "run_warnings.h"

namespace lgode::app {
namespace {

int fill(const PredictArguments& arguments, const eval::Run& run, const data::Dataset& dataset) {
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  const eval::FillOptions options{arguments.options, arguments.all_times, arguments.table,
                                  scratch_folder(arguments.out)};
  eval::Filled filled;
  {
    Progress progress;
    eval::FillCallbacks callbacks;
    // If the data set has missing values, the note was printed already.
    callbacks.table_read = [&](const data::Dataset& table) {
      if (!dataset.has_missing()) print_notes(run.info, table);
    };
    callbacks.progress = [&](std::int64_t done, std::int64_t total) { progress.share("filling", done, total); };
    callbacks.before_commit = stop_no_more;
    filled = eval::write_filled(arguments.out, arguments.overwrite(), run, dataset, options, callbacks, stop);
  }
  if (filled.bad_rows > 0)
    fmt::print(stderr, "note: {} cannot be read or appear twice and stay as they are; lgode import csv reports why\n",
               format_plural(filled.bad_rows, "row"));
  if (filled.open_values > 0)
    fmt::print(stderr, "note: {} in {} stay empty: their systems are not in {}, or their rows cannot be read\n",
               format_plural(filled.open_values, "value"), format_plural(filled.open_rows, "row"), arguments.data);
  if (filled.blind_times > 0)
    fmt::print(stderr,
               "note: {} lie in ranges of time without any observation of their system; the values filled in there are "
               "based on no data\n",
               format_plural(filled.blind_times, "row"));
  if (arguments.table.empty() && !dataset.description().recordings.empty())
    fmt::print(stderr,
               "note: the data was cut into windows, and rows outside the windows are missing; to fill the original "
               "table, pass it with --table\n");
  fmt::print("{}: {}, {} of them new, {}\n", arguments.out, format_plural(filled.rows, "row"),
             format_count(filled.new_rows), format_plural(filled.values, "imputed value"));
  return kOk;
}

}  // namespace

int run_prediction(const PredictArguments& arguments, const data::Dataset& dataset) {
  const eval::PredictOptions& options = arguments.options;
  const ops::Context context = ops::make_context(arguments.device, arguments.threads);
  const eval::Run run = eval::load_run(arguments.run, context, arguments.step);
  print_notes(run.info, dataset);
  if (arguments.fill) return fill(arguments, run, dataset);

  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  const nlohmann::json notes = {{"run", arguments.run},
                                {"data", arguments.data},
                                {"samples", options.samples},
                                {"seed", options.seed},
                                {"version", LGODE_VERSION},
                                {"commit", LGODE_COMMIT},
                                {"machine", ops::machine_name(context)}};
  std::int64_t done = 0, values = 0;
  {
    Progress progress;
    write_predictions(arguments.out, arguments.overwrite(), dataset, notes, [&](const PredictionSink& sink) {
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

}  // namespace lgode::app
