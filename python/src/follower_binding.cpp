// Streams of rows: eval::Follower, one call at a time.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <mutex>
#include <utility>

#include "convert.h"
#include "engine_module.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/eval/follower.h"
#include "lgode/use/follow.h"

namespace py = pybind11;
using namespace py::literals;

namespace lgode::python {
namespace {

struct Follower {
  Follower(const eval::Run& run, double late, const py::list& relations, bool use_outliers)
      : types(run.info.relation_types),
        follower(run, {.late = late,
                       .outliers = use_outliers ? data::Outliers::kUse : data::Outliers::kFlag,
                       .relations = named(relations),
                       .on_outlier = [this](const std::string& system, const std::string& object, double time) {
                         outliers.push_back({system, object, time});
                       }}) {
    use::check_stream(run.info, !relations.empty());
  }

  // (system, source, target, type, weight)
  std::vector<table::NamedRelation> named(const py::list& relations) const {
    std::vector<table::NamedRelation> out;
    for (const py::handle entry : relations) {
      const auto row = entry.cast<py::tuple>();
      out.push_back({row[0].cast<std::string>(), row[1].cast<std::string>(), row[2].cast<std::string>(),
                     row[3].cast<std::int32_t>(), row[4].cast<float>()});
    }
    return out;
  }

  struct Outlier {
    std::string system, object;
    double time = 0;
  };

  Follower(const Follower&) = delete;  // the follower calls back
  Follower& operator=(const Follower&) = delete;

  std::vector<std::string> types;
  std::mutex mutex;
  std::vector<Outlier> outliers;  // found since they were last taken
  eval::Follower follower;
};

// (system, object, time) of the observations that were found not to be believable since the last call.
py::list take_outliers(Follower& self) {
  const std::vector<Follower::Outlier> found = without_gil([&](Interruptible&) {
    const std::scoped_lock lock(self.mutex);
    return std::exchange(self.outliers, {});
  });
  py::list out;
  for (const Follower::Outlier& outlier : found)
    out.append(py::make_tuple(outlier.system, outlier.object, outlier.time));
  return out;
}

// Rows that were taken, and those that were not, by reason.
py::dict observe(Follower& self, const std::vector<std::string>& systems, const std::vector<std::string>& objects,
                 const py::array_t<double, py::array::c_style | py::array::forcecast>& times,
                 const py::array_t<double, py::array::c_style | py::array::forcecast>& values) {
  std::int64_t counts[4] = {};
  const double* time = times.data();
  const double* value = values.data();
  const auto rows = static_cast<std::size_t>(times.size());
  const std::size_t width = rows == 0 ? 0 : static_cast<std::size_t>(values.size()) / rows;
  without_gil([&](Interruptible& i) {
    const std::scoped_lock lock(self.mutex);
    for (std::size_t r = 0; r < rows; ++r)
      if (auto problem =
              use::refused_row(self.follower.run().info, {value + r * width, width}, static_cast<std::int64_t>(r))) {
        problem->is_row = true;
        throw DataError(problem->text("the rows"));
      }
    for (std::size_t r = 0; r < rows; ++r) {
      if (i.stop()->requested()) throw Interrupted();
      eval::StreamRow row{systems[r], objects[r], time[r], {value + r * width, value + (r + 1) * width}, 0};
      ++counts[static_cast<int>(self.follower.observe(row))];
    }
    return 0;
  });
  return py::dict("taken"_a = counts[0], "too_late"_a = counts[1], "repeated"_a = counts[2], "empty"_a = counts[3]);
}

py::tuple forecast(Follower& self, const std::string& system, const std::vector<double>& ahead, std::int64_t samples,
                   std::uint64_t seed, std::optional<double> start, std::int64_t futures) {
  eval::SceneForecast f = without_gil([&](Interruptible&) {
    const std::scoped_lock lock(self.mutex);
    return self.follower.forecast(system, {.ahead = ahead, .samples = samples, .seed = seed, .futures = futures},
                                  start);
  });
  const auto objects = static_cast<py::ssize_t>(f.objects.size()), times = static_cast<py::ssize_t>(f.times.size());
  const auto width = static_cast<py::ssize_t>(self.follower.run().info.features.size());
  const std::vector<py::ssize_t> shape{objects, times, width};
  const auto known = static_cast<py::ssize_t>(f.futures.size());
  py::list several;
  for (std::vector<double>& future : f.futures) several.append(take(std::move(future), shape));
  return py::make_tuple(f.start, f.objects, take(std::move(f.times), {times}), take(std::move(f.mean), shape),
                        take(std::move(f.deviation), shape), take(std::move(f.low), shape),
                        take(std::move(f.high), shape), several, take(std::move(f.probability), {objects, known}));
}

}  // namespace

void add_follower(py::module_& m) {
  py::class_<Follower>(m, "Follower")
      .def(py::init<const eval::Run&, double, const py::list&, bool>())
      .def("observe", &observe)
      .def("forecast", &forecast)
      .def("take_outliers", &take_outliers)
      .def("steps_ahead", [](Follower& self, std::optional<double> horizon,
                             std::int64_t times) { return use::steps_ahead(self.follower.run().info, horizon, times); })
      .def("scenes", [](Follower& self) { return self.follower.scenes(); })
      .def("newest", [](Follower& self, const std::string& system) { return self.follower.newest(system); })
      .def("kept",
           [](Follower& self) {
             const eval::Follower::Kept kept = self.follower.kept();
             return py::dict("scenes"_a = kept.scenes, "objects"_a = kept.objects, "observations"_a = kept.observations,
                             "rows"_a = kept.rows, "outliers"_a = kept.outliers);
           })
      .def("save", [](Follower& self, const std::string& path) { self.follower.save(path); })
      .def("restore", [](Follower& self, const std::string& path) { self.follower.restore(path); });
}

}  // namespace lgode::python
