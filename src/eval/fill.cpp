// Finds the gaps, decides how each feature is filled, and computes the values.
#include "lgode/eval/fill.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fill_choice.h"
#include "fill_values.h"
#include "lgode/core/error.h"
#include "lgode/data/classical/classical.h"
#include "lgode/data/decimals.h"
#include "lgode/eval/evaluate.h"
#include "lgode/eval/gaps.h"

namespace lgode::eval {
namespace {

constexpr int kIntervalDigits = 7;

bool forecasts(const RunInfo& info) { return info.task.task != data::Task::kInterpolate; }

// Systems with known values to compare on: the run's validation part, if the data set is the training data.
std::vector<std::int64_t> validation_systems(const Run& run, const data::Dataset& dataset) {
  if (run.info.data_fingerprint.empty() || !dataset.has_fingerprint(run.info.data_fingerprint)) return {};
  return data::split_parts(batch_maker(run.info, dataset)).validation;
}

// Decides how each feature is filled: by errors on the run's validation part, if the data set is the training data;
// else, and if no gap can be cut there, by errors on the filled data.
FillChoice choose(const Run& run, const data::Dataset& dataset, const data::Dataset& whole,
                  const std::vector<std::int64_t>& systems, const Gaps& gaps, const FillOptions& options,
                  const StopFlag* stop) {
  FillChoice choice;
  choice.blind_times = gaps.blind_times();
  choice.data_of_training = !run.info.data_fingerprint.empty() && dataset.has_fingerprint(run.info.data_fingerprint);
  const auto compare = [&](const data::Dataset& known, const std::vector<std::int64_t>& known_systems) {
    choice.model_cannot = forecasts(run.info) ||
                          (!options.with && !takes_missing(run.info) && (whole.has_missing() || known.has_missing()));
    const FillTrial trial{
        run, dataset, whole, gaps, systems, known, known_systems, options.predict, !choice.model_cannot};
    choice.features = choose_fills(trial, !options.with, stop);
    return std::any_of(choice.features.begin(), choice.features.end(),
                       [](const FeatureFill& feature) { return feature.compared > 0; });
  };
  const std::vector<std::int64_t> validation = validation_systems(run, dataset);
  choice.compared_on_validation = !validation.empty() && (compare(dataset, validation) || options.with.has_value());
  if (!choice.compared_on_validation) compare(whole, systems);
  if (options.with)
    for (FeatureFill& feature : choice.features) feature.method = *options.with;
  return choice;
}

std::vector<FillMethod> methods_of(const FillChoice& choice, std::int64_t features) {
  std::vector<FillMethod> methods(static_cast<std::size_t>(features), FillMethod::kLinear);
  for (const FeatureFill& feature : choice.features) methods[feature.feature] = feature.method;
  return methods;
}

// Of a method that is not the model.
Classical kind_of(FillMethod method) {
  if (method == FillMethod::kKalman) return Classical::kKalman;
  return method == FillMethod::kLinear ? Classical::kLinear : Classical::kHermite;
}

// Runs of earlier versions lack what the Kalman smoother takes from the training part.
void settle_kalman(Run& run, const data::Dataset& source) {
  if (!run.info.classical.noise.empty()) return;
  if (!run.info.data_fingerprint.empty() && source.has_fingerprint(run.info.data_fingerprint))
    run.info.classical = classical_fit_of(run.info, batch_maker(run.info, source));
  if (run.info.classical.noise.empty())
    throw ConfigError(
        "`fill_with` kalman: the run lacks what the Kalman smoother takes from its training data, because an earlier "
        "version saved it; pass that data as `data`, or train again");
}

}  // namespace

std::string_view fill_method_name(FillMethod method) {
  switch (method) {
    case FillMethod::kModel:
      return "model";
    case FillMethod::kLinear:
      return "linear";
    case FillMethod::kHermite:
      return "hermite";
    case FillMethod::kKalman:
      return "kalman";
  }
  return "";
}

void FeatureFill::count(const FillValue& value) {
  ++(value.method == FillMethod::kModel    ? by_model
     : value.method == FillMethod::kLinear ? by_linear
     : value.method == FillMethod::kKalman ? by_kalman
                                           : by_hermite);
  if (value.method == method) return;
  ++(value.cause == FillCause::kLongGap   ? long_gap
     : value.cause == FillCause::kOutside ? outside
     : value.cause == FillCause::kUnseen  ? unseen
                                          : never);
}

struct FilledGaps::State {
  State(const Run& of, data::Dataset from, data::Dataset recordings, std::vector<std::int64_t> chosen, bool all_times)
      : run(of),
        source(std::move(from)),
        whole(std::move(recordings)),
        systems(std::move(chosen)),
        gaps(run, source, whole, all_times) {}

