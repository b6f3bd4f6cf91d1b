// Trained models: prediction, evaluation, filling, calibration and weights.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "convert.h"
#include "engine_module.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/eval/calibrate.h"
#include "lgode/eval/evaluate.h"
#include "lgode/eval/fill.h"
#include "lgode/eval/predict.h"
#include "lgode/eval/run.h"
#include "lgode/use/prediction_file.h"
#include "lgode/version.h"

namespace py = pybind11;
using namespace py::literals;

namespace lgode::python {
namespace {

Overwrite overwrite(bool force) { return force ? Overwrite::kAllow : Overwrite::kRefuse; }

template <class T>
void read(const py::dict& options, const char* key, T& field) {
  if (options.contains(key) && !options[key].is_none()) field = options[key].cast<T>();
}

eval::PredictOptions predict_options(const py::dict& options) {
  eval::PredictOptions out;
  read(options, "systems", out.systems);
  read(options, "times", out.times);
  read(options, "relative", out.relative);
  if (options.contains("start") && !options["start"].is_none()) out.start = options["start"].cast<double>();
  std::string context;
  read(options, "context", context);
  if (!context.empty() && context != "matched" && context != "all")
    throw ConfigError(fmt::format("`context` {}: expected matched or all", context));
  if (!context.empty()) out.context = context == "all" ? data::Context::kAll : data::Context::kMatched;
  read(options, "samples", out.samples);
  read(options, "seed", out.seed);
  read(options, "batch", out.batch);
  read(options, "allow_mismatch", out.allow_mismatch);
  read(options, "quantiles", out.quantiles);
  read(options, "paths", out.paths);
  for (const auto& [key, value, low] :
       {std::tuple{"samples", out.samples, std::int64_t{0}}, std::tuple{"batch", out.batch, std::int64_t{1}},
        std::tuple{"paths", out.paths, std::int64_t{0}}})
    if (value < low) throw ConfigError(fmt::format("`{}` {}: expected an integer >= {}", key, value, low));
  for (const double q : out.quantiles)
    if (!(q > 0 && q < 1))
      throw ConfigError(fmt::format("`quantiles` {}: expected numbers between 0 and 1, such as 0.05, 0.5, 0.95", q));
  if (out.paths > out.samples)
    throw ConfigError(fmt::format("`paths` {}: only {} samples are drawn; raise `samples`", out.paths, out.samples));
  return out;
}

std::vector<std::size_t> predicted_features(const data::Dataset& set) {
  std::vector<std::size_t> places;
  const std::vector<data::Feature>& features = set.description().features;
  for (std::size_t f = 0; f < features.size(); ++f)
    if (!features[f].derived) places.push_back(f);
  return places;
}

// The predicted features of [objects, K, D] as an array of its own.
py::array block(const std::vector<float>& values, const eval::SystemPrediction& p, std::size_t width,
                const std::vector<std::size_t>& places) {
  const auto times = static_cast<py::ssize_t>(p.times.size());
  py::array_t<float> out({static_cast<py::ssize_t>(p.objects), times, static_cast<py::ssize_t>(places.size())});
  float* to = out.mutable_data();
  if (places.size() == width) {
    std::copy(values.begin(), values.end(), to);
    return out;
  }
  for (std::size_t row = 0; row < values.size(); row += width)
    for (const std::size_t f : places) *to++ = values[row + f];
  return out;
}

// What the caller should know about a prediction.
struct Notes {
  eval::Skipped skipped;
  double farthest = 0, reach = 0, seconds = 0;
  std::int64_t unseen = 0;

