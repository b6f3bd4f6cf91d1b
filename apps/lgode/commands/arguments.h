// The command lines of the subcommands whose work lgode-engine does, of lgode train in train_arguments.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands/new_table.h"
#include "lgode/core/file.h"
#include "lgode/eval/prediction.h"
#include "lgode/use/options.h"

namespace lgode::app {

struct EvaluateArguments : use::EvaluateSettings {
  std::vector<std::string> runs;
  std::string data, device = "auto";
  std::int64_t threads = 0;
  std::optional<double> step;
  TableArguments new_table;  // evaluated instead of a data set
  bool json = false, summary = false;
  std::string record, shard;
  bool force = false;

  Overwrite overwrite() const { return force ? Overwrite::kAllow : Overwrite::kRefuse; }
};

struct CalibrateArguments : use::CalibrateSettings {
  std::string run, data, device = "auto";
  std::int64_t threads = 0;
};

struct PredictArguments {
  std::string run, data, out, times, times_file, systems, start;
  TableArguments new_table;  // with `fill`: the table to fill
  bool from_table() const { return !fill && !new_table.table.empty(); }
  // What is predicted or filled, as the user names it.
  const std::string& source() const { return from_table() ? new_table.table : data; }

  std::string part = "all", device = "auto";
  std::int64_t threads = 0;
  std::optional<double> step;
  bool force = false, fill = false, spreadsheet_safe = false;
  std::string shard;  // "2/4": only a part of the systems
  eval::PredictOptions options;
  use::FillSettings filling;

  Overwrite overwrite() const { return force ? Overwrite::kAllow : Overwrite::kRefuse; }
};

struct FollowArguments {
  std::string run, input = "/dev/stdin", edges, state;
  std::optional<double> horizon, step;
  double every = 0, late = 0, save_every = 10, rate = 0;  // rate 0: as in the run's table
  std::int64_t times = 10, samples = 100, futures = 0, threads = 1;
  std::uint64_t seed = 1;
  bool skip_bad = false, ignore_others = false, spreadsheet_safe = false;
  std::string outliers = "flag";
};

struct ReportArguments {
  std::string run, data, out, device = "auto";
  std::int64_t systems = 12, threads = 0, most_bytes = 5'000'000;
  bool open = false, force = false, allow_mismatch = false, quiet = false;
};

struct PlotArguments {
  std::string run, data, out, system, title, device = "auto";
  std::string truth;                         // of a filled table: the values that are known
  std::int64_t threads = 0, objects = 0;     // 0: as many as can be told apart
  std::vector<std::string> features, names;  // none: the positions; all objects
  bool force = false, allow_mismatch = false;
};

struct CompareArguments {
  std::vector<std::string> runs;
  std::string out, data, device = "auto";
  std::int64_t threads = 0;
  bool open = false, force = false, allow_mismatch = false;
};

}  // namespace lgode::app
