// What following a stream of rows decides: how far forecasts reach, and which rows and relations are refused.
// Independent of LibTorch.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lgode/eval/run_info.h"
#include "lgode/table/problem.h"

namespace lgode::use {

// `times` equal steps to the horizon; by default as far as training looked.
std::vector<double> steps_ahead(const eval::RunInfo& info, std::optional<double> horizon, std::int64_t times);

// ConfigError where the run's data lists its relations and the stream has none.
void check_stream(const eval::RunInfo& info, bool has_relations);

// Notices times in frames where the run's data has seconds.
class Pace {
 public:
  // `rate`: of the stream; times that are counts need no look.
  Pace(const eval::RunInfo& info, double rate);
  // Looks at the first two times of the first scene: ConfigError where both are whole and much farther apart than the
  // run's observations, so that they look like frames without a rate.
  void take(const std::string& scene, double time);

 private:
  double gap_;  // of the run's data; 0: nothing to check
  std::string scene_;
  std::optional<double> first_;
};

// Why a row of a stream cannot be taken: it lacks a value, and the model cannot do without. `line`: of the row.
std::optional<table::Problem> refused_row(const eval::RunInfo& info, std::span<const double> values, std::int64_t line);

}  // namespace lgode::use
