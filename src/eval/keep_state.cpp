// Follows with the state of the assimilating model: every row is taken in once, in the model's units; the arithmetic is
// model::Filter's.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "lgode/data/decimals.h"
#include "lgode/data/relation_rule.h"
#include "lgode/data/scaling.h"
#include "lgode/data/scene.h"
#include "lgode/eval/prediction.h"
#include "scene_keeper.h"
#include "summarise.h"

namespace lgode::eval {
namespace {

using nlohmann::json;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Points that may be missing, as time and value.
using Points = std::optional<data::ClassicalTrack::Point>;
json points_json(std::initializer_list<const Points*> points) {
  json list = json::array();
  for (const Points* p : points) {
    list.push_back(*p ? json((*p)->time) : json(nullptr));
    list.push_back(*p ? json((*p)->value) : json(nullptr));
  }
  return list;
}
void read_points(const json& list, std::initializer_list<Points*> points) {
  std::size_t at = 0;
  for (Points* p : points) {
    const json &time = list.at(at++), &value = list.at(at++);
    if (!time.is_null()) *p = {time.get<double>(), value.get<double>()};
  }
}

json base_json(const model::BaseState& state) {
  json motion = json::array(), kalman = json::array();
  for (const data::ClassicalTrack::Motion& m : state.track.motion)
    motion.push_back(points_json({&m.last, &m.before_last, &m.velocity, &m.velocity_after}));
  for (const data::KalmanTrack& k : state.track.kalman)
    kalman.push_back({k.begun, k.position_seen, k.time, k.x, k.v, k.xx, k.xv, k.vv});
  return {{"motion", motion}, {"kalman", kalman}, {"idle", state.idle.y}, {"seen", state.idle.seen}};
}
model::BaseState base_of(const json& j) {
  model::BaseState out;
  for (const json& m : j.at("motion")) {
    data::ClassicalTrack::Motion& to = out.track.motion.emplace_back();
    read_points(m, {&to.last, &to.before_last, &to.velocity, &to.velocity_after});
  }
  for (const json& k : j.at("kalman"))
    out.track.kalman.push_back({k.at(0), k.at(1), k.at(2), k.at(3), k.at(4), k.at(5), k.at(6), k.at(7)});
  out.idle.y = j.at("idle").get<std::vector<double>>();
  out.idle.seen = j.at("seen").get<std::vector<std::uint8_t>>();
  return out;
}
// Whether the states are of the run's base path, one per object.
bool fits_base(const model::SceneState& state, const RunInfo& info) {
  const std::size_t features = info.features.size();
  if (!info.shape.base) return state.base.empty();
  const bool kalman = info.shape.base->kind == Classical::kKalman;
  if (state.base.size() != state.objects.size() || state.sum.size() != state.count.size() ||
      (!state.base.empty() && state.sum.size() != features))
    return false;
  return std::all_of(state.base.begin(), state.base.end(), [&](const model::BaseState& base) {
    return base.track.motion.size() == (kalman ? 0 : features) && base.track.kalman.size() == (kalman ? features : 0) &&
           base.idle.y.size() == features && base.idle.seen.size() == features;
  });
}

class StateKeeper : public SceneKeeper {
 public:
  StateKeeper(const Run& run, const std::vector<table::NamedRelation>& relations)
      : SceneKeeper(run, relations), filter_(run_.model) {}

  void take(FollowedScene& scene, const std::string& system, double time,
            const std::vector<const StreamRow*>& rows) const override {
    const RunInfo& info = run_.info;
    const data::Scaling scaling(scene.centre, info.normalisation);
    model::Filter::Rows taken;
    for (const StreamRow* row : rows) {
      FollowedObject& object = scene.objects.at(row->object);
      taken.object.push_back(object.number);
      scaling.append(with_velocities(object, time, row->values), taken.values, taken.mask);
      see(object, time, row->values);
    }
    filter_.observe(scene.state, model_time(scene, time), taken, related(scene, system));
    if (scene.objects.size() <= scene.state.objects.size()) return;
    std::set<std::int64_t> known(scene.state.objects.begin(), scene.state.objects.end());
    known.insert(scene.state.object.begin(), scene.state.object.end());
    std::erase_if(scene.objects, [&](const auto& entry) {
      return !known.contains(entry.second.number) && !waits(entry.second, time);
    });
  }

