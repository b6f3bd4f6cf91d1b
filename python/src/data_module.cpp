// lgode._data: data sets, tables, simulation, check-up and options. Links no LibTorch, so that importing it is quick.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "columns.h"
#include "convert.h"
#include "errors.h"
#include "interrupt.h"
#include "lgode/core/options.h"
#include "lgode/data/combine.h"
#include "lgode/data/dataset.h"
#include "lgode/data/motion/motion.h"
#include "lgode/data/npy/import_npy.h"
#include "lgode/data/recordings.h"
#include "lgode/data/simulate.h"
#include "lgode/data/time_text.h"
#include "lgode/eval/prediction.h"
#include "lgode/eval/run_info.h"
#include "lgode/table/csv/export.h"
#include "lgode/table/import.h"
#include "lgode/table/memory.h"
#include "lgode/train/config.h"
#include "lgode/train/run_folder.h"
#include "lgode/use/options.h"
#include "lgode/use/parse_values.h"
#include "lgode/use/prediction_file.h"
#include "lgode/use/summary.h"
#include "lgode/version.h"

namespace py = pybind11;
using namespace py::literals;

namespace lgode::python {
namespace {

Overwrite overwrite(bool force) { return force ? Overwrite::kAllow : Overwrite::kRefuse; }

// A length in the unit of the times: a number, or a text such as 5min.
std::optional<double> length(const py::dict& options, const char* key, const table::ImportOptions& import) {
  if (!options.contains(key) || options[key].is_none()) return {};
  const py::object value = options[key];
  if (!py::isinstance<py::str>(value)) return value.cast<double>();
  const auto text = value.cast<std::string>();
  const std::string name = fmt::format("`{}`", key);
  const double seconds = use::parse_length(text, name);
  const std::string& unit = import.time_unit;
  const bool plain = text.find_first_not_of("0123456789.+-eE") == std::string::npos;
  if (!plain && import.rate == 0 && !unit.empty() && unit != "s" && unit != "sec" && unit != "second" &&
      unit != "seconds")
    throw ConfigError(fmt::format(
        "{} {}: is in seconds, but times are in '{}'; give the length in that unit as a number, or say with `rate` how "
        "many of them make a second",
        name, text, unit));
  return seconds;
}

// Options of an import by their keys; None is the default.
table::ImportOptions import_options(const py::dict& options) {
  table::ImportOptions import;
  const auto read = [&]<class T>(const char* key, T& field) {
    if (options.contains(key) && !options[key].is_none()) field = options[key].cast<T>();
  };
  std::vector<std::string> observations;
  read("observations", observations);
  if (!observations.empty()) import.observations = table::find_files(observations);
  read("columns", import.columns);
  read("missing_values", import.missing);
  read("system", import.system);
  read("object", import.object);
  read("time", import.time);
  read("features", import.features);
  if (options.contains("velocity_of") && !options["velocity_of"].is_none())
    for (const auto& [velocity, position] : options["velocity_of"].cast<py::dict>())
      import.velocity_of.emplace_back(velocity.cast<std::string>(), position.cast<std::string>());
  read("units", import.units);
  read("time_unit", import.time_unit);
  std::string velocities = "given", delimiter, edges;
  read("velocities", velocities);
  if (velocities != "given" && velocities != "difference")
    throw ConfigError(fmt::format("`velocities` {}: expected difference, or nothing", velocities));
  if (velocities == "difference") import.velocities = table::Velocities::kDifference;
  read("rate", import.rate);
  read("keep_columns", import.keep_columns);
  read("edges", edges);
  table::choose_edges(edges, import);
  read("edge_columns", import.edge_columns);
  read("undirected", import.undirected);
  read("positions", import.positions);
  read("split", import.split);
  read("test_systems", import.test_systems);
  read("seed", import.seed);
  read("file_systems", import.file_systems);
  import.window = length(options, "window", import);
  import.stride = length(options, "stride", import);
  import.every = length(options, "every", import);
  import.first_range = length(options, "first_range", import);
  read("delimiter", delimiter);
  if (!delimiter.empty()) import.delimiter = use::parse_delimiter(delimiter, "`delimiter`");
  read("decimal_comma", import.decimal_comma);
  read("max_errors", import.max_errors);
  read("skip_bad_rows", import.skip_bad_rows);
  read("threads", import.threads);
  std::uint64_t memory = 0;
  read("memory", memory);
  if (memory > 0) import.memory = memory << 20U;
  read("name", import.name);
  read("source", import.source);
  return import;
}

py::dict report_dict(const table::ImportReport& report) {
  return py::dict("rows"_a = report.rows, "skipped_rows"_a = report.skipped_rows,
                  "skipped_edges"_a = report.skipped_edges, "joined_rows"_a = report.joined_rows,
                  "empty_rows"_a = report.empty_rows, "empty_outside"_a = report.empty_outside,
                  "thinned_rows"_a = report.thinned_rows, "recordings"_a = report.recordings,
                  "empty_systems"_a = report.empty_systems, "empty_windows"_a = report.empty_windows,
                  "split_windows"_a = report.split_windows, "outside_windows"_a = report.outside_windows,
                  "bad_rows"_a = report.bad_rows, "notes"_a = report.notes);
}

py::tuple import_files(const py::dict& options) {
  const table::ImportOptions import = import_options(options);
  table::ImportReport report;
  data::Dataset set = without_gil([&](Interruptible& i) { return table::import_csv(import, report, {}, i.stop()); });
  return py::make_tuple(std::move(set), report_dict(report));
}

// The table that a model was trained on, as its checkpoint describes it.
struct Like {
  explicit Like(const std::string& json)
      : description(data::read_description(json, "the model's data")), import(table::table_import(description)) {}
  bool listed() const { return description.edges.kind == data::EdgeRule::Kind::kListed; }

