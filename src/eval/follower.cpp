// Puts rows in order, judges them and keeps the scenes. What a scene keeps of them and how it forecasts is a
// SceneKeeper's.
#include "lgode/eval/follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/data/scene.h"
#include "lgode/data/time_margin.h"
#include "lgode/data/time_text.h"
#include "lgode/eval/prediction.h"
#include "requests.h"
#include "scene_keeper.h"

namespace lgode::eval {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kDropEvery = 256;  // rows between two looks for scenes to drop

const Run& checked(const Run& run) {
  const RunInfo& info = run.info;
  if (!model::forgets(info.model.kind) || info.task.task != data::Task::kExtrapolate)
    throw ConfigError(fmt::format(
        "only forecasts of `model` assimilate and frames can be followed, this run has `model` {}, `task` {}; train "
        "one of these with `task` extrapolate",
        model::model_name(info.model.kind),
        info.task.task == data::Task::kExtrapolate ? "extrapolate" : "interpolate"));
  if (!info.task.leave || info.table.features.empty())
    throw ConfigError(fmt::format(
        "the run was trained by lgode {} ({}), whose forecasts looked at later rows as well; train it again",
        info.version, info.commit));
  if (!run.model->device().is_cpu()) throw ConfigError("streams are followed on the CPU; set `device` cpu");
  return run;
}

}  // namespace

Follower::Follower(Run run, FollowOptions options)
    : run_(checked(run)), options_(std::move(options)), position_(run_.info.features.size(), false) {
  if (options_.outliers == data::Outliers::kUse) run_.info.task.gate.reset();
  if (run_.info.task.centre == data::Centre::kSystem)
    for (const int f : data::position_features(run_.info.features)) position_[static_cast<std::size_t>(f)] = true;
  for (const table::NamedRelation& r : options_.relations)
    if (r.type < 0 || r.type >= run_.info.shape.relation_types)
      throw ConfigError(fmt::format("a relation from '{}' to '{}' has type {}, the run has {} types", r.source,
                                    r.target, r.type, run_.info.shape.relation_types));
  keeper_ = (run_.info.model.kind == model::ModelKind::kFrames ? keep_rows : keep_state)(run_, options_.relations);
}

std::vector<data::Relation> SceneKeeper::listed(const FollowedScene& scene, const std::string& system,
                                                const std::map<std::int64_t, std::int32_t>& place) const {
  const auto find = [&](const std::string& id) {
    const auto object = scene.objects.find(id);
    const auto found = object == scene.objects.end() ? place.end() : place.find(object->second.number);
    return found == place.end() ? -1 : found->second;
  };
  std::vector<data::Relation> list;
  for (const table::NamedRelation& r : relations_) {
    if (!r.system.empty() && r.system != system) continue;
    const std::int32_t source = find(r.source), target = find(r.target);
    if (source >= 0 && target >= 0) list.push_back({source, target, r.type, r.weight});
  }
  return list;
}

void Follower::centre(FollowedScene& scene, double time, const std::vector<const StreamRow*>& rows) const {
  if (std::all_of(scene.centred.begin(), scene.centred.end(), [](bool known) { return known; })) return;
  data::FirstMean mean(scene.centre.size());
  for (const StreamRow* row : rows) mean.add(time, row->values);
  for (std::size_t f = 0; f < scene.centre.size(); ++f)
    if (!scene.centred[f] && mean.known(f)) scene.centre[f] = mean[f], scene.centred[f] = true;
}

bool Follower::is_far(const FollowedScene& scene, const Group& group, const StreamRow& row) const {
  constexpr std::size_t kFewest = 3;  // with fewer, nobody can say who is far
  const std::vector<double>& extent = run_.info.task.gate->extent;
  for (std::size_t f = 0; f < extent.size(); ++f) {
    if (extent[f] >= data::OutlierGate::kAny || std::isnan(row.values[f])) continue;
    std::vector<double> others;
    for (const StreamRow& other : group.rows)
      if (!std::isnan(other.values[f])) others.push_back(other.values[f]);
    for (const auto& [id, object] : scene.objects) {
      const bool here = std::any_of(group.rows.begin(), group.rows.end(),
                                    [&, &name = id](const StreamRow& other) { return other.object == name; });
      if (!here && !std::isnan(object.value[f])) others.push_back(object.value[f]);
    }
    if (others.size() < kFewest) continue;
    const auto middle = others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2);
    std::nth_element(others.begin(), middle, others.end());
    if (std::abs(row.values[f] - *middle) > extent[f]) return true;
  }
  return false;
}