  SceneForecast forecast(const FollowedScene& scene, const std::string& system, std::int64_t number, double start,
                         const ForecastOptions& options) const override {
    const RunInfo& info = run_.info;
    SceneForecast out;
    out.start = start;
    model::SceneState state = scene.state;
    const model::Relations relations = related(scene, system);
    // The newest rows may not have been believed.
    if (const double at = model_time(scene, start); state.begun && at > state.time)
      filter_.advance(state, at, relations);
    std::vector<double> ahead;
    for (const double t : options.ahead) out.times.push_back(start + t), ahead.push_back(t / info.time_scale);
    data::Batch batch;  // names the noise
    batch.system = {number};
    batch.object_offsets = {0, static_cast<std::int64_t>(state.objects.size())};
    const PathPlan plan = PathPlan::make(run_, options.samples, options.seed, 0);
    at::Tensor scores;
    const at::Tensor paths = filter_
                                 .forecast(state, ahead, 1 + plan.options.samples,
                                           noise_of(batch, run_.model->latent(), plan.options, at::kFloat), relations,
                                           options.futures > 0 ? &scores : nullptr)
                                 .contiguous();
    out.futures.resize(static_cast<std::size_t>(options.futures));
    std::map<std::int64_t, std::string> ids;
    for (const auto& [id, object] : scene.objects) ids[object.number] = id;
    for (std::size_t i = 0; i < state.objects.size(); ++i) {
      out.objects.push_back(ids.at(state.objects[i]));
      Random random(options.seed, RandomUse::kPredict,
                    {1, static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(state.objects[i])});
      const Values values{paths, plan, ahead, start, state.last_seen[i]};
      summarise(scene, values, static_cast<std::int64_t>(i), random, out);
      if (options.futures > 0) add_futures(scene, values, scores, static_cast<std::int64_t>(i), out);
    }
    return out;
  }

  std::int64_t observations(const FollowedScene& scene) const override {
    return static_cast<std::int64_t>(scene.state.times.size());
  }

  void write(const FollowedScene& scene, const std::string& prefix, json& to, Tensors& tensors) const override {
    const model::SceneState& state = scene.state;
    json bases = json::array();
    for (const model::BaseState& own : state.base) bases.push_back(base_json(own));
    to["time"] = state.time, to["objects"] = state.objects, to["base"] = bases, to["sum"] = state.sum;
    to["count"] = state.count, to["last_seen"] = state.last_seen, to["times"] = state.times;
    to["object"] = state.object, to["layers"] = state.sent.size();
    if (state.z.defined()) tensors.emplace_back(prefix + "z", state.z.contiguous());
    if (state.seen.defined()) tensors.emplace_back(prefix + "seen", state.seen.contiguous());
    if (state.h.defined()) tensors.emplace_back(prefix + "h", state.h.contiguous());
    for (std::size_t l = 0; l < state.sent.size(); ++l)
      tensors.emplace_back(prefix + "sent" + std::to_string(l), state.sent[l].contiguous());
  }

  void read(const json& from, const SafetensorsFile& file, const std::string& prefix,
            FollowedScene& scene) const override {
    const auto tensor = [&](const std::string& name, std::size_t rows, std::int64_t columns) {
      return kept_tensor(file, prefix + name, {static_cast<std::int64_t>(rows), columns}, at::kFloat);
    };
    model::SceneState& state = scene.state;
    state.begun = scene.begun, state.time = from.at("time");
    state.objects = from.at("objects").get<std::vector<std::int64_t>>();
    if (run_.info.shape.base) {
      for (const json& own : from.at("base")) state.base.push_back(base_of(own));
      state.sum = from.at("sum").get<std::vector<double>>(), state.count = from.at("count").get<std::vector<double>>();
    }
    state.last_seen = from.at("last_seen").get<std::vector<double>>();
    state.times = from.at("times").get<std::vector<double>>();
    state.object = from.at("object").get<std::vector<std::int64_t>>();
    const std::int64_t width = run_.model->options().state + run_.info.shape.features;
    if (!state.objects.empty()) state.z = tensor("z", state.objects.size(), width);
    if (!state.objects.empty() && model::learns_gain(run_.info.model, run_.info.shape))
      state.seen = tensor("seen", state.objects.size(), run_.info.shape.features);
    const std::int64_t d = run_.info.model.encoder_width;
    if (file.has(prefix + "h")) state.h = tensor("h", state.times.size(), d);
    for (std::size_t l = 0; l < from.at("layers").get<std::size_t>(); ++l)
      state.sent.push_back(tensor("sent" + std::to_string(l), state.times.size(), d));
    check_state(file, state.last_seen.size() == state.objects.size() && state.object.size() == state.times.size() &&
                          (state.h.defined() || state.times.empty()) &&
                          (!state.begun || static_cast<std::int64_t>(state.sent.size()) == run_.info.model.layers) &&
                          fits_base(state, run_.info));
  }