  data::Description description;
  table::ImportOptions import;
};

// `edges`: None, or (columns, rows) of texts. `like`: read the table as that of a run's data was (its columns,
// features, rate and rule for relations).
py::tuple import_columns(const py::dict& options, const std::string& where, const std::vector<std::string>& names,
                         const py::list& columns, bool zone, const py::object& edges, const Like* like) {
  table::ImportOptions import = import_options(options);
  const data::Description* description = like == nullptr ? nullptr : &like->description;
  if (like != nullptr) {
    const table::ImportOptions& as = like->import;
    import.system = std::find(names.begin(), names.end(), as.system) != names.end() ? as.system : "";
    import.object = as.object, import.time = as.time, import.rate = as.rate;
    import.same_features = as.same_features;
    import.features.clear();
    for (const data::Feature& feature : as.same_features)
      if (!feature.derived) import.features.push_back(feature.name);
    import.time_unit = as.rate > 0 ? "" : description->time_unit;
    import.keep_columns = true;
    import.same_types = description->relation_types;
    if (edges.is_none()) {
      const data::EdgeRule& rule = description->edges;
      import.neighbours = rule.neighbours, import.radius = rule.radius;
      for (const int f : rule.positions)
        import.positions.push_back(description->features[static_cast<std::size_t>(f)].name);
      import.edges = rule.kind == data::EdgeRule::Kind::kAll       ? table::Edges::kAll
                     : rule.kind == data::EdgeRule::Kind::kNearest ? table::Edges::kNearest
                     : rule.kind == data::EdgeRule::Kind::kWithin  ? table::Edges::kWithin
                                                                   : table::Edges::kNone;
    }
  }
  std::optional<table::TextTable> edge_table;
  if (py::isinstance<py::tuple>(edges)) {
    const auto pair = edges.cast<py::tuple>();
    edge_table.emplace();
    edge_table->where = "the table of edges";
    edge_table->columns = pair[0].cast<std::vector<std::string>>();
    edge_table->rows = pair[1].cast<std::vector<std::vector<std::string>>>();
    import.edges = table::Edges::kTable;
  }
  PythonTable table;
  read_columns(import, where, names, columns, zone, table);
  table::ImportReport report;
  data::Dataset set = without_gil([&](Interruptible& i) {
    return table::import_table(import, table.table, edge_table ? &*edge_table : nullptr, report, i.stop());
  });
  // A model counts its relations by the types that it knows.
  if (description != nullptr && set.description().relation_types != description->relation_types) {
    data::Description named = set.description();
    named.relation_types = description->relation_types;
    set = data::Dataset(named, set.arrays(), std::make_shared<data::Dataset>(set), where);
  }
  return py::make_tuple(std::move(set), report_dict(report));
}

// The options of one use, bound to fields of their own.
struct Declared {
  explicit Declared(const std::string& of) {
    config.model.kind = train::kDefaultModel;
    if (of == "train") train::declare(options, config);
    if (of == "predict") use::declare_prediction(options, prediction);
    if (of == "fill") {
      prediction.samples = use::kFillSamples;
      use::declare_fill(options, filling);
      use::declare_sampling(options, prediction);
    }
    if (of == "evaluate") use::declare_evaluation(options, evaluation);
    if (of == "calibrate") use::declare_calibration(options, calibration);
    if (of == "simulate") use::declare_simulation(options, simulation);
  }
  void set(const py::dict& values) {
    for (const auto& [key, value] : values)
      options.set(key.cast<std::string>(), to_json(value), Source::kFlag, "keyword");
  }