std::vector<const StreamRow*> Follower::believed_rows(FollowedScene& scene, const Group& group) const {
  const std::size_t width = run_.info.features.size();
  std::vector<const StreamRow*> believed;
  scene.flagged.clear();
  for (const StreamRow& row : group.rows) {
    const auto [found, fresh] = scene.objects.try_emplace(row.object);
    FollowedObject& object = found->second;
    if (fresh) object = {scene.next++, std::vector<double>(width, kNaN), std::vector<double>(width, kNaN)};
    const std::optional<data::OutlierGate>& gate = run_.info.task.gate;
    if (!gate || object.outliers
                     .judge(*gate, group.time, row.values,
                            !object.outliers.knows(*gate, group.time) && is_far(scene, group, row))
                     .believed)
      believed.push_back(&row);
    else
      scene.flagged.push_back(row.object), ++scene.outliers;
  }
  return believed;
}

void Follower::take(FollowedScene& scene, const std::string& system, const Group& group) const {
  const std::size_t width = run_.info.features.size();
  if (!scene.begun) {
    scene.origin = group.time;
    scene.centre.assign(width, 0.0);
    scene.centred = position_;
    scene.centred.flip();
  }
  const std::vector<const StreamRow*> believed = believed_rows(scene, group);
  if (believed.empty()) return;
  scene.begun = true;
  centre(scene, group.time, believed);
  keeper_->take(scene, system, group.time, believed);
}

const FollowedScene& Follower::head(Stream& stream, const std::string& system) const {
  const FollowedScene* before = &stream.base;
  for (Group& group : stream.groups) {
    if (!group.after) {
      FollowedScene scene = *before;
      take(scene, system, group);
      group.after = std::move(scene);
    }
    before = &*group.after;
  }
  return *before;
}

// Rows that no late row can precede any more become part of the base.
void Follower::settle(Stream& stream, const std::string& system) const {
  const double newest = stream.groups.back().time;
  std::size_t old = 0;
  while (stream.groups[old].time < newest - options_.late - data::time_margin(run_.info.time_scale, newest)) {
    Group& group = stream.groups[old++];
    if (group.after)
      stream.base = std::move(*group.after);
    else
      take(stream.base, system, group);
    if (options_.on_outlier)
      for (const std::string& object : stream.base.flagged) options_.on_outlier(system, object, group.time);
  }
  stream.groups.erase(stream.groups.begin(), stream.groups.begin() + static_cast<std::ptrdiff_t>(old));
}

void Follower::drop_old() {
  const double alive = *run_.info.task.leave + options_.late;
  std::vector<std::string> old;
  for (const std::string& scene : scenes())
    if (clock_ - streams_.at(scene).clock > alive) old.push_back(scene);
  drop(std::move(old));
}

void Follower::drop(std::vector<std::string> scenes) {
  for (std::string& scene : scenes) {
    if (options_.on_drop) options_.on_drop(scene);
    const auto found = streams_.find(scene);
    dropped_.emplace_back(std::move(scene), found->second.groups.back().time);
    streams_.erase(found);
    if (static_cast<std::int64_t>(dropped_.size()) > options_.most_scenes) dropped_.pop_front();
  }
}