 private:
  model::Relations related(const FollowedScene& scene, const std::string& system) const {
    return [this, &scene, &system](const std::vector<std::int64_t>& objects) -> std::vector<data::Relation> {
      const data::EdgeRule& rule = run_.info.table.edges;
      if (rule.kind == data::EdgeRule::Kind::kAll) return data::relations_by_rule(rule, objects.size(), {});
      std::map<std::int64_t, std::int32_t> place;
      for (std::size_t i = 0; i < objects.size(); ++i) place[objects[i]] = static_cast<std::int32_t>(i);
      if (rule.kind == data::EdgeRule::Kind::kListed) return listed(scene, system, place);
      const std::size_t axes = rule.positions.size();
      std::vector<double> positions(objects.size() * axes, kNaN);  // the latest
      for (const auto& [id, object] : scene.objects)
        if (const auto found = place.find(object.number); found != place.end())
          for (std::size_t a = 0; a < axes; ++a)
            positions[static_cast<std::size_t>(found->second) * axes + a] =
                object.value[static_cast<std::size_t>(rule.positions[a])];
      return data::relations_by_rule(rule, objects.size(), positions);
    };
  }

  std::vector<double> with_velocities(const FollowedObject& object, double time, std::vector<double> values) const {
    const data::TaskOptions& task = run_.info.task;
    const std::vector<data::Feature>& features = run_.info.features;
    for (std::size_t f = 0; f < features.size(); ++f) {
      if (!features[f].derived) continue;
      const auto position = static_cast<std::size_t>(features[f].velocity_of);
      values[f] = data::velocity_since({object.time[position], object.value[position]}, {time, values[position]},
                                       *task.leave, task.gate ? &*task.gate : nullptr, position);
    }
    return values;
  }

  struct Values {
    const at::Tensor& paths;  // [S, n K, D]
    const PathPlan& plan;
    const std::vector<double>& ahead;  // model time
    double start;                      // physical
    double last_seen;                  // of the object, model time
  };
  // Adds the values of the i-th object.
  void summarise(const FollowedScene& scene, const Values& values, std::int64_t i, Random& random,
                 SceneForecast& out) const {
    const RunInfo& info = run_.info;
    const auto features = static_cast<std::int64_t>(info.features.size());
    const std::int64_t each = static_cast<std::int64_t>(values.ahead.size()) * features,
                       stride = values.paths.size(1) * features;
    const double start = model_time(scene, values.start);
    std::vector<double> draw(static_cast<std::size_t>(values.plan.options.samples));
    for (std::int64_t k = 0; k < each; ++k) {
      const auto f = static_cast<std::size_t>(k % features);
      ValueSummary value{kNaN, kNaN, kNaN, kNaN};
      if (!info.features[f].derived)
        value = with_widths(summarise_value(values.paths.data_ptr<float>() + i * each + k, stride, info.model.sigma,
                                            values.plan.sampled_intervals, random, draw),
                            {&run_.calibrations.model, static_cast<std::int64_t>(f),
                             start - values.last_seen + values.ahead[static_cast<std::size_t>(k / features)], start});
      const double scale = info.normalisation.scale[f];
      const auto world = [&](double x) { return data::in_units(x, scale, scene.centre[f]); };
      out.mean.push_back(world(value.mean)), out.deviation.push_back(data::in_units(value.deviation, scale));
      out.low.push_back(world(value.low)), out.high.push_back(world(value.high));
    }
  }

  // Adds the most probable futures of the i-th object.
  void add_futures(const FollowedScene& scene, const Values& values, const at::Tensor& scores, std::int64_t i,
                   SceneForecast& out) const {
    const auto features = static_cast<std::int64_t>(run_.info.features.size()),
               each = static_cast<std::int64_t>(values.ahead.size()) * features;
    const at::Tensor probability = probabilities(scores[i].unsqueeze(0));
    const double* p = probability.data_ptr<double>();
    std::size_t j = 0;
    for (const std::int64_t k : most_probable({p, static_cast<std::size_t>(probability.size(1))},
                                              static_cast<std::int64_t>(out.futures.size()))) {
      const float* value = values.paths.data_ptr<float>() +
                           (1 + values.plan.options.samples + k) * values.paths.size(1) * features + i * each;
      out.probability.push_back(p[k]);
      for (std::int64_t at = 0; at < each; ++at) {
        const auto f = static_cast<std::size_t>(at % features);
        out.futures[j].push_back(run_.info.features[f].derived
                                     ? kNaN
                                     : data::in_units(value[at], run_.info.normalisation.scale[f], scene.centre[f]));
      }
      ++j;
    }
  }

  const model::Filter filter_;
};

}  // namespace

std::shared_ptr<const SceneKeeper> keep_state(const Run& run, const std::vector<table::NamedRelation>& relations) {
  return std::make_shared<StateKeeper>(run, relations);
}

}  // namespace lgode::eval
