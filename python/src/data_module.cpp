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
#include "lgode/core/mapped_files.h"
#include "lgode/core/options.h"
#include "lgode/core/threads.h"
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
#include "lgode/use/import_messages.h"
#include "lgode/use/new_table.h"
#include "lgode/use/options.h"
#include "lgode/use/own_columns.h"
#include "lgode/use/parse_values.h"
#include "lgode/use/prediction_file.h"
#include "lgode/use/summary.h"
#include "lgode/version.h"
#include "lost_file.h"

namespace py = pybind11;
using namespace py::literals;

namespace lgode::python {
namespace {

Overwrite overwrite(bool force) { return force ? Overwrite::kAllow : Overwrite::kRefuse; }

// Options of an import by their keys, and name and source of the set; None is the default.
table::ImportOptions import_options(const py::dict& given) {
  table::ImportOptions import;
  OptionSet options;
  table::declare(options, import);
  for (const auto& [name, value] : given) {
    const auto key = name.cast<std::string>();
    if (value.is_none()) continue;
    if (key == "name")
      import.name = value.cast<std::string>();
    else if (key == "source")
      import.source = value.cast<std::string>();
    else
      options.set(key, to_json(value), Source::kFlag, "keyword");
  }
  return import;
}

py::dict report_dict(const table::ImportReport& report) {
  std::vector<std::string> texts;
  for (const use::Message& message : use::messages(report)) texts.push_back(message.text);
  return py::dict("rows"_a = report.rows, "skipped_rows"_a = report.skipped_rows,
                  "skipped_edges"_a = report.skipped_edges, "joined_rows"_a = report.joined_rows,
                  "empty_rows"_a = report.empty_rows, "empty_outside"_a = report.empty_outside,
                  "thinned_rows"_a = report.thinned_rows, "recordings"_a = report.recordings,
                  "empty_systems"_a = report.empty_systems, "empty_windows"_a = report.empty_windows,
                  "split_windows"_a = report.split_windows, "few_targets"_a = report.few_targets,
                  "outside_windows"_a = report.outside_windows, "bad_rows"_a = report.bad_rows,
                  "notes"_a = report.notes, "messages"_a = texts, "skipped"_a = use::skipped_text(report));
}

// (columns, rows) of texts, if it is such a pair.
std::optional<table::TextTable> edge_table(const py::object& edges) {
  if (!py::isinstance<py::tuple>(edges)) return {};
  const auto pair = edges.cast<py::tuple>();
  return table::TextTable{.where = "the table of edges",
                          .columns = pair[0].cast<std::vector<std::string>>(),
                          .rows = pair[1].cast<std::vector<std::vector<std::string>>>()};
}

// `edges`: None, or a table of edges in memory.
py::tuple import_files(const py::dict& options, const std::vector<std::string>& files, const py::object& edges) {
  table::ImportOptions import = import_options(options);
  import.observations = table::find_files(files);
  import.file_systems = true;
  table::name_after_files(import);
  const std::optional<table::TextTable> listed = edge_table(edges);
  table::ImportReport report;
  data::Dataset set = without_gil(
      [&](Interruptible& i) { return table::import_csv(import, report, {}, i.stop(), listed ? &*listed : nullptr); });
  return py::make_tuple(std::move(set), report_dict(report));
}

// Where dates count from, in nanoseconds, or None; and the offset in which they are written.
py::dict clock(const data::Description& d) {
  const std::optional<data::Instant> origin = data::parse_iso8601(d.time_origin);
  return py::dict("origin_ns"_a = origin ? py::object(py::int_(origin->nanoseconds)) : py::none(),
                  "zone"_a = origin ? origin->style.zone : std::string());
}

// The table that a model was trained on, as its checkpoint describes it.
struct Like {
  explicit Like(const std::string& json) : description(data::read_description(json, "the model's data")) {}

