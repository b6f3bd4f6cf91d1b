// Assembles batches of scenes: values, units, model times and relations of their rows.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lgode/core/error.h"
#include "lgode/core/mapped_files.h"
#include "lgode/core/random.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/scaling.h"

namespace lgode::data {
namespace {

// The differences of an absent object's targets from the mean of the context.
void append_unseen(Batch& batch, const SceneSource& source, std::int64_t object, std::span<const RowIndex> rows,
                   const Scaling& from_mean) {
  ++batch.unseen_objects;
  for (const RowIndex k : rows) from_mean.append(source.row(object, k), batch.unseen_errors, batch.unseen_mask);
}

// Called before the scene's objects are added: sources are counted after the objects of earlier scenes.
void append_relations(Batch& batch, const std::vector<Relation>& relations, std::size_t objects) {
  const std::int64_t base = batch.object_offsets.back();
  auto next = relations.begin();
  for (std::size_t n = 0; n < objects; ++n) {
    for (; next != relations.end() && next->target == static_cast<std::int32_t>(n); ++next) {
      batch.relation_sources.push_back(base + next->source);
      batch.relation_types.push_back(next->type);
      batch.relation_weights.push_back(next->weight);
    }
    batch.relation_offsets.push_back(static_cast<std::int64_t>(batch.relation_sources.size()));
  }
}

void append_rows(std::vector<RowIndex>& to, std::span<const RowIndex> rows) {
  to.insert(to.end(), rows.begin(), rows.end());
}

// The target rows of an object, with their values; `seen`: its context. Both lists ascend.
template <class ModelTime>
void append_targets(Batch& batch, const SceneSource& source, std::int64_t object, std::span<const RowIndex> asked,
                    std::span<const RowIndex> seen, const Scaling& scaling, const ModelTime& model_time) {
  const std::span<const double> times = source.times_of(object);
  append_rows(batch.target_rows, asked);
  auto at = seen.begin();
  for (const RowIndex k : asked) {
    batch.target_times.push_back(model_time(times[static_cast<std::size_t>(k)]));
    scaling.append(source.row(object, k), batch.target_values, batch.target_mask);
    while (at != seen.end() && *at < k) ++at;
    batch.target_seen.push_back(at != seen.end() && *at == k ? 1 : 0);
  }
}

// The target times of every object. `first`: of the scene; the others copy them.
void append_times(Batch& batch, const Scene& scene, double time_scale, bool first) {
  const std::size_t before = batch.target_times.size();
  batch.target_times.resize(before + scene.times.size());
  const auto to = batch.target_times.begin() + static_cast<std::ptrdiff_t>(before);
  if (first)
    std::transform(scene.times.begin(), scene.times.end(), to,
                   [&](double t) { return (t - scene.start) / time_scale; });
  else
    std::copy_n(to - static_cast<std::ptrdiff_t>(scene.times.size()), scene.times.size(), to);
}

// Room for `count` scenes like this one.
void reserve(Batch& batch, const Scene& like, std::size_t count) {
  const std::size_t rows = like.context.size() * count, objects = like.context.objects() * count;
  const std::size_t targets = like.targets ? like.targets->size() * count : like.times.size() * objects;
  const auto width = static_cast<std::size_t>(batch.features);
  for (std::vector<std::int64_t>* list : {&batch.relation_offsets, &batch.observation_offsets, &batch.target_offsets})
    list->reserve(objects + 1);
  batch.object.reserve(objects), batch.observation_times.reserve(rows), batch.target_times.reserve(targets);
  batch.observation_rows.reserve(rows);
  batch.observation_values.reserve(rows * width), batch.observation_mask.reserve(rows * width);
}

}  // namespace

double BatchMaker::horizon(const Scene& scene) const {
  if (!scene.targets) return scene.times.empty() ? 0.0 : (scene.times.back() - scene.start) / clock_.time_scale;
  double horizon = 0;
  for (std::size_t i = 0; i < scene.targets->objects(); ++i) {
    const std::span<const RowIndex> asked = (*scene.targets)[i];
    if (asked.empty() || (scene.context[i].empty() && task_.unseen == Unseen::kLeaveOut)) continue;
    const double last = scene.source.times_of(static_cast<std::int64_t>(i))[static_cast<std::size_t>(asked.back())];
    horizon = std::max(horizon, model_time(scene.source, last) - scene.model_start);
  }
  return horizon;
}

SceneContext BatchMaker::context_of(const Scene& scene) const {
  SceneContext context(scene.source, dataset_.description().features);
  context.reserve(scene.context.objects(), scene.context.size());
  for (std::size_t i = 0; i < scene.context.objects(); ++i)
    if (!scene.context[i].empty() || task_.unseen == Unseen::kPredict)
      context.add_object(static_cast<std::int64_t>(i), scene.context[i]);
  if (scene.mask_draw && masked_ > 0)
    context.mask(masked_,
                 Random(task_.seed, RandomUse::kHide,
                        {static_cast<std::uint64_t>(*scene.mask_draw), static_cast<std::uint64_t>(scene.number)}));
  context.derive(task_.task == Task::kInterpolate, task_.leave, task_.gate ? &*task_.gate : nullptr);
  return context;
}

std::vector<double> BatchMaker::centre_of(const SceneContext& context) const {
  std::vector<double> centre(static_cast<std::size_t>(dataset_.features()), 0.0);
  if (task_.centre != Centre::kSystem) return centre;
  const std::vector<double> from = task_.leave ? context.first_mean() : context.mean();
  for (const int f : positions_) centre[static_cast<std::size_t>(f)] = from[static_cast<std::size_t>(f)];
  return centre;
}

void BatchMaker::append(Batch& batch, const Scene& scene, std::int64_t place) const {
  const SceneSource& source = scene.source;
  const SceneContext context = context_of(scene);
  if (scene.targets && task_.unseen == Unseen::kLeaveOut) {
    std::optional<Scaling> from_mean;
    for (std::size_t i = 0; i < scene.context.objects(); ++i) {
      if (!scene.context[i].empty() || (*scene.targets)[i].empty()) continue;
      if (!from_mean) from_mean.emplace(context.mean(), normalisation_);
      append_unseen(batch, source, static_cast<std::int64_t>(i), (*scene.targets)[i], *from_mean);
    }
  }
  if (context.objects().empty()) return;

  const std::vector<double> centre = scene.centre ? *scene.centre : centre_of(context);
  batch.system.push_back(scene.number);
  batch.place.push_back(place);
  batch.start.push_back(scene.model_start);
  batch.centre.insert(batch.centre.end(), centre.begin(), centre.end());
  const EdgeRule& rule = dataset_.description().edges;
  const bool listed = rule.kind == EdgeRule::Kind::kListed;
  append_relations(batch,
                   context.relations(rule,
                                     !listed           ? std::vector<Relation>()
                                     : scene.relations ? *scene.relations
                                                       : source.relations(),
                                     task_.task == Task::kExtrapolate),
                   context.objects().size());
  const Scaling scaling(centre, normalisation_);
  const auto model_times = [&](double time) { return model_time(source, time) - scene.model_start; };
  for (std::size_t n = 0; n < context.objects().size(); ++n) {
    const std::int64_t i = context.objects()[n];
    const std::span<const RowIndex> seen = scene.context[static_cast<std::size_t>(i)];
    batch.object.push_back(i);
    std::transform(context.times(n).begin(), context.times(n).end(), std::back_inserter(batch.observation_times),
                   model_times);
    scaling.append(context.values(n), batch.observation_values, batch.observation_mask);
    append_rows(batch.observation_rows, seen);
    batch.observation_offsets.push_back(batch.observations());
    if (scene.targets)
      append_targets(batch, source, i, (*scene.targets)[static_cast<std::size_t>(i)], seen, scaling, model_times);
    else
      append_times(batch, scene, clock_.time_scale, n == 0);
    batch.target_offsets.push_back(batch.targets());
  }
  batch.object_offsets.push_back(static_cast<std::int64_t>(batch.object.size()));
}

Batch BatchMaker::assemble(std::span<const Scene> scenes) const {
  const auto has_rows = [](const Scene& s) { return s.targets.has_value(); };
  if (std::any_of(scenes.begin(), scenes.end(), has_rows) && !std::all_of(scenes.begin(), scenes.end(), has_rows))
    throw ConfigError("some scenes of a batch have target rows and others only times; make a batch of each kind");
  std::vector<double> horizons;
  horizons.reserve(scenes.size());
  for (const Scene& s : scenes) horizons.push_back(horizon(s));
  std::vector<std::size_t> order(scenes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto farther = [&](std::size_t a, std::size_t b) { return horizons[a] > horizons[b]; };
  if (!std::is_sorted(order.begin(), order.end(), farther)) std::stable_sort(order.begin(), order.end(), farther);
  Batch batch;
  batch.features = dataset_.features();
  batch.object_offsets = batch.relation_offsets = batch.observation_offsets = batch.target_offsets = {0};
  if (!scenes.empty()) reserve(batch, scenes[order.front()], scenes.size());
  for (const std::size_t i : order) append(batch, scenes[i], static_cast<std::int64_t>(i));
  // The start itself may be a target time: rounding must not put a target before it.
  for (double& t : batch.target_times) t = std::max(t, 0.0);
  // After the last read: what was changed before that is noticed.
  mapped_files().check(dataset_.arrays().times.data());
  return batch;
}

Batch BatchMaker::make(const std::vector<std::int64_t>& systems, View view, std::int64_t draw,
                       std::int64_t step) const {
  std::vector<Scene> scenes;
  scenes.reserve(systems.size());
  for (const std::int64_t s : systems) scenes.push_back(scene(s, view, draw, step));
  return assemble(scenes);
}

Batch BatchMaker::make_prediction(const std::vector<Request>& requests) const {
  std::vector<Scene> scenes;
  scenes.reserve(requests.size());
  for (const Request& request : requests) {
    scenes.push_back(scene(request));
    if (const auto refused = refusal(request, scenes.back())) throw ConfigError(refused->what);
  }
  return assemble(scenes);
}

}  // namespace lgode::data
