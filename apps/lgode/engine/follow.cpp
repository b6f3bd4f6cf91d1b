// Runs lgode follow: rows from standard input to a follower, forecasts to standard output.
#include "lgode/use/follow.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "command.h"
#include "commands/arguments.h"
#include "engine.h"
#include "lgode/core/clock.h"
#include "lgode/core/error.h"
#include "lgode/data/time_text.h"
#include "lgode/eval/follower.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/row_stream.h"
#include "lgode/table/csv/write.h"
#include "lgode/use/format.h"
#include "text/flag_text.h"
#include "text/interrupt.h"

namespace lgode::app {
namespace {

using Clock = std::chrono::steady_clock;

eval::ForecastOptions forecast_options(const FollowArguments& arguments, const eval::RunInfo& info) {
  eval::ForecastOptions options;
  options.ahead = use::steps_ahead(info, arguments.horizon, arguments.times);
  options.samples = arguments.samples, options.seed = arguments.seed, options.futures = arguments.futures;
  return options;
}

class Following {
 public:
  Following(const FollowArguments& arguments, eval::Run run, eval::FollowOptions options)
      : arguments_(arguments),
        rate_(arguments.rate > 0 ? arguments.rate : run.info.table.rate),
        pace_(run.info, rate_),
        forecast_(forecast_options(arguments, run.info)),
        text_(run.info.table),
        follower_(std::move(run), with_drops(std::move(options))) {}

  // Whether there was a state to continue from.
  bool restore() {
    std::error_code error;
    if (arguments_.state.empty() || !std::filesystem::exists(arguments_.state, error)) return false;
    follower_.restore(arguments_.state);
    for (const std::string& scene : follower_.scenes())
      restored_until_ = std::max(restored_until_, *follower_.newest(scene));
    if (!follower_.scenes().empty())
      fmt::print(stderr, "{}: going on after time {}\n", arguments_.state, shown(restored_until_));
    return true;
  }

  void take(const table::StreamRow& row) {
    // A later row completes the rows before it.
    pace_.take(row.system, row.time);
    const std::optional<double> newest = follower_.newest(row.system);
    if (newest && row.time > *newest && follower_.has(row.system)) forecast_if_due(row.system);
    switch (follower_.observe(row)) {
      case eval::Follower::Taken::kTaken:
        ++taken_;
        break;
      case eval::Follower::Taken::kEmpty:
        ++empty_;
        break;
      case eval::Follower::Taken::kRepeated:
        ++(known(row) ? skipped_ : repeated_);
        break;
      case eval::Follower::Taken::kTooLate:
        if (known(row))
          ++skipped_;
        else if (++late_ == 1)
          fmt::print(
              stderr,
              "warning: line {}: the row of time {} comes after one of {} and is not used; --late T allows rows to "
              "be late\n",
              row.line, shown(row.time), shown(*newest));
        break;
    }
  }

  void finish() {
    for (const std::string& scene : follower_.scenes()) forecast_if_due(scene);
  }

  void bad(const table::Problem& problem, const std::string& path) {
    if (!arguments_.skip_bad)
      throw DataError(problem.text(path) + "; correct the row, or pass --skip-bad to continue without such rows");
    fmt::print(stderr, "note: skipped: {}\n", with_flags(problem.text(path)));
    ++bad_;
  }

  void save() {
    if (!arguments_.state.empty()) follower_.save(arguments_.state);
    saved_ = Clock::now();
  }

  std::int64_t taken() const { return taken_; }

  void report() const {
    std::string text =
        fmt::format("{} taken, {} written", use::format_plural(taken_, "row"), use::format_plural(made_, "forecast"));
    const auto add = [&](std::int64_t count, const char* what) {
      if (count > 0) text += fmt::format("; {} {}", use::format_plural(count, "row"), what);
    };
    add(late_, "too late and not used");
    add(skipped_, "skipped, of the time before the state");
    add(repeated_, "of an object and time that had one, not used");
    add(empty_, "without any value, not used");
    add(bad_, "that cannot be read, not used");
    add(outliers_, "too far from the object's path, not used (--outliers use takes them)");
    fmt::print(stderr, "{}\n", text);
  }

 private:
  // The last rows of a scene have no later ones to complete them.
  eval::FollowOptions with_drops(eval::FollowOptions options) {
    options.on_drop = [this](const std::string& scene) { forecast_if_due(scene); };
    options.on_outlier = [this](const std::string& scene, const std::string& object, double time) {
      constexpr std::int64_t kMostLines = 10;
      if (++outliers_ > kMostLines) return;
      fmt::print(stderr, "note: {}object {} at {}: too far from its path to be believed; not used{}\n",
                 scene.empty() ? "" : "system " + scene + ", ", object, shown(time),
                 outliers_ == kMostLines ? "; further ones are only counted" : "");
    };
    return options;
  }

