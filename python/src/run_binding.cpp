// Trained models: prediction, evaluation, filling, calibration and weights.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

#include "columns.h"
#include "convert.h"
#include "engine_module.h"
#include "interrupt.h"
#include "lgode/core/clock.h"
#include "lgode/core/error.h"
#include "lgode/data/measured_features.h"
#include "lgode/eval/run.h"
#include "lgode/table/import.h"
#include "lgode/use/calibrate.h"
#include "lgode/use/evaluate.h"
#include "lgode/use/fill.h"
#include "lgode/use/new_table.h"
#include "lgode/use/options.h"
#include "lgode/use/predict.h"
#include "lgode/use/verdict.h"

namespace py = pybind11;
using namespace py::literals;

namespace lgode::python {
namespace {

Overwrite overwrite(bool force) { return force ? Overwrite::kAllow : Overwrite::kRefuse; }

template <class T>
void read(const py::dict& options, const char* key, T& field) {
  if (options.contains(key) && !options[key].is_none()) field = options[key].cast<T>();
}

// Sets the declared options among `options`; None is the default.
void set_declared(OptionSet& set, const py::dict& options) {
  for (const auto& [key, value] : options)
    if (set.find(key.cast<std::string>()) != nullptr && !value.is_none())
      set.set(key.cast<std::string>(), to_json(value), Source::kFlag, "keyword");
}

eval::PredictOptions predict_options(const py::dict& options) {
  eval::PredictOptions out;
  read(options, "systems", out.systems);
  read(options, "times", out.times);
  if (options.contains("start") && !options["start"].is_none()) out.start = options["start"].cast<double>();
  OptionSet set;
  use::declare_prediction(set, out);
  set_declared(set, options);
  use::settle(out, set.find("samples")->source == Source::kFlag);
  return out;
}

// The predicted features of [objects, K, D] as an array of its own.
py::array block(const std::vector<double>& values, const eval::SystemPrediction& p, std::size_t width,
                const std::vector<std::size_t>& places) {
  const auto times = static_cast<py::ssize_t>(p.times.size());
  py::array_t<double> out({static_cast<py::ssize_t>(p.objects), times, static_cast<py::ssize_t>(places.size())});
  double* to = out.mutable_data();
  if (places.size() == width) {
    std::copy(values.begin(), values.end(), to);
    return out;
  }
  for (std::size_t row = 0; row < values.size(); row += width)
    for (const std::size_t f : places) *to++ = values[row + f];
  return out;
}

// (is a warning, text) each.
py::list list_of(const use::Messages& messages) {
  py::list out;
  for (const use::Message& message : messages)
    out.append(py::make_tuple(message.kind == use::Message::Kind::kWarning, message.text));
  return out;
}

// Where a prediction is also written: the file that lgode predict writes.
struct Written {
  std::string path;  // empty: nowhere
  bool force = false;
  std::string run, data;  // as the user names them
  use::PredictionForm form;
};

// Predicts, and writes the predictions where that is wanted.
use::Predicted predict_all(const eval::Run& run, const data::Dataset& set, const eval::PredictOptions& ask,
                           const Written& written, std::vector<eval::SystemPrediction>& found, const StopFlag* stop) {
  const use::PredictionSink keep = [&](const eval::SystemPrediction& p) { found.push_back(p); };
  if (written.path.empty()) return use::predict(run, set, ask, keep, stop);
  use::check_prediction_name(written.path);
  check_writable(written.path, overwrite(written.force));
  use::Predicted predicted;
  use::write_predictions(
      written.path, overwrite(written.force), set, use::prediction_notes(written.run, written.data, ask, run.context),
      ask.quantiles,
      [&](const use::PredictionSink& sink) {
        predicted = use::predict(
            run, set, ask,
            [&](const eval::SystemPrediction& p) {
              sink(p);
              keep(p);
            },
            stop);
      },
      written.form);
  return predicted;
}

// A list of (system, start, times, mean, std, [quantiles], [paths], [futures], probability) per system, messages, the seconds that the library
// took, and the method. `out`: (path, force, name of the run, name of the data), or None.
// `own`: the set is a table of the caller, whose names and clock the result has.
py::tuple predict(const eval::Run& run, const data::Dataset& set, const py::dict& options, const py::object& out,
                  bool own) {
  eval::PredictOptions ask = predict_options(options);
  if (own && ask.horizon) ask.horizon = use::physical_length(set, *ask.horizon);
  Written written;
  if (!out.is_none()) {
    const auto given = out.cast<py::tuple>();
    written = {given[0].cast<std::string>(), given[1].cast<bool>(), given[2].cast<std::string>(),
               given[3].cast<std::string>(), use::PredictionForm{.own_names = own, .relative = ask.relative, .futures = ask.futures}};
  }
  std::vector<eval::SystemPrediction> found;
  const auto begin = std::chrono::steady_clock::now();
  use::Messages messages;
  without_gil([&](Interruptible& i) {
    const eval::Run settled = use::settle_method(run, ask, messages, i.stop());
    const use::Predicted result = predict_all(settled, set, ask, written, found, i.stop());
    for (use::Message& message : use::messages(result, settled, ask)) messages.push_back(std::move(message));
    return 0;
  });
  const double seconds = seconds_since(begin);
  const std::vector<std::size_t> places = data::measured_features(set.description());
  const auto width = static_cast<std::size_t>(set.features());
  py::list parts;
  for (eval::SystemPrediction& p : found) {
    const auto array = [&](const std::vector<double>& values) { return block(values, p, width, places); };
    py::list quantiles, paths, futures;
    for (const std::vector<double>& q : p.quantiles) quantiles.append(array(q));
    if (p.quantiles.empty()) {
      quantiles.append(array(p.low));
      quantiles.append(array(p.high));
    }
    for (const std::vector<double>& path : p.paths) paths.append(array(path));
    for (const std::vector<double>& future : p.futures) futures.append(array(future));
    const auto objects = static_cast<py::ssize_t>(p.objects), known = static_cast<py::ssize_t>(p.futures.size());
    const py::array mean = array(p.mean), deviation = array(p.deviation);
    const auto count = static_cast<py::ssize_t>(p.times.size());
    parts.append(
        py::make_tuple(p.system, p.start, take(std::move(p.times), {count}), mean, deviation, quantiles, paths, futures,
                       take(std::move(p.probability), {objects, known})));
  }
  return py::make_tuple(parts, list_of(messages), seconds, use::method_name(ask.method));
}

// A new table of files, as use::read_new_table() reads it: the set, and messages.
py::tuple read_table_files(const eval::Run& run, const std::vector<std::string>& files, const std::string& edges,
                           bool windows) {
  use::Messages messages;
  data::Dataset set = without_gil([&](Interruptible& i) {
    return use::read_new_table(
        run.info, {.files = files, .edges = edges, .use = windows ? use::TableUse::kEvaluate : use::TableUse::kPredict},
        messages, i.stop());
  });
  return py::make_tuple(std::move(set), list_of(messages));
}

// The scores, and messages.
py::tuple evaluate(const eval::Run& run, const data::Dataset& set, const py::dict& values) {
  use::EvaluateSettings settings;
  OptionSet declared;
  use::declare_evaluation(declared, settings);
  set_declared(declared, values);
  const eval::EvaluateOptions options = use::evaluate_options(settings);
  use::Messages messages;
  const eval::Evaluation evaluation = without_gil([&](Interruptible& i) {
    eval::Evaluation result = use::evaluate_part(run, set, settings.split, options, {}, i.stop());
    messages = use::messages(run, set, settings.split, result);
    return result;
  });
  nlohmann::json scores = evaluation.to_json(run.info.features);
  scores["verdict"] = use::verdict_json(evaluation, run.info,
                                        use::Subject{.run = {}, .limits = use::limits_of(run.path), .python = true});
  return py::make_tuple(to_python(scores), list_of(messages));
}

py::array array_of(std::vector<double> values, std::size_t width) {
  const auto rows = static_cast<py::ssize_t>(width == 0 ? 0 : values.size() / width);
  return take(std::move(values), {rows, static_cast<py::ssize_t>(width)});
}

// A table in memory: (what messages call it, names of its columns, columns by place or None, the offset of its times).
void read_table(const py::tuple& table, const data::Dataset& set, PythonTable& out) {
  table::ImportOptions import = table::table_import(set.description());
  const auto names = table[1].cast<std::vector<std::string>>();
  import.roles.system_may_lack = true;
  read_columns(import.roles, table[0].cast<std::string>(), names, table[2].cast<py::list>(),
               table[3].cast<std::string>(), out);
}

py::list intervals_of(const std::vector<use::IntervalRow>& rows, const std::vector<double>& quantiles) {
  py::list out;
  for (const use::IntervalRow& row : rows) {
    py::dict entry("system"_a = row.system, "object"_a = row.object, "time"_a = row.time, "feature"_a = row.feature,
                   "value"_a = row.value, "method"_a = std::string(eval::fill_method_name(row.method)));
    for (std::size_t q = 0; q < quantiles.size(); ++q)
      entry[py::str(eval::quantile_name(quantiles[q]))] =
          row.quantiles.empty() ? std::numeric_limits<double>::quiet_NaN() : row.quantiles[q];
    out.append(entry);
  }
  return out;
}

py::dict report_of(const use::Filled& filled, const data::Dataset& set) {
  py::list features;
  for (const eval::FeatureFill& f : filled.features)
    features.append(py::dict("feature"_a = set.description().features[f.feature].name,
                             "method"_a = std::string(fill_method_name(f.method)), "rmse_model"_a = f.model_error,
                             "rmse_linear"_a = f.linear_error, "rmse_hermite"_a = f.hermite_error,
                             "compared"_a = f.compared, "by_model"_a = f.by_model, "by_linear"_a = f.by_linear,
                             "by_hermite"_a = f.by_hermite, "by_kalman"_a = f.by_kalman));
  return py::dict("features"_a = features, "rows"_a = filled.rows, "new_rows"_a = filled.new_rows,
                  "values"_a = filled.values, "open_values"_a = filled.open_values, "bad_rows"_a = filled.bad_rows,
                  "blind_times"_a = filled.blind_times, "model_cannot"_a = filled.model_cannot,
                  "compared_on_validation"_a = filled.compared_on_validation, "interval_rows"_a = filled.interval_rows);
}

// The rows of the set or, with a table, the table's: a dict of arrays and lists, see use::FilledRows.
py::dict fill(const eval::Run& run, const data::Dataset& set, const py::object& table, bool intervals,
              const py::dict& options) {
  use::FillSettings settings;
  eval::FillOptions fill;
  fill.predict.samples = use::kFillSamples;
  read(options, "systems", fill.predict.systems);
  OptionSet declared;
  use::declare_fill(declared, settings);
  use::declare_sampling(declared, fill.predict);
  set_declared(declared, options);
  const std::string& with = settings.with;
  fill.with = use::parse_fill_with(with), fill.all_times = settings.all_times;
  if (fill.predict.systems.empty()) {
    fill.predict.systems.resize(static_cast<std::size_t>(set.systems()));
    std::iota(fill.predict.systems.begin(), fill.predict.systems.end(), 0);
  }
  eval::check_fits(run.info, set, {.allow_mismatch = fill.predict.allow_mismatch, .allow_missing = with != "model"});
  PythonTable columns;
  if (!table.is_none()) read_table(table.cast<py::tuple>(), set, columns);
  use::FilledRows rows = without_gil([&](Interruptible& i) {
    return table.is_none() ? use::fill_rows(run, set, fill, intervals, i.stop())
                           : use::fill_rows(run, set, columns.table, fill, intervals, i.stop());
  });
  const std::size_t width = rows.features.size();
  return py::dict("features"_a = rows.features, "values"_a = array_of(std::move(rows.values), width),
                  "imputed"_a = rows.imputed, "systems"_a = rows.systems, "objects"_a = rows.objects,
                  "times"_a = rows.times, "columns"_a = use::table_columns(set), "added_times"_a = rows.added.times,
                  "added_like_system"_a = rows.added.like_system, "added_like_object"_a = rows.added.like_object,
                  "added_values"_a = array_of(std::move(rows.added.values), width),
                  "added_imputed"_a = rows.added.imputed,
                  "intervals"_a = intervals_of(rows.intervals, use::interval_quantiles(fill)),
                  "calibrated"_a = !run.calibrations.empty(), "report"_a = report_of(rows.filled, set),
                  "messages"_a = list_of(use::messages(rows.filled, set, run.info, "the data set", !table.is_none())));
}

// As lgode calibrate. `systems`: only these; None: the part, or the run's validation part.
py::tuple calibrate(eval::Run& run, const data::Dataset& set, bool given, const py::dict& options,
                    const std::optional<std::vector<std::int64_t>>& systems) {
  use::CalibrateSettings settings;
  OptionSet declared;
  use::declare_calibration(declared, settings);
  set_declared(declared, options);
  eval::check_fits(run.info, set, {.allow_mismatch = settings.allow_mismatch});
  const std::string& name = set.description().name;
  const use::CalibrationPart chosen = use::calibration_part(
      run.info, set, {.data = name, .data_given = given, .part = settings.part, .systems = systems});
  run.calibrations = without_gil([&](Interruptible& i) { return use::calibrate(run, set, chosen, name, i.stop()); });
  use::keep_calibrations(run, run.calibrations);
  const eval::Calibration& model = run.calibrations.model;
  return py::make_tuple(py::dict("systems"_a = model.systems(), "values"_a = model.values(),
                                 "reach"_a = model.reach() * run.info.time_scale),
                        list_of(use::messages(run.calibrations)));
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
      .def(
          "messages_on",
          [](const eval::Run& run, const data::Dataset& set, bool use_outliers) {
            return list_of(
                use::messages_on(run.info, set, use_outliers ? data::Outliers::kUse : data::Outliers::kFlag));
          },
          "set"_a, "use_outliers"_a = false)
      .def("predict", &predict)
      .def("read_table", &read_table_files)
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