  data::Description description;
};

// Reads as the table of a run's data was read. `edges_given`: its relations are not by the run's rule.
void read_like(const Like& like, bool edges_given, bool windows, table::ImportOptions& import) {
  const double length = import.arrangement.first_range ? import.arrangement.first_range->value : 0.0;
  table::ImportOptions own =
      use::new_table_options(like.description, length, windows ? use::TableUse::kEvaluate : use::TableUse::kPredict);
  import.roles = own.roles;
  import.arrangement = own.arrangement;
  if (edges_given) {
    own.relations.table = import.relations.table;
    own.relations.rule = import.relations.rule;
    own.relations.neighbours = import.relations.neighbours, own.relations.radius = import.relations.radius;
    own.relations.positions = import.relations.positions;
  }
  import.relations = own.relations;
}

// `edges`: None, or (columns, rows) of texts. `like`: read the table as the table of a run's data was read; `windows`:
// and cut it as that was cut.
py::tuple import_columns(const py::dict& options, const std::string& where, const std::vector<std::string>& names,
                         const py::list& columns, const std::string& offset, const py::object& edges, const Like* like,
                         bool windows) {
  table::ImportOptions import = import_options(options);
  if (like != nullptr) {
    use::check_relations(like->description, !edges.is_none());
    read_like(*like, !edges.is_none(), windows, import);
  }
  const std::optional<table::TextTable> listed = edge_table(edges);
  PythonTable table;
  read_columns(import.roles, where, names, columns, offset, table);
  table::ImportReport report;
  data::Dataset set = without_gil([&](Interruptible& i) {
    return table::import_table(import, table.table, listed ? &*listed : nullptr, report, i.stop());
  });
  if (like != nullptr) set = use::with_relation_types(std::move(set), like->description.relation_types);
  return py::make_tuple(std::move(set), report_dict(report));
}

// The options of one use, bound to fields of their own.
struct Declared {
  explicit Declared(const std::string& of)
      : where(of == "train"    ? "Model() and fit()"
              : of == "import" ? "from_table()"
                               : of + "()") {
    config.model.kind = train::kDefaultModel;
    if (of == "train") train::declare(options, config), train::name_defaults(options);
    if (of == "predict") use::declare_prediction(options, prediction);
    if (of == "fill") {
      prediction.samples = use::kFillSamples;
      use::declare_fill(options, filling);
      use::declare_sampling(options, prediction);
    }
    if (of == "evaluate") use::declare_evaluation(options, evaluation);
    if (of == "calibrate") use::declare_calibration(options, calibration);
    if (of == "simulate") use::declare_simulation(options, simulation);
    if (of == "import") table::declare(options, import);
    if (of == "from_motion") data::declare_motion(options, motion);
  }
  void set(const py::dict& values) {
    for (const auto& [key, value] : values) options.set(key.cast<std::string>(), to_json(value), Source::kFlag, where);
  }