  // As in the rows: dates, counts or numbers.
  std::string shown(double time) const { return table::time_field(text_, time, rate_, {}); }

  bool known(const table::StreamRow& row) const { return row.time <= restored_until_; }

  void forecast_if_due(const std::string& scene) {
    const std::optional<double> newest = follower_.newest(scene), last = follower_.forecast_from(scene);
    if (last && (*newest <= *last || *newest - *last < arguments_.every * (1 - 1e-9))) return;
    write(scene, follower_.forecast(scene, forecast_));
    ++made_;
    if (seconds_since(saved_) >= arguments_.save_every) save();
  }

  void write(const std::string& scene, const eval::SceneForecast& forecast) {
    table::CsvText csv;
    const std::size_t futures = forecast.futures.size();
    for (std::size_t o = 0; o < forecast.objects.size(); ++o) {
      add_rows(csv, scene, forecast, o, [&](std::size_t i) {
        csv.number(forecast.mean[i]).number(forecast.deviation[i]).number(forecast.low[i]).number(forecast.high[i]);
        if (arguments_.futures > 0) csv.raw("0").raw("");
      });
      for (std::size_t j = 0; j < futures; ++j)
        add_rows(csv, scene, forecast, o, [&](std::size_t i) {
          csv.number(forecast.futures[j][i]).raw("").raw("").raw("");
          csv.raw(std::to_string(j + 1)).number(forecast.probability[o * futures + j]);
        });
    }
    const std::string& text = csv.text();
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw DataError("standard output cannot be written");
  }

  // The rows of one path of an object. `use` adds the fields after the feature of value i.
  template <class Use>
  void add_rows(table::CsvText& csv, const std::string& scene, const eval::SceneForecast& forecast, std::size_t object,
                const Use& use) const {
    const std::vector<data::Feature>& features = follower_.run().info.features;
    const auto id = [&](const std::string& name) {
      return arguments_.spreadsheet_safe ? table::spreadsheet_safe(name) : name;
    };
    std::size_t i = object * forecast.times.size() * features.size();
    for (const double time : forecast.times)
      for (const data::Feature& feature : features) {
        const std::size_t at = i++;
        if (feature.derived) continue;
        csv.raw(shown(forecast.start)).field(id(scene)).field(id(forecast.objects[object])).raw(shown(time));
        csv.field(feature.name);
        use(at);
        csv.end_row();
      }
  }

  const FollowArguments& arguments_;
  double rate_;  // of counts; 0: times are not counts
  use::Pace pace_;
  eval::ForecastOptions forecast_;
  data::TimeText text_;
  eval::Follower follower_;
  double restored_until_ = -std::numeric_limits<double>::infinity();
  std::int64_t taken_ = 0, made_ = 0, late_ = 0, skipped_ = 0, repeated_ = 0, empty_ = 0, bad_ = 0, outliers_ = 0;
  Clock::time_point saved_ = Clock::now();
};

}  // namespace

int run_following(const FollowArguments& arguments) {
  eval::Run run = eval::load_run(arguments.run, ops::make_context("cpu", arguments.threads), arguments.step);
  const eval::RunInfo info = run.info;
  eval::FollowOptions options{.late = arguments.late};
  if (arguments.outliers == "use") options.outliers = data::Outliers::kUse;
  if (!arguments.edges.empty()) options.relations = table::read_named_relations(arguments.edges, info.table);
  Following following(arguments, std::move(run), std::move(options));
  const bool restored = following.restore();
  const StopFlag* stop = stop_on_interrupt("stopping");
  bool interrupted = false;
  try {
    table::RowStream stream(arguments.input, info.table, arguments.ignore_others, stop, arguments.rate);
    if (!restored)
      fmt::print("made,system,object,time,feature,mean,std,q05,q95{}\n",
                 arguments.futures > 0 ? ",future,probability" : "");
    std::vector<table::StreamRow> rows;
    std::vector<table::Problem> bad;
    while (stream.next(rows, bad)) {
      auto problem = bad.begin();
      for (const table::StreamRow& row : rows) {
        for (; problem != bad.end() && problem->line < row.line; ++problem)
          following.bad(*problem, stream.path().string());
        if (stop->requested()) throw Interrupted();
        if (const auto lacking = use::refused_row(info, row.values, row.line))
          following.bad(*lacking, stream.path().string());
        else
          following.take(row);
      }
      for (; problem != bad.end(); ++problem) following.bad(*problem, stream.path().string());
      bad.clear();
    }
    following.finish();
  } catch (const Interrupted&) {
    interrupted = true;
  } catch (...) {
    if (following.taken() > 0) following.save();
    throw;
  }
  following.save();
  following.report();
  return interrupted ? kInterrupted : kOk;
}

}  // namespace lgode::app
