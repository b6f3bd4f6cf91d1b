// Chooses the systems of a use of a run.
#include "lgode/use/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lgode/core/error.h"

namespace lgode::use {
namespace {

// Why the training or the validation part is empty.
std::string no_systems(const eval::RunInfo& info, const data::Dataset& dataset, bool train) {
  if (dataset.systems_in(data::Part::kTrain).empty())
    return fmt::format("{}: the data set has no training systems, of which {} part would be; use `part` test",
                       dataset.description().name, train ? "the training" : "a validation");
  if (train) return "no training system has something to show and something to predict under the run's task";
  if (info.task.protocol == data::Protocol::kPaper)
    return "protocol paper validates on the test part, which has no systems; use `part` train";
  return fmt::format("there is no validation part: {}; use `part` train",
                     info.task.validation > 0 ? "only one training system can be used, or all windows overlap"
                                              : "the run was trained with `validation` 0");
}

}  // namespace

PartSystems part_of(const eval::RunInfo& info, const data::BatchMaker& maker, const std::string& split) {
  check_split(maker.dataset(), split, maker.dataset().description().name);
  const data::View view = view_of(info, split);
  if (split == "test") return {maker.dataset().systems_in(data::Part::kTest), view};
  const bool train = split == "train";
  const data::Parts parts = data::split_parts(maker);
  PartSystems part{train ? parts.train : parts.validation, view};
  if (part.systems.empty()) throw DataError(no_systems(info, maker.dataset(), train));
  return part;
}

data::View view_of(const eval::RunInfo& info, const std::string& split) {
  if (split == "test") return data::View::kTest;
  return split == "train" ? data::View::kValidate : eval::validation_view(info.task);
}

void check_split(const data::Dataset& dataset, const std::string& split, const std::string& name) {
  if (split != "test" && split != "validation" && split != "train")
    throw ConfigError(fmt::format("`part` {}: expected test, validation or train", split));
  if (split == "test" && dataset.systems_in(data::Part::kTest).empty())
    throw DataError(
        fmt::format("{}: the data set has no test systems; use `part` validation or `part` train, or `data` with "
                    "test systems",
                    name));
}

std::string shown_split(const eval::RunInfo& info, const data::Dataset& dataset) {
  if (!dataset.systems_in(data::Part::kTest).empty()) return "test";
  return data::split_parts(eval::batch_maker(info, dataset)).validation.empty() ? "train" : "validation";
}

void refuse_part_without_data(const std::string& part) {
  throw ConfigError(fmt::format("`part` {} goes with `data`; without it the run's validation part is used", part));
}

CalibrationPart calibration_part(const eval::RunInfo& info, const data::Dataset& dataset,
                                 const CalibrationRequest& request) {
  const bool trained_on = dataset.has_fingerprint(info.data_fingerprint);
  const std::string& part = request.part;
  bool own = !request.data_given;
  if (own && !part.empty()) refuse_part_without_data(part);
  if (own && !trained_on)
    throw DataError(
        fmt::format("{}: is no longer the data that {} was trained on; pass `data` with recordings to fit to",
                    request.data, request.run));
  // The training data, perhaps moved.
  if (!own && part.empty() && !request.systems && trained_on) own = true;
  if (own) {
    if (info.task.protocol == data::Protocol::kPaper)
      throw ConfigError(
          "protocol paper validates on the test part, which must not calibrate; pass `data` with other recordings");
    return {true, data::split_parts(eval::batch_maker(info, dataset)).validation, "validation"};
  }
  CalibrationPart chosen{false, {}, part.empty() ? "all" : part};
  if (request.systems) {
    chosen.systems = *request.systems;
  } else {
    chosen.systems.resize(static_cast<std::size_t>(dataset.systems()));
    std::iota(chosen.systems.begin(), chosen.systems.end(), 0);
  }
  if (chosen.name != "all")
    std::erase_if(chosen.systems, [&](std::int64_t s) {
      return dataset.part(s) != (chosen.name == "test" ? data::Part::kTest : data::Part::kTrain);
    });
  const bool only_test = std::all_of(chosen.systems.begin(), chosen.systems.end(),
                                     [&](std::int64_t s) { return dataset.part(s) == data::Part::kTest; });
  if (trained_on && (request.systems ? !only_test : chosen.name != "test"))
    throw ConfigError(
        fmt::format("{}the run was trained on this data, and intervals fitted to it would be too narrow; without "
                    "`part` its validation part is used, with `part` test its test part",
                    part.empty() ? "" : fmt::format("`part` {}: ", part)));
  if (trained_on) chosen.name = "test";
  return chosen;
}

}  // namespace lgode::use
