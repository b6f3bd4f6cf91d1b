// The plan of a benchmark: its jobs. A job is one row of the tables in one column: a training with what follows from
// it, or a classical method. No LibTorch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lgode/benchmark/protocol.h"

namespace lgode::benchmark {

inline constexpr const char* kModelRow = "model";
inline constexpr const char* kLineRow = "line";  // of imputations

struct Job {
  std::string fold;
  Task task = Task::kForecast;
  std::string row = kModelRow;  // or the word of a classical method, or kLineRow
  std::uint64_t seed = 0;       // of a model; classical rows have none

  bool trains() const { return row == kModelRow; }
  // "eth-model-1", "eth-impute-model-1", "eth-constant-velocity": of its folder and its record.
  std::string name() const;
  bool operator==(const Job&) const = default;
};

struct Selection {
  bool model = true;
  std::vector<std::string> rows;  // classical ones
  std::int64_t seeds = 3;         // seeds 1 to `seeds`
};

// `text`: empty for everything, "all" for every classical row, or words of them with commas. ConfigError names `flag`.
Selection select_rows(const std::string& text, std::int64_t seeds, const std::string& flag = "`method`");

// Classical rows first, then trainings, seed after seed, so that a whole table is there early. The straight line is the
// classical row of imputations and comes with any of the others.
std::vector<Job> plan(const Protocol& protocol, const Selection& selection);

// "15 trainings of at most 10 min each: at most 2 h 30 min, 1 at a time, and the trials before and the forecasts after
// each"; without `minutes` there is no limit to tell.
std::string cost_text(const std::vector<Job>& left, std::optional<double> minutes, std::int64_t jobs);

}  // namespace lgode::benchmark
