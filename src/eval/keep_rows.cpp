// Follows with the rows themselves: a forecast is the prediction of a scene (data/scene.h) that has the rows that count
// (model/frames/rows.h), so that a stream and a table are one computation.
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "lgode/data/scene.h"
#include "lgode/eval/predict.h"
#include "lgode/model/assimilate/timeline.h"
#include "lgode/model/frames/rows.h"
#include "scene_keeper.h"

namespace lgode::eval {
namespace {

class RowKeeper : public SceneKeeper {
 public:
  RowKeeper(const Run& run, const std::vector<table::NamedRelation>& relations)
      : SceneKeeper(run, relations),
        maker_(batch_maker(run_.info, data::DatasetBuilder(run_.info.table).finish("a stream"))) {}

  void take(FollowedScene& scene, const std::string& /*system*/, double time,
            const std::vector<const StreamRow*>& rows) const override {
    for (const StreamRow* row : rows) {
      FollowedObject& object = scene.objects.at(row->object);
      object.row_times.push_back(time);
      object.row_values.insert(object.row_values.end(), row->values.begin(), row->values.end());
      forget(scene, object);
      see(object, time, row->values);
    }
    std::erase_if(scene.objects,
                  [&](const auto& entry) { return has_left(scene, entry.second, time) && !waits(entry.second, time); });
  }

  SceneForecast forecast(const FollowedScene& scene, const std::string& system, std::int64_t number, double start,
                         const ForecastOptions& options) const override {
    SceneForecast out;
    out.start = start;
    for (const double t : options.ahead) out.times.push_back(start + t);
    std::vector<const std::pair<const std::string, FollowedObject>*> present;
    for (const auto& entry : scene.objects)
      if (!has_left(scene, entry.second, start)) present.push_back(&entry);
    if (present.empty()) return out;
    std::sort(present.begin(), present.end(),
              [](const auto* a, const auto* b) { return a->second.number < b->second.number; });
    Arrays arrays;
    std::map<std::int64_t, std::int32_t> place;
    data::Scene asked;
    for (const auto* entry : present) {
      const FollowedObject& object = entry->second;
      place[object.number] = static_cast<std::int32_t>(out.objects.size());
      out.objects.push_back(entry->first);
      arrays.times.insert(arrays.times.end(), object.row_times.begin(), object.row_times.end());
      arrays.values.insert(arrays.values.end(), object.row_values.begin(), object.row_values.end());
      arrays.offsets.push_back(static_cast<std::int64_t>(arrays.times.size()));
      asked.context.add_range(0, static_cast<data::RowIndex>(object.row_times.size()));
    }
    asked.source = {.offsets = arrays.offsets,
                    .times = arrays.times,
                    .values = arrays.values,
                    .origin = scene.origin,
                    .features = run_.info.features.size(),
                    .has_empty_rows = false};
    asked.number = number, asked.start = start, asked.model_start = model_time(scene, start);
    asked.times = out.times, asked.centre = scene.centre;
    if (run_.info.table.edges.kind == data::EdgeRule::Kind::kListed) asked.relations = listed(scene, system, place);
    PredictOptions how;
    how.samples = options.samples, how.seed = options.seed, how.futures = options.futures;
    predict(run_, maker_, {&asked, 1}, how, [&](const SystemPrediction& p) {
      out.mean = p.mean, out.deviation = p.deviation, out.low = p.low, out.high = p.high;
      out.futures = p.futures, out.probability = p.probability;
    });
    return out;
  }

  std::int64_t observations(const FollowedScene& scene) const override {
    std::size_t rows = 0;
    for (const auto& [id, object] : scene.objects) rows += object.row_times.size();
    return static_cast<std::int64_t>(rows);
  }

  void write(const FollowedScene& scene, const std::string& prefix, nlohmann::json& to,
             Tensors& tensors) const override {
    nlohmann::json counts = nlohmann::json::object();
    std::vector<double> times, values;
    for (const auto& [id, object] : scene.objects) {
      counts[id] = object.row_times.size();
      times.insert(times.end(), object.row_times.begin(), object.row_times.end());
      values.insert(values.end(), object.row_values.begin(), object.row_values.end());
    }
    to["kept"] = std::move(counts);
    tensors.emplace_back(prefix + "times", at::tensor(times, at::kDouble));
    tensors.emplace_back(prefix + "values", at::tensor(values, at::kDouble));
  }

  void read(const nlohmann::json& from, const SafetensorsFile& file, const std::string& prefix,
            FollowedScene& scene) const override {
    const nlohmann::json& counts = from.at("kept");
    const std::size_t width = run_.info.features.size();
    std::size_t rows = 0;
    for (const auto& [id, object] : scene.objects) rows += counts.at(id).get<std::size_t>();
    const auto all = static_cast<std::int64_t>(rows), numbers = static_cast<std::int64_t>(rows * width);
    const at::Tensor times = kept_tensor(file, prefix + "times", {all}, at::kDouble),
                     values = kept_tensor(file, prefix + "values", {numbers}, at::kDouble);
    const double *time = times.data_ptr<double>(), *value = values.data_ptr<double>();
    for (auto& [id, object] : scene.objects) {
      const auto count = counts.at(id).get<std::size_t>();
      object.row_times.assign(time, time + count), object.row_values.assign(value, value + count * width);
      time += count, value += count * width;
      check_state(file, std::adjacent_find(object.row_times.begin(), object.row_times.end(), std::greater_equal<>()) ==
                            object.row_times.end());
    }
  }

 private:
  struct Arrays {
    std::vector<std::int64_t> offsets{0};
    std::vector<double> times, values;
  };

  bool has_left(const FollowedScene& scene, const FollowedObject& object, double time) const {
    return object.row_times.empty() ||
           model::outlasts(model_time(scene, time) - model_time(scene, object.row_times.back()),
                           run_.info.shape.memory);
  }

  // Rows that count no more.
  void forget(const FollowedScene& scene, FollowedObject& object) const {
    std::vector<double> times;
    times.reserve(object.row_times.size());
    for (const double t : object.row_times) times.push_back(model_time(scene, t));
    const auto first = static_cast<std::ptrdiff_t>(model::first_counting_row(times, run_.info.shape.memory));
    object.row_times.erase(object.row_times.begin(), object.row_times.begin() + first);
    object.row_values.erase(object.row_values.begin(),
                            object.row_values.begin() + first * static_cast<std::ptrdiff_t>(run_.info.features.size()));
  }

  const data::BatchMaker maker_;
};

}  // namespace

std::shared_ptr<const SceneKeeper> keep_rows(const Run& run, const std::vector<table::NamedRelation>& relations) {
  return std::make_shared<RowKeeper>(run, relations);
}

}  // namespace lgode::eval
