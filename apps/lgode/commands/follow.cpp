// lgode follow: forecasts from rows as they come.
#include "lgode/use/follow.h"

#include <memory>

#include "command.h"
#include "commands/arguments.h"
#include "engine.h"
#include "lgode/core/file.h"
#include "lgode/eval/run_info.h"
#include "text/flags.h"
#include "text/inputs.h"

namespace lgode::app {
namespace {

int follow(const FollowArguments& arguments) {
  const eval::RunInfo info = eval::load_run_info(arguments.run);
  use::check_stream(info, !arguments.edges.empty());
  if (!arguments.state.empty()) check_writable(arguments.state, Overwrite::kAllow);
  return run_following(arguments);
}

}  // namespace

Command add_follow(Flags root) {
  auto arguments = std::make_shared<FollowArguments>();
  Flags app = root.add_command("follow", "forecast from rows as they come, with uncertainty");
  constexpr double kLongest = 1e18;
  app.add_value("RUN", arguments->run, " ", "run folder or checkpoint; model assimilate or frames, task extrapolate")
      .required();
  app.add_value("--input", arguments->input, "FILE", "where rows come from", "standard input");
  app.add_value("--horizon", arguments->horizon, "T",
                "how far to forecast, in the data's time unit: seconds where its times are frames or dates",
                "as far as training looked ahead")
      .between(0, kLongest);
  app.add_value("--times", arguments->times, "N", "times per forecast, evenly spaced up to the horizon", "10")
      .at_least(1);
  app.add_value("--every", arguments->every, "DT", "least time between two forecasts of a scene",
                "0: a forecast after every time that has rows")
      .between(0, kLongest);
  app.add_value("--late", arguments->late, "T",
                "rows may be older than their scene's newest by this; older ones are not used", "0")
      .between(0, kLongest);
  app.add_value("--state", arguments->state, "FILE",
                "keep the state there, and continue from it if the file exists: rows already taken are skipped");
  app.add_value("--save-every", arguments->save_every, "SECONDS",
                "how often the state is written; 0: after every forecast. It is also written at the end", "10")
      .between(0, 1e9);
  app.add_value("--rate", arguments->rate, "N",
                "times of rows and forecasts are counts (frames), N per second; all lengths stay in seconds",
                "as in the run's table")
      .between(1e-9, kLongest);
  app.add_value("--edges", arguments->edges, "FILE",
                "relations (source, target and, if any, system, type, weight), where the run's data lists them");
  app.add_switch("--skip-bad", arguments->skip_bad, "report rows that cannot be read, and continue without them");
  app.add_switch("--ignore-others", arguments->ignore_others, "ignore columns that the run does not use");
  app.add_value("--outliers", arguments->outliers, "flag|use",
                "observations that jump away from their object's path and back: not used, or taken as they are", "flag")
      .one_of({"flag", "use"});
  add_spreadsheet_safe(app, arguments->spreadsheet_safe);
  app.add_value("--samples", arguments->samples, "N",
                "latent samples of intervals that are not calibrated; 0: of the decoder's noise only", "100")
      .at_least(0);
  app.add_value("--futures", arguments->futures, "K",
                "the most probable futures, of a run that was trained for several, with their probabilities", "0")
      .at_least(0);
  app.add_value("--seed", arguments->seed, "N", "seed of the latent samples", "1").seed();
  app.add_value("--step", arguments->step, "X", "step of the solver, in model time", "the run's own")
      .between(1e-5, 1e3);
  app.add_value("--threads", arguments->threads, "N", "threads; 0: all cores", "1").at_least(0);
  app.footer(
      examples(
          {"lgode follow runs/walk < observations.csv > forecasts.csv",
           "lgode follow runs/walk --rate 25 --input frames.csv > forecasts.csv",
           "tail -f -n +1 live.csv | lgode follow runs/walk --horizon 4 --every 0.5 --late 0.2 --state walk.state"}) +
      "\n\nRows have the columns of the table that the run was trained on; the column of systems may be absent. The "
      "rows "
      "of a\ntime are complete when a later one of their scene comes, or at the end.\n"
      "Output is CSV, flushed after each forecast: made,system,object,time,feature,mean,std,q05,q95; with --futures\n"
      "also future (0: the mean path, 1: the most probable one) and probability.");
  return {app, [arguments] { return follow(*arguments); }};
}

}  // namespace lgode::app
