// Which systems of a data set an evaluation, a page or a calibration uses, and what is refused. Independent of
// LibTorch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lgode/data/task.h"
#include "lgode/eval/run_info.h"

namespace lgode::use {

// A part by its name: "test", "validation" or "train".
struct PartSystems {
  std::vector<std::int64_t> systems;
  data::View view = data::View::kTest;  // how the evaluation selects observations and targets
};

// The part of the maker's data set that `split` names. ConfigError for another name; DataError explains why a part is
// empty and what to do.
PartSystems part_of(const eval::RunInfo& info, const data::BatchMaker& maker, const std::string& split);
// How an evaluation of that part selects observations and targets.
data::View view_of(const eval::RunInfo& info, const std::string& split);
// The same errors for the test part, before anything is computed. `name`: of the data set, in messages.
void check_split(const data::Dataset& dataset, const std::string& split, const std::string& name);
// The part that a page shows: test or, where there is none, validation or training.
std::string shown_split(const eval::RunInfo& info, const data::Dataset& dataset);

// What a calibration uses: the run's own validation part, or these systems.
struct CalibrationPart {
  bool own = false;
  std::vector<std::int64_t> systems;
  std::string name;  // "validation", "train", "test" or "all"
};
struct CalibrationRequest {
  std::string run = "the run", data = "the data set";  // in messages
  bool data_given = false;                             // false: the data set is the one that the run was trained on
  std::string part = {};                               // "train", "test", "all"; empty: not given
  // Only these systems of the data set, whatever the part.
  std::optional<std::vector<std::int64_t>> systems = {};
};
// ConfigError: a part was asked for, but no data.
[[noreturn]] void refuse_part_without_data(const std::string& part);
// With the training data, given or not, the validation part, or its test part if that is asked for. ConfigError where
// the run was trained on the systems or where its protocol has no validation part; DataError where the data set is not
// the training data any more.
CalibrationPart calibration_part(const eval::RunInfo& info, const data::Dataset& dataset,
                                 const CalibrationRequest& request);

}  // namespace lgode::use