  train::RunConfig config;
  eval::PredictOptions prediction;
  use::FillSettings filling;
  use::EvaluateSettings evaluation;
  use::CalibrateSettings calibration;
  data::SimulateOptions simulation;
  OptionSet options;
};

data::Dataset simulate(const py::dict& values) {
  Declared declared("simulate");
  declared.set(values);
  use::check(declared.simulation);
  return without_gil([&](Interruptible& i) { return data::simulate(declared.simulation, {}, i.stop()); });
}

data::Dataset motion(const std::string& asf, const std::vector<std::string>& train,
                     const std::vector<std::string>& test, double rate, std::int64_t window,
                     std::optional<std::int64_t> stride, std::optional<std::int64_t> test_window,
                     std::optional<std::int64_t> test_stride, const std::string& sampling, const std::string& velocity,
                     std::uint64_t seed) {
  if (sampling != "paper" && sampling != "none")
    throw ConfigError(fmt::format("`sampling` {}: expected paper or none", sampling));
  if (velocity != "backward" && velocity != "central")
    throw ConfigError(fmt::format("`velocity` {}: expected backward or central", velocity));
  if (train.empty() && test.empty()) throw ConfigError("no trials; name AMC files with `train` and `test`");
  data::MotionOptions options{.rate = rate,
                              .window = window,
                              .stride = stride,
                              .test_window = test_window,
                              .test_stride = test_stride,
                              .seed = seed};
  options.sampling = sampling == "none" ? data::Sampling::kNone : data::Sampling::kPaper;
  options.velocity = velocity == "central" ? data::VelocityRule::kCentral : data::VelocityRule::kBackward;
  return without_gil([&](Interruptible& i) {
    const data::Skeleton skeleton = data::read_asf(asf);
    std::vector<data::Trial> trials;
    for (const auto& [paths, part] : {std::pair{&train, data::Part::kTrain}, std::pair{&test, data::Part::kTest}})
      for (const std::string& path : *paths)
        trials.push_back(data::make_trial(skeleton, data::read_amc(path, skeleton),
                                          std::filesystem::path(path).stem().string(), part, i.stop()));
    std::string source =
        fmt::format("motion capture: skeleton {} (length unit {}), rate={} window={}",
                    std::filesystem::path(asf).filename().string(), skeleton.length_unit, rate, window);
    if (stride) source += fmt::format(" stride={}", *stride);
    if (test_window) source += fmt::format(" test_window={}", *test_window);
    if (test_stride) source += fmt::format(" test_stride={}", *test_stride);
    source += fmt::format(" sampling={} velocity={} seed={}", sampling, velocity, seed);
    return data::motion_dataset(skeleton, trials, options, source);
  });
}

// The arrays of a set, without a copy; each keeps the set alive.
py::dict arrays(const py::object& self) {
  const auto& set = self.cast<const data::Dataset&>();
  const data::Dataset::Arrays& a = set.arrays();
  const auto flat = [&]<class T>(std::span<const T> values) {
    return view(values, {static_cast<py::ssize_t>(values.size())}, self);
  };
  return py::dict("object_offsets"_a = flat(a.object_offsets), "observation_offsets"_a = flat(a.observation_offsets),
                  "relation_offsets"_a = flat(a.relation_offsets), "times"_a = flat(a.times),
                  "values"_a = view(a.values, {set.rows(), set.features()}, self),
                  "relation_sources"_a = flat(a.relation_sources), "relation_targets"_a = flat(a.relation_targets),
                  "relation_types"_a = flat(a.relation_types), "relation_weights"_a = flat(a.relation_weights),
                  "parts"_a = flat(a.parts), "origins"_a = flat(a.origins));
}

py::list features(const data::Dataset& set) {
  py::list out;
  const std::vector<data::Feature>& features = set.description().features;
  for (const data::Feature& f : features)
    out.append(py::dict("name"_a = f.name, "unit"_a = f.unit, "scale_group"_a = f.scale_group,
                        "velocity_of"_a = f.velocity_of < 0
                                              ? py::object(py::none())
                                              : py::str(features[static_cast<std::size_t>(f.velocity_of)].name),
                        "derived"_a = f.derived));
  return out;
}

py::dict about(const data::Dataset& set) {
  const data::Description& d = set.description();
  const std::optional<data::Instant> origin = data::parse_iso8601(d.time_origin);
  return py::dict("name"_a = d.name, "source"_a = d.source, "time_unit"_a = d.time_unit,
                  "time_origin"_a = d.time_origin, "time_format"_a = d.time_format,
                  "origin_ns"_a = origin ? py::object(py::int_(origin->nanoseconds)) : py::none(),
                  "zoned"_a = origin && !origin->style.zone.empty(), "columns"_a = d.columns, "rate"_a = d.rate,
                  "relation_types"_a = d.relation_types, "time_scale"_a = d.time_scale,
                  "conditioning_length"_a = d.conditioning_length,
                  "listed_edges"_a = d.edges.kind == data::EdgeRule::Kind::kListed);
}

// The description without names of systems and objects, as JSON.
std::string table_description(const data::Dataset& set) {
  data::Description d = set.description();
  d.system_ids.clear(), d.object_ids.clear(), d.recordings.clear();
  return data::description_json(d);
}

std::vector<std::string> system_ids(const data::Dataset& set, const std::optional<std::vector<std::int64_t>>& systems) {
  std::vector<std::string> ids;
  if (systems) {
    for (const std::int64_t s : *systems) ids.push_back(set.system_id(s));
  } else {
    for (std::int64_t s = 0; s < set.systems(); ++s) ids.push_back(set.system_id(s));
  }
  return ids;
}

std::vector<std::string> object_ids(const data::Dataset& set, std::int64_t system) {
  std::vector<std::string> ids;
  for (std::int64_t o = 0; o < set.objects_of(system); ++o) ids.push_back(set.object_id(system, o));
  return ids;
}

std::vector<std::string> recordings(const data::Dataset& set) {
  std::vector<std::string> names;
  for (std::int64_t s = 0; s < set.systems(); ++s) names.push_back(data::recording_of(set, s));
  return names;
}

py::object info(const data::Dataset& set) {
  nlohmann::ordered_json summary;
  without_gil([&](Interruptible&) {
    summary = use::summarise_dataset(set);
    use::add_checkup(summary, set);
    return 0;
  });
  return to_python(summary);
}

// Every option of a use ("train", "predict", ...): key, group, help, what it accepts, type, default.
py::list declared_options(const std::string& of) {
  const Declared declared(of);
  py::list out;
  for (const Option& option : declared.options.options())
    out.append(py::dict("key"_a = option.key, "group"_a = option.group, "help"_a = option.help,
                        "accepts"_a = option.accepts, "type"_a = option.type,
                        "default"_a = to_python(option.default_value)));
  return out;
}

// Checks values one by one.
void check_options(const py::dict& values, const std::string& of) { Declared(of).set(values); }

std::optional<double> parse_time(const data::Dataset& set, const std::string& text) {
  return data::TimeText(set.description()).parse(text);
}

}  // namespace

PYBIND11_MODULE(_data, m) {
  register_errors();
  m.attr("version") = LGODE_VERSION;
  m.attr("commit") = LGODE_COMMIT;

  py::class_<data::Dataset>(m, "Set")
      .def_property_readonly("systems", &data::Dataset::systems)
      .def_property_readonly("objects", &data::Dataset::objects)
      .def_property_readonly("rows", &data::Dataset::rows)
      .def_property_readonly("observations", &data::Dataset::observations)
      .def_property_readonly("relations", &data::Dataset::relations)
      .def_property_readonly("has_missing", &data::Dataset::has_missing)
      .def("arrays", [](const py::object& self) { return arrays(self); })
      .def("features", &features)
      .def("about", &about)
      .def("table_description", &table_description)
      .def("system_ids", &system_ids, "systems"_a = py::none())
      .def("object_ids", &object_ids)
      .def("objects_of", &data::Dataset::objects_of)
      .def("first_object", &data::Dataset::first_object)
      .def("recordings", &recordings)
      .def("systems_in",
           [](const data::Dataset& set, const std::string& part) {
             return set.systems_in(part == "train" ? data::Part::kTrain : data::Part::kTest);
           })
      .def("fingerprint", &data::Dataset::fingerprint)
      .def("info", &info)
      .def("parse_time", &parse_time)
      .def("save",
           [](const data::Dataset& set, const std::string& path, bool force) {
             without_gil([&](Interruptible&) {
               data::save_dataset(set, path, overwrite(force));
               return 0;
             });
           })
      .def("export_csv",
           [](const data::Dataset& set, const std::string& folder, bool force) {
             without_gil([&](Interruptible& i) {
               table::export_csv(set, folder, overwrite(force), {}, i.stop());
               return 0;
             });
           })
      .def("split",
           [](const data::Dataset& set, double test, const std::vector<std::string>& test_systems, std::uint64_t seed) {
             std::int64_t left_out = 0;
             return data::split(set, {.test = test, .test_systems = test_systems, .seed = seed}, left_out);
           });

  py::class_<Like>(m, "Like").def(py::init<const std::string&>()).def_property_readonly("listed", &Like::listed);
  m.def("load",
        [](const std::string& path) { return without_gil([&](Interruptible&) { return data::load_dataset(path); }); });
  m.def("merge", &data::merge);
  m.def("simulate", &simulate);
  m.def("motion", &motion);
  m.def("import_files", &import_files);
  m.def("import_folder", [](const std::string& folder) {
    table::ImportReport report;
    return without_gil(
        [&](Interruptible& i) { return table::import_csv(table::folder_import(folder), report, {}, i.stop()); });
  });
  m.def("import_columns", &import_columns);
  m.def("table_roles", [](const py::dict& options, const std::string& where, const std::vector<std::string>& names) {
    const table::TableRoles roles = table::table_roles(import_options(options), where, names);
    return py::make_tuple(roles.system, roles.object, roles.time, roles.features);
  });
  m.def("declared_options", &declared_options, "of"_a = "train");
  m.def("check_options", &check_options, "values"_a, "of"_a = "train");
  m.def("run_info", [](const std::string& path) { return to_python(eval::load_run_info(path).to_json()); });
  m.def("run_table", [](const std::string& path) { return data::description_json(eval::load_run_info(path).table); });
  m.def("prediction_info", [](const std::string& path) { return to_python(use::summarise_predictions(path)); });
  m.def("run_summary", [](const std::string& path) { return to_python(use::summarise_run(path)); });
  m.def("quantile_name", &eval::quantile_name);
}

}  // namespace lgode::python