  std::string where;  // what an unknown keyword was given to
  train::RunConfig config;
  eval::PredictOptions prediction;
  use::FillSettings filling;
  use::EvaluateSettings evaluation;
  use::CalibrateSettings calibration;
  data::SimulateOptions simulation;
  data::MotionOptions motion;
  table::ImportOptions import;
  OptionSet options;
};

data::Dataset simulate(const py::dict& values) {
  Declared declared("simulate");
  declared.set(values);
  use::check(declared.simulation);
  return without_gil([&](Interruptible& i) { return data::simulate(declared.simulation, {}, i.stop()); });
}

data::Dataset motion(const std::string& asf, const std::vector<std::string>& train,
                     const std::vector<std::string>& test, const py::dict& values) {
  Declared declared("from_motion");
  declared.set(values);
  return without_gil([&](Interruptible& i) {
    const std::vector<data::TrialFile> files = data::find_trials(train, test);
    const data::Skeleton skeleton = data::read_asf(asf);
    std::vector<data::Trial> trials;
    for (const data::TrialFile& file : files)
      trials.push_back(
          data::make_trial(skeleton, data::read_amc(file.path, skeleton), file.name(), file.part, i.stop()));
    return data::motion_dataset(skeleton, trials, declared.motion, data::motion_source(asf, skeleton, declared.motion));
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
  py::dict out = clock(d);
  const py::dict more("name"_a = d.name, "source"_a = d.source, "time_unit"_a = d.time_unit,
                      "time_origin"_a = d.time_origin, "time_format"_a = d.time_format, "columns"_a = d.columns,
                      "rate"_a = d.rate, "relation_types"_a = d.relation_types, "time_scale"_a = d.time_scale,
                      "conditioning_length"_a = d.conditioning_length,
                      "listed_edges"_a = d.edges.kind == data::EdgeRule::Kind::kListed);
  out.attr("update")(more);
  return out;
}

// A set of the arrays that arrays() gives, copied, and of a description.
data::Dataset set_of(const std::string& description, const py::dict& given) {
  const auto storage = std::make_shared<data::DatasetArrays<data::ArrayStorage>>();
  data::Dataset::Arrays arrays;
  data::Dataset::Arrays::each(
      [&]<class T>(const char* name, data::Per, std::span<const T>& array, std::vector<T>& copy) {
        const auto from = given[name].cast<py::array_t<T, py::array::c_style | py::array::forcecast>>();
        copy.assign(from.data(), from.data() + from.size());
        array = copy;
      },
      arrays, *storage);
  return {data::read_description(description, "the data set"), arrays, storage, "the data set"};
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

// Names of the columns of systems, objects and times as the table has them, and the entries of the former by system.
py::tuple own_columns(const data::Dataset& set, const std::vector<std::string>& others) {
  const use::OwnColumns own(set, others);
  std::vector<std::vector<std::string>> systems;
  for (std::int64_t s = 0; s < set.systems(); ++s) systems.push_back(own.system(set.system_id(s)));
  return py::make_tuple(own.header(), systems);
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

// Every option of a use ("train", "predict", "import", ...): key, group, help, type, what it accepts, default.
py::list declared_options(const std::string& of) {
  const Declared declared(of);
  py::list out;
  for (const Option& option : declared.options.options())
    out.append(py::dict("key"_a = option.key, "group"_a = option.group, "help"_a = option.help,
                        "accepts"_a = option.accepts, "type"_a = option.type,
                        "default"_a = to_python(option.default_value), "shown_default"_a = option.shown_default));
  return out;
}

// Checks values one by one.
void check_options(const py::dict& values, const std::string& of) { Declared(of).set(values); }

std::optional<double> parse_time(const data::Dataset& set, const std::string& text) {
  return data::TimeText(set.description()).parse(text);
}

void add_set(py::module_& m) {
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
      .def("description", [](const data::Dataset& set) { return data::description_json(set.description()); })
      .def("check_file", [](const data::Dataset& set) { mapped_files().check(set.arrays().times.data()); })
      .def("system_ids", &system_ids, "systems"_a = py::none())
      .def("object_ids", &object_ids)
      .def("objects_of", &data::Dataset::objects_of)
      .def("first_object", &data::Dataset::first_object)
      .def("recordings", &recordings)
      .def("own_columns", &own_columns, "others"_a)
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
             std::int64_t skipped = 0;
             return data::split(set, {.test = test, .test_systems = test_systems, .seed = seed}, skipped);
           });
}

// Tables become sets.
void add_imports(py::module_& m) {
  py::class_<Like>(m, "Like")
      .def(py::init<const std::string&>())
      .def("clock", [](const Like& like) { return clock(like.description); })
      .def("parse_time",
           [](const Like& like, const std::string& text) { return data::TimeText(like.description).parse(text); });
  m.def("import_files", &import_files);
  m.def("import_folder", [](const std::string& folder) {
    table::ImportReport report;
    return without_gil(
        [&](Interruptible& i) { return table::import_csv(table::folder_import(folder), report, {}, i.stop()); });
  });
  m.def("import_columns", &import_columns);
  m.def("table_roles", [](const py::dict& options, const std::string& where, const std::vector<std::string>& names) {
    const table::TableRoles roles = table::table_roles(import_options(options).roles, where, names);
    return py::make_tuple(roles.system, roles.object, roles.time, roles.features);
  });
}

// Options by their declarations, and the descriptions of runs and predictions in files.
void add_descriptions(py::module_& m) {
  m.def("declared_options", &declared_options, "of"_a = "train");
  m.def("is_rule", &table::is_rule);
  m.def("check_options", &check_options, "values"_a, "of"_a = "train");
  m.def("kind_of", &use::kind_of);
  m.def("run_info", [](const std::string& path) { return to_python(eval::load_run_info(path).to_json()); });
  m.def("run_table", [](const std::string& path) { return data::description_json(eval::load_run_info(path).table); });
  m.def("prediction_info", [](const std::string& path) { return to_python(use::summarise_predictions(path)); });
  m.def("run_summary", [](const std::string& path) { return to_python(use::summarise_run(path)); });
  m.def("quantile_name", &eval::quantile_name);
}

}  // namespace

PYBIND11_MODULE(_data, m) {
  register_errors();
  m.attr("version") = LGODE_VERSION;
  m.attr("commit") = LGODE_COMMIT;
  m.attr("mapped_files") = py::capsule(&mapped_files());  // lgode._engine shares it
  survive_lost_files();
  m.def("threads_note", &threads_note);
  add_set(m);
  m.def("load",
        [](const std::string& path) { return without_gil([&](Interruptible&) { return data::load_dataset(path); }); });
  m.def("set_of", &set_of);
  m.def("merge", &data::merge);
  m.def("simulate", &simulate);
  m.def("motion", &motion);
  add_imports(m);
  add_descriptions(m);
}

}  // namespace lgode::python