  Run run;
  data::Dataset source, whole;
  std::vector<std::int64_t> systems;
  Gaps gaps;  // refers to the run and both sets
  FillChoice choice;
  std::optional<FillValues> values;  // refers to `whole` and `gaps`
};

FilledGaps::FilledGaps(std::unique_ptr<const State> state) : state_(std::move(state)) {}
FilledGaps::FilledGaps(FilledGaps&& other) noexcept = default;
FilledGaps::~FilledGaps() = default;

const data::Dataset& FilledGaps::set() const { return state_->whole; }
const std::vector<std::int64_t>& FilledGaps::systems() const { return state_->systems; }
const FillChoice& FilledGaps::choice() const { return state_->choice; }
std::span<const double> FilledGaps::times(std::int64_t object) const { return state_->gaps.times(object); }
std::span<const FillValue> FilledGaps::at(std::int64_t object, double time) const {
  return state_->values->at(object, time);
}

bool FilledGaps::has_intervals() const { return !state_->run.calibrations.empty() && !forecasts(state_->run.info); }

FilledGaps::Intervals FilledGaps::intervals(std::int64_t object, std::vector<double> quantiles) const {
  const auto paths = std::make_shared<ObjectPaths>(state_->whole, object);
  const auto kalman = std::make_shared<std::optional<KalmanPaths>>();  // made where it is needed
  return [this, object, paths, kalman, quantiles = std::move(quantiles)](double time, std::size_t feature) {
    const Run& run = state_->run;
    const FillValue& fill = at(object, time)[feature];
    const Calibration* calibration = fill.method == FillMethod::kModel
                                         ? &run.calibrations.model
                                         : run.calibrations.of(std::string(data::classical_name(kind_of(fill.method))));
    const double scale = run.info.normalisation.scale[feature];
    double spread = state_->gaps.spreads(object, time)[feature] / scale;
    if (fill.method == FillMethod::kKalman) {
      if (!*kalman) kalman->emplace(run.info, *paths);
      spread = (*kalman)->at(feature, time).spread / scale;
    }
    const double distance = paths->distance(feature, time) / run.info.time_scale;
    std::vector<double> out;
    if (calibration == nullptr || calibration->empty() || !std::isfinite(distance)) return out;
    for (const double q : quantiles)
      out.push_back(data::rounded(
          fill.value + scale * calibration->offset(static_cast<std::int64_t>(feature), q, distance, spread), scale,
          kIntervalDigits));
    return out;
  };
}

void check_fill(const RunInfo& info, const FillOptions& options) {
  if (forecasts(info) && options.with == FillMethod::kModel)
    throw ConfigError("the model forecasts; to fill gaps, use a model trained with `task` interpolate");
}

FilledGaps fill(const Run& given, const data::Dataset& source, const data::Dataset& whole,
                const std::vector<std::int64_t>& systems, const FillOptions& options,
                const std::function<void(std::int64_t done, std::int64_t total)>& progress, const StopFlag* stop) {
  Run run = given;
  if (options.predict.outliers == data::Outliers::kUse) run.info.task.gate.reset();
  check_fill(run.info, options);
  auto state = std::make_unique<FilledGaps::State>(run, source, whole, systems, options.all_times);
  if (options.with == FillMethod::kKalman) settle_kalman(state->run, source);
  state->gaps.find(systems);
  state->choice = choose(run, source, whole, systems, state->gaps, options, stop);
  const std::vector<FillMethod> methods = methods_of(state->choice, whole.features());
  const double longest =
      options.with ? std::numeric_limits<double>::infinity() : run.info.conditioning_length;  // not compared beyond
  FillValues& values = state->values.emplace(state->run.info, state->whole, state->gaps, methods, longest);
  values.compute(systems);
  const bool model_wanted = std::find(methods.begin(), methods.end(), FillMethod::kModel) != methods.end() ||
                            (!options.with && values.incomplete());
  if (model_wanted && !state->choice.model_cannot) {
    state->gaps.predict(options.predict, progress, stop);
    values.compute(systems);
  }
  return FilledGaps(std::move(state));
}

}  // namespace lgode::eval