  void add(const eval::SystemPrediction& p) {
    for (std::int64_t o = 0; o < p.objects && !p.times.empty(); ++o) unseen += eval::has_prediction(p, o) ? 0 : 1;
    if (!p.times.empty()) farthest = std::max(farthest, p.times.back() - p.start);
  }
  py::dict dict() const {
    return py::dict("nothing_seen"_a = skipped.nothing_seen, "before_start"_a = skipped.before_start,
                    "too_far"_a = skipped.too_far, "farthest"_a = farthest, "reach"_a = reach, "unseen"_a = unseen,
                    "seconds"_a = seconds);
  }
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

data::BatchMaker maker_of(const eval::Run& run, const data::Dataset& set) {
  return {set, run.info.normalisation, run.info.task, {run.info.time_scale, run.info.conditioning_length}};
}

// Where a forecast starts by default: BatchMaker::default_start().
double last_observation(const data::Dataset& set, std::int64_t system) {
  double last = set.origin(system);
  const std::int64_t first = set.first_object(system);
  for (std::int64_t o = first; o < first + set.objects_of(system); ++o) {
    const std::span<const double> times = set.times_of(o);
    std::size_t end = times.size();
    while (end > 0 && set.is_empty(o, static_cast<std::int64_t>(end) - 1)) --end;
    if (end > 0) last = std::max(last, times[end - 1]);
  }
  return last;
}

// eval::predict() where a forecast without a start begins with the first time that is asked for, if this is earlier
// than the last observation: whoever asks for times amid the observations wants a forecast from there.
eval::Skipped predict_in_order(const eval::Run& run, const data::Dataset& set, const eval::PredictOptions& ask,
                               const std::function<void(const eval::SystemPrediction&)>& sink, const StopFlag* stop,
                               double& seconds) {
  // `seconds`: time in the library's own call.
  const auto call = [&](const eval::PredictOptions& part,
                        const std::function<void(const eval::SystemPrediction&)>& to) {
    const auto begin = std::chrono::steady_clock::now();
    const eval::Skipped skipped = eval::predict(run, set, part, to, stop);
    seconds += seconds_since(begin);
    return skipped;
  };
  const bool choose = run.info.task.task == data::Task::kExtrapolate && !ask.start && !ask.times.empty();
  if (!choose) return call(ask, sink);
  std::vector<std::int64_t> all = ask.systems, early, late;
  if (all.empty()) {
    all.resize(static_cast<std::size_t>(set.systems()));
    std::iota(all.begin(), all.end(), 0);
  }
  for (const std::int64_t s : all) {
    const double first = ask.times.front() + (ask.relative ? set.origin(s) : 0.0);
    (first < last_observation(set, s) ? early : late).push_back(s);
  }
  eval::PredictOptions from_first = ask, from_last = ask;
  from_first.start = ask.times.front();
  from_first.systems = early, from_last.systems = late;
  if (early.empty()) return call(from_last, sink);
  if (late.empty()) return call(from_first, sink);
  std::map<std::int64_t, eval::SystemPrediction> found;
  eval::Skipped skipped;
  for (const eval::PredictOptions* part : {&from_first, &from_last}) {
    const eval::Skipped more = call(*part, [&](const eval::SystemPrediction& p) { found[p.system] = p; });
    skipped.nothing_seen += more.nothing_seen, skipped.before_start += more.before_start,
        skipped.too_far += more.too_far;
  }
  for (const std::int64_t s : all)
    if (const auto p = found.find(s); p != found.end()) sink(p->second);
  return skipped;
}

// A list of (system, start, times, mean, std, [quantiles], [paths]) per system, and notes.
py::tuple predict(const eval::Run& run, const data::Dataset& set, const py::dict& options) {
  const eval::PredictOptions ask = predict_options(options);
  Notes notes;
  std::vector<eval::SystemPrediction> found;
  without_gil([&](Interruptible& i) {
    notes.skipped = predict_in_order(
        run, set, ask, [&](const eval::SystemPrediction& p) { found.push_back(p); }, i.stop(), notes.seconds);
    return 0;
  });
  notes.reach = eval::trained_reach(run.info);
  const std::vector<std::size_t> places = predicted_features(set);
  const auto width = static_cast<std::size_t>(set.features());
  py::list out;
  for (eval::SystemPrediction& p : found) {
    notes.add(p);
    const auto array = [&](const std::vector<float>& values) { return block(values, p, width, places); };
    py::list quantiles, paths;
    for (const std::vector<float>& q : p.quantiles) quantiles.append(array(q));
    if (p.quantiles.empty()) {
      quantiles.append(array(p.low));
      quantiles.append(array(p.high));
    }
    for (const std::vector<float>& path : p.paths) paths.append(array(path));
    const py::array mean = array(p.mean), deviation = array(p.deviation);
    const auto count = static_cast<py::ssize_t>(p.times.size());
    out.append(py::make_tuple(p.system, p.start, take(std::move(p.times), {count}), mean, deviation, quantiles, paths));
  }
  return py::make_tuple(out, notes.dict());
}

// The file that lgode predict writes.
py::dict write_prediction(const eval::Run& run, const data::Dataset& set, const py::dict& options,
                          const std::string& path, bool force, const std::string& run_name,
                          const std::string& data_name) {
  eval::PredictOptions ask = predict_options(options);
  use::check_prediction_name(path);
  check_writable(path, overwrite(force));
  const nlohmann::json about = {{"run", run_name},
                                {"data", data_name},
                                {"samples", ask.samples},
                                {"seed", ask.seed},
                                {"version", LGODE_VERSION},
                                {"commit", LGODE_COMMIT},
                                {"machine", ops::machine_name(run.context)}};
  Notes notes;
  without_gil([&](Interruptible& i) {
    use::write_predictions(path, overwrite(force), set, about, ask.quantiles, [&](const use::PredictionSink& sink) {
      notes.skipped = predict_in_order(
          run, set, ask,
          [&](const eval::SystemPrediction& p) {
            sink(p);
            notes.add(p);
          },
          i.stop(), notes.seconds);
    });
    return 0;
  });
  notes.reach = eval::trained_reach(run.info);
  return notes.dict();
}

eval::Evaluation evaluate_part(const eval::Run& run, const data::Dataset& set, const std::string& split,
                               eval::EvaluateOptions options, const StopFlag* stop) {
  options.context = run.context;
  if (split == "test") {
    if (set.systems_in(data::Part::kTest).empty())
      throw DataError(fmt::format("{}: the data set has no test systems; use `split` validation or `split` train",
                                  set.description().name));
    return eval::evaluate_run(run, set, options, {}, stop);
  }
  eval::check_fits(run.info, set, {.allow_mismatch = options.allow_mismatch});
  const data::BatchMaker maker = maker_of(run, set);
  options.fit = eval::classical_fit_of(run.info, maker);
  const data::Parts parts = data::split_parts(maker);
  const bool train = split == "train";
  const std::vector<std::int64_t>& systems = train ? parts.train : parts.validation;
  if (systems.empty())
    throw DataError(fmt::format("there is no {} part under the run's task; use another `split`",
                                train ? "training" : "validation"));
  const data::View view =
      !train && run.info.task.protocol == data::Protocol::kPaper ? data::View::kTest : data::View::kValidate;
  return eval::evaluate(*run.model, maker, systems, view, options, {}, stop);
}

py::object evaluate(const eval::Run& run, const data::Dataset& set, const std::string& split, std::int64_t batch,
                    std::optional<double> within, bool allow_mismatch) {
  if (split != "test" && split != "validation" && split != "train")
    throw ConfigError(fmt::format("`split` {}: expected test, validation or train", split));
  const eval::EvaluateOptions options{.batch = batch, .allow_mismatch = allow_mismatch, .within = within};
  const eval::Evaluation evaluation =
      without_gil([&](Interruptible& i) { return evaluate_part(run, set, split, options, i.stop()); });
  return to_python(evaluation.to_json(run.info.features));
}

py::dict fill(const eval::Run& run, const data::Dataset& set, const std::string& out, const std::string& table,
              const std::string& intervals, const std::string& with, bool all_times, const py::dict& options) {
  eval::FillOptions fill{.predict = predict_options(options), .with = {}, .all_times = all_times, .table = table};
  if (!options.contains("samples") || options["samples"].is_none()) fill.predict.samples = 0;
  if (fill.predict.systems.empty()) {
    fill.predict.systems.resize(static_cast<std::size_t>(set.systems()));
    std::iota(fill.predict.systems.begin(), fill.predict.systems.end(), 0);
  }
  fill.intervals = intervals;
  fill.without_forecaster = true;
  bool known = with == "auto";
  for (const eval::FillMethod method :
       {eval::FillMethod::kModel, eval::FillMethod::kLinear, eval::FillMethod::kHermite})
    if (with == eval::fill_method_name(method)) {
      fill.with = method;
      known = true;
    }
  if (!known) throw ConfigError(fmt::format("`fill_with` {}: expected auto, model, linear or hermite", with));
  eval::check_fits(run.info, set, {.allow_mismatch = fill.predict.allow_mismatch, .allow_missing = with != "model"});
  const eval::Filled filled = without_gil(
      [&](Interruptible& i) { return eval::write_filled(out, Overwrite::kAllow, run, set, fill, {}, i.stop()); });
  py::list features;
  for (const eval::FeatureFill& f : filled.features)
    features.append(py::dict("feature"_a = set.description().features[f.feature].name,
                             "method"_a = std::string(fill_method_name(f.method)), "rmse_model"_a = f.model_error,
                             "rmse_linear"_a = f.linear_error, "rmse_hermite"_a = f.hermite_error,
                             "compared"_a = f.compared, "by_model"_a = f.by_model, "by_linear"_a = f.by_linear,
                             "by_hermite"_a = f.by_hermite));
  return py::dict("features"_a = features, "rows"_a = filled.rows, "new_rows"_a = filled.new_rows,
                  "values"_a = filled.values, "open_values"_a = filled.open_values, "bad_rows"_a = filled.bad_rows,
                  "blind_times"_a = filled.blind_times, "model_cannot"_a = filled.model_cannot,
                  "compared_on_validation"_a = filled.compared_on_validation, "interval_rows"_a = filled.interval_rows);
}

// As lgode calibrate: `systems` empty: the run's validation part.
py::dict calibrate(eval::Run& run, const data::Dataset& set, const std::vector<std::int64_t>& systems,
                   const std::string& part, bool save) {
  eval::check_fits(run.info, set);
  eval::Calibrations found = without_gil([&](Interruptible& i) {
    const data::BatchMaker maker = maker_of(run, set);
    return systems.empty() ? eval::calibrate(run, maker, i.stop()) : eval::calibrate(run, maker, systems, i.stop());
  });
  if (found.empty())
    throw DataError(
        "there is nothing to calibrate on: no system of the part has something to show and something to "
        "predict under the run's task");
  if (!systems.empty()) found.part = part;
  if (save) eval::save_calibrations(run.path, found);
  run.calibrations = found;
  return py::dict("systems"_a = found.model.systems(), "values"_a = found.model.values(),
                  "reach"_a = found.model.reach() * run.info.time_scale);
}

// Weights by name. On the CPU they share the model's memory.
py::dict weights(const eval::Run& run) {
  py::dict out;
  for (const model::Parameters::Entry& entry : run.model->parameters().entries()) {
    const at::Tensor tensor = entry.tensor.detach().to(at::kCPU).contiguous();
    auto* kept = new at::Tensor(tensor);
    const py::capsule owner(kept, [](void* at) { delete static_cast<at::Tensor*>(at); });
    const std::vector<py::ssize_t> shape(entry.shape.begin(), entry.shape.end());
    const auto count = static_cast<std::size_t>(tensor.numel());
    out[py::str(entry.name)] = tensor.scalar_type() == at::kDouble
                                   ? view(std::span<const double>(tensor.data_ptr<double>(), count), shape, owner)
                                   : view(std::span<const float>(tensor.data_ptr<float>(), count), shape, owner);
  }
  return out;
}

}  // namespace

void add_run(py::module_& m) {
  py::class_<eval::Run, std::shared_ptr<eval::Run>>(m, "Run")
      .def_property_readonly("path", [](const eval::Run& run) { return run.path.string(); })
      .def_property_readonly("device", [](const eval::Run& run) { return run.context.device.str(); })
      .def_property_readonly("calibrated", [](const eval::Run& run) { return !run.calibrations.empty(); })
      .def_property_readonly("info", [](const eval::Run& run) { return to_python(run.info.to_json()); })
      .def_property_readonly("table", [](const eval::Run& run) { return data::description_json(run.info.table); })
      .def_property_readonly("conditioning_length", [](const eval::Run& run) { return run.info.conditioning_length; })
      .def_property_readonly("reach", [](const eval::Run& run) { return eval::trained_reach(run.info); })
      .def("notes_on", [](const eval::Run& run, const data::Dataset& set) { return eval::notes_on(run.info, set); })
      .def("predict", &predict)
      .def("write_prediction", &write_prediction)
      .def("evaluate", &evaluate)
      .def("fill", &fill)
      .def("calibrate", &calibrate)
      .def("weights", &weights);
  m.def("load_run", [](const std::string& path, const std::string& device, std::int64_t threads,
                       std::optional<double> step, bool calibrated) {
    return without_gil([&](Interruptible&) {
      return std::make_shared<eval::Run>(eval::load_run(path, ops::make_context(device, threads), step, calibrated));
    });
  });
}

}  // namespace lgode::python
