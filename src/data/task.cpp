// The task's options, and defaults that follow from the data.
#include "lgode/data/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/median.h"
#include "lgode/core/options.h"
#include "lgode/data/observed_rows.h"

namespace lgode::data {

void declare(OptionSet& o, TaskOptions& t) {
  o.group("Task");
  o.add_choice("task", &t.task, {{"interpolate", Task::kInterpolate}, {"extrapolate", Task::kExtrapolate}},
               "impute values within a range, or forecast what follows");
  o.add("observed", &t.observed, {0.0, 1.0, true}, "share of each object's observations that the encoder sees");
  o.add_choice("protocol", &t.protocol, {{"clean", Protocol::kClean}, {"paper", Protocol::kPaper}},
               "clean: scale and select without the test part; paper: scale on both parts, select by test error");
  o.add_choice("context", &t.context, {{"matched", Context::kMatched}, {"all", Context::kAll}},
               "extrapolation, test part: the encoder sees as long a span as in training, or the whole range");
  o.add_choice("start", &t.start, {{"middle", Start::kMiddle}, {"random", Start::kRandom}},
               "start of extrapolation in training: the middle of the range, or random per batch");
  o.add("start_low", &t.start_low, {0.0, 1.0, true},
        "start=random: earliest start, as a share of the range; evaluations start in the middle, or at the start "
        "nearest to it");
  o.add("start_high", &t.start_high, {0.0, 1.0, true}, "start=random: latest start, as a share of the range");
  o.add_choice("resample", &t.resample, {{"epoch", Resample::kEpoch}, {"fixed", Resample::kFixed}},
               "draw the context of training systems once per epoch, or only once");
  o.add("validation", &t.validation, {0.0, 0.9}, "share of the training systems held out to select the best epoch");
  o.add_choice("validation_from", &t.validation_from,
               {{"auto", HoldOut::kAuto}, {"recordings", HoldOut::kRecordings}, {"ends", HoldOut::kEnds}},
               "windows: whole recordings validate, or the end of each; auto: recordings where there are five or more");
  o.add_choice("centre", &t.centre, {{"auto", Centre::kAuto}, {"none", Centre::kNone}, {"system", Centre::kSystem}},
               "positions as they are, or relative to the mean of the system's context; auto: whichever has the "
               "lower validation error after a short trial");
  o.add_choice("unseen", &t.unseen, {{"leave-out", Unseen::kLeaveOut}, {"predict", Unseen::kPredict}},
               "objects without context: excluded from model, loss and error, or predicted from others");
  o.add("hide_values", &t.hide_values, {0.0, 0.9},
        "random masking in training: share of the context's values to hide; auto: 0.1 if the training part lacks "
        "values, else 0");
  o.add_choice("outliers", &t.outliers, {{"flag", Outliers::kFlag}, {"use", Outliers::kUse}},
               "observations that jump away from their object's path and back: not used, or taken as they are");
  o.add("gaps", &t.gaps,
        "interpolation: hide stretches of this length from the context instead of single observations, in training and "
        "in evaluation; several lengths are drawn from at random. In the time of the data, or 500ms, 2s, 5min")
      .show("LENGTH,...", "single observations");
  o.add("seed", &t.seed, "seed of all random numbers");
}

TaskOptions for_frames(TaskOptions task, const Description& about) {
  if (task.task != Task::kExtrapolate || !about.frames) return task;
  task.observed = 1;
  task.start = Start::kMiddle;
  return task;
}

double typical_gap(const Dataset& dataset, const std::vector<std::int64_t>& systems) {
  constexpr std::size_t kSample = 100'000;  // the first systems that have so many gaps
  std::vector<double> gaps;
  for (const std::int64_t s : systems) {
    for (std::int64_t i = dataset.first_object(s); i < dataset.first_object(s) + dataset.objects_of(s); ++i) {
      for_each_gap(
          dataset.times_of(i), [&](std::size_t k) { return dataset.is_empty(i, static_cast<std::int64_t>(k)); },
          [&](double gap) { gaps.push_back(gap); });
    }
    if (gaps.size() > kSample) break;
  }
  return gaps.empty() ? 0.0 : median(std::move(gaps));
}

double hidden_share(const Dataset& dataset, const TaskOptions& task) {
  constexpr double kDefault = 0.1;
  return task.hide_values.value_or(has_missing(dataset, Part::kTrain) ? kDefault : 0.0);
}

std::vector<double> gap_lengths(const Dataset& dataset, const TaskOptions& task) {
  std::vector<double> lengths;
  const std::string& unit = dataset.description().time_unit;
  const bool in_seconds = unit.empty() || unit == "s" || unit == "sec" || unit == "second" || unit == "seconds";
  for (const std::string& text : task.gaps) {
    const std::optional<nlohmann::json> number = parse_number(text);
    const std::optional<Length> length = number ? std::optional<Length>(number->get<double>()) : parse_length(text);
    if (!length || !(length->value > 0) || !std::isfinite(length->value))
      throw ConfigError(fmt::format("`gaps` {}: expected {}", text, kLengthAccepts));
    if (length->seconds && !in_seconds)
      throw ConfigError(
          fmt::format("`gaps` {}: is in seconds, but the data's times are in '{}'; give the length in "
                      "that unit as a number",
                      text, unit));
    lengths.push_back(length->value);
  }
  return lengths;
}

double default_window(const Dataset& dataset, double observed) {
  // Eq. 11: w = (Tmax - Kmin * share) / Tmax
  const auto longest = static_cast<double>(dataset.description().max_length);
  const auto shortest = static_cast<double>(dataset.description().min_length);
  return longest > 0 ? std::max(0.0, (longest - shortest * observed) / longest) : 1.0;
}

double default_grid_step(const Dataset& dataset) {
  constexpr std::size_t kSystems = 100;
  constexpr double kLeast = 0.01, kMargin = 1e-6;
  std::vector<std::int64_t> systems = dataset.systems_in(Part::kTrain);
  if (systems.size() > kSystems) systems.resize(kSystems);
  double smallest = 1.0;
  std::vector<double> times;
  for (std::int64_t s : systems) {
    times.clear();
    for (std::int64_t i = 0; i < dataset.objects_of(s); ++i) {
      const std::span<const double> own = dataset.times_of(dataset.first_object(s) + i);
      times.insert(times.end(), own.begin(), own.end());
    }
    std::sort(times.begin(), times.end());
    for (std::size_t k = 1; k < times.size(); ++k) {
      const double gap = (times[k] - times[k - 1]) / dataset.description().time_scale;
      if (gap > kMargin) smallest = std::min(smallest, gap);
    }
  }
  return std::max(smallest, kLeast);
}

}  // namespace lgode::data