Follower::Taken Follower::observe(const StreamRow& row) {
  const ops::ContextScope scope(run_.context.without_gradients());
  const std::size_t width = run_.info.features.size();
  if (row.values.size() != width)
    throw ConfigError(fmt::format("a row has {} values, the run has {} features", row.values.size(), width));
  if (!std::isfinite(row.time)) throw ConfigError("a row has a time that is not finite");
  const auto given = [&](std::size_t f) { return !run_.info.features[f].derived && !std::isnan(row.values[f]); };
  std::int64_t values = 0;
  for (std::size_t f = 0; f < width; ++f) values += given(f) ? 1 : 0;
  if (values == 0) return Taken::kEmpty;
  auto found = streams_.find(row.system);
  if (found == streams_.end()) {
    if (const std::optional<double> before = newest(row.system); before && row.time <= *before) return Taken::kTooLate;
    std::erase_if(dropped_, [&](const auto& entry) { return entry.first == row.system; });
    if (static_cast<std::int64_t>(streams_.size()) >= options_.most_scenes)
      drop({std::min_element(streams_.begin(), streams_.end(), [](const auto& a, const auto& b) {
              return a.second.last_row < b.second.last_row;
            })->first});
    found = streams_.try_emplace(row.system).first;
    found->second.number = numbers_++;
  }
  Stream& stream = found->second;
  std::vector<Group>& groups = stream.groups;
  if (!groups.empty()) {
    const double newest = groups.back().time;
    if (row.time < newest - options_.late - data::time_margin(run_.info.time_scale, newest)) return Taken::kTooLate;
  }
  auto group = std::lower_bound(groups.begin(), groups.end(), row.time,
                                [](const Group& g, double time) { return g.time < time; });
  if (group == groups.end() || group->time != row.time) group = groups.insert(group, Group{row.time, {}, {}});
  // By object: the result does not depend on the order in which rows came.
  auto place = std::lower_bound(group->rows.begin(), group->rows.end(), row.object,
                                [](const StreamRow& r, const std::string& object) { return r.object < object; });
  if (place != group->rows.end() && place->object == row.object) return Taken::kRepeated;
  place = group->rows.insert(place, row);
  for (std::size_t f = 0; f < width; ++f)
    if (!given(f)) place->values[f] = kNaN;
  for (auto later = group; later != groups.end(); ++later) later->after.reset();
  clock_ = rows_ == 0 ? row.time : std::max(clock_, row.time);
  stream.clock = clock_;
  stream.last_row = ++rows_;
  settle(stream, row.system);
  if (rows_ % kDropEvery == 0) drop_old();
  return Taken::kTaken;
}

Follower::Stream& Follower::stream_to_forecast(const std::string& system, const ForecastOptions& options,
                                               std::optional<double> start) {
  const RunInfo& info = run_.info;
  const auto found = streams_.find(system);
  if (found == streams_.end())
    throw ConfigError(fmt::format("there are no rows of scene '{}' to forecast from", system));
  if (options.ahead.empty() || options.ahead.front() < 0 ||
      !std::is_sorted(options.ahead.begin(), options.ahead.end()) ||
      !(options.ahead.back() <= kMostRanges * info.conditioning_length))
    throw ConfigError(fmt::format("a forecast needs times in ascending order, from 0 to {:g} ranges of {:.6g} ahead",
                                  kMostRanges, info.conditioning_length));
  check_futures(info, options.futures);
  const double newest = found->second.groups.back().time;
  if (start && *start < newest) {
    const data::TimeText text(info.table);
    throw ConfigError(fmt::format("a forecast of scene '{}' cannot start at {}, before its newest row at {}", system,
                                  text(*start), text(newest)));
  }
  return found->second;
}

SceneForecast Follower::forecast(const std::string& system, const ForecastOptions& options,
                                 std::optional<double> start) {
  const ops::ContextScope scope(run_.context.without_gradients());
  Stream& stream = stream_to_forecast(system, options, start);
  const double newest = stream.groups.back().time;
  const FollowedScene& scene = head(stream, system);
  stream.forecast_from = newest;
  return keeper_->forecast(scene, system, stream.number, start.value_or(newest), options);
}

std::vector<std::string> Follower::scenes() const {
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const auto& [id, stream] : streams_) order.emplace_back(stream.number, id);
  std::sort(order.begin(), order.end());
  std::vector<std::string> ids;
  for (auto& [number, id] : order) ids.push_back(std::move(id));
  return ids;
}

std::optional<double> Follower::newest(const std::string& system) const {
  const auto found = streams_.find(system);
  if (found != streams_.end()) return found->second.groups.back().time;
  const auto dropped =
      std::find_if(dropped_.begin(), dropped_.end(), [&](const auto& entry) { return entry.first == system; });
  return dropped == dropped_.end() ? std::nullopt : std::optional(dropped->second);
}

std::optional<double> Follower::forecast_from(const std::string& system) const {
  const auto found = streams_.find(system);
  return found == streams_.end() ? std::nullopt : found->second.forecast_from;
}

Follower::Kept Follower::kept() const {
  Kept kept;
  const auto add = [&](const FollowedScene& scene) {
    kept.objects += static_cast<std::int64_t>(scene.objects.size());
    kept.observations += keeper_->observations(scene);
  };
  for (const auto& [id, stream] : streams_) {
    ++kept.scenes;
    kept.outliers += stream.groups.back().after ? stream.groups.back().after->outliers : stream.base.outliers;
    add(stream.base);
    for (const Group& group : stream.groups) {
      kept.rows += static_cast<std::int64_t>(group.rows.size());
      if (group.after) add(*group.after);
    }
  }
  return kept;
}

}  // namespace lgode::eval
