// Reads starts, frames, pairs and inputs off the context of a batch.
#include "model/frames/geometry.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/data/classical/classical.h"
#include "lgode/model/assimilate/timeline.h"

namespace lgode::model {
namespace {

constexpr double kSlowest = 0.05;   // a slower object stands, and a shorter displacement is none
constexpr double kBalanced = 0.02;  // neighbours on all sides give no direction
constexpr double kFarthest = 50, kFastest = 20, kOldest = 8, kFarthestPlace = 5;  // larger inputs are cut
constexpr std::size_t kMostNeighbours = 16;

double flag(bool holds) { return holds ? 1.0 : 0.0; }
double norm(const Vec& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
Vec minus(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec times(const Vec& a, double k) { return {a[0] * k, a[1] * k, a[2] * k}; }
double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
// At most this long: in every direction alike.
Vec cut(const Vec& v, double most) {
  const double size = norm(v);
  return size > most ? times(v, most / size) : v;
}

Classical base_kind(const FramesShape& shape) {
  const ClassicalMethod* method = find_classical_method(shape.base);
  if (method == nullptr) throw DataError("`model` frames: no classical method is named '" + shape.base + "'");
  return method->kind;
}

std::vector<float> classical(const FramesShape& shape, Classical kind, const data::Batch& batch) {
  return data::predict_classical(kind, batch, shape.features, {shape.scale, {}}, shape.time_scale, shape.fit);
}

// The context of a batch, with these targets for every object.
data::Batch probe(const data::Batch& batch, const std::vector<double>& times) {
  data::Batch out;
  out.features = batch.features;
  out.system = batch.system, out.object_offsets = batch.object_offsets, out.object = batch.object;
  out.observation_offsets = batch.observation_offsets, out.observation_times = batch.observation_times;
  out.observation_values = batch.observation_values, out.observation_mask = batch.observation_mask;
  out.target_offsets = {0};
  for (std::int64_t i = 0; i < batch.objects(); ++i) {
    out.target_times.insert(out.target_times.end(), times.begin(), times.end());
    out.target_offsets.push_back(static_cast<std::int64_t>(out.target_times.size()));
  }
  return out;
}

void append(const Vec& v, std::size_t axes, double scale, std::vector<double>& to) {
  for (std::size_t a = 0; a < axes; ++a) to.push_back(v[a] * scale);
}

}  // namespace

FramesColumns::FramesColumns(const FramesShape& shape) : positions(shape.positions) {
  std::vector<bool> used(shape.features.size(), false);
  for (const std::int64_t p : positions) {
    used[static_cast<std::size_t>(p)] = true;
    velocities.push_back(-1);
    for (std::size_t v = 0; v < shape.features.size() && velocities.back() < 0; ++v)
      if (!shape.features[v].derived && shape.features[v].velocity_of == p)
        velocities.back() = static_cast<std::int64_t>(v), used[v] = true;
  }
  for (std::size_t f = 0; f < used.size(); ++f)
    if (!used[f] && !shape.features[f].derived) others.push_back(static_cast<std::int64_t>(f));
}

bool FramesColumns::measures_velocity() const {
  return std::none_of(velocities.begin(), velocities.end(), [](std::int64_t v) { return v < 0; });
}

Track::Point Track::at(double time) const {
  Point out;
  const auto next = std::lower_bound(time_.begin(), time_.end(), time - kSameTime);
  if (next == time_.end()) return out;
  const auto k = static_cast<std::size_t>(next - time_.begin());
  const bool same = *next <= time + kSameTime;
  if (!same && k == 0) return out;
  out.known = true;
  out.value = value_[k];
  if (k == 0) return out;
  const double gap = time_[k] - time_[k - 1];
  if (gap <= kSameTime) return out;
  out.sloped = true;
  out.slope = times(minus(value_[k], value_[k - 1]), 1 / gap);
  if (same) return out;
  const double share = (time - time_[k - 1]) / gap;
  for (std::size_t a = 0; a < 3; ++a) out.value[a] = value_[k - 1][a] + share * (value_[k][a] - value_[k - 1][a]);
  return out;
}

FramesGeometry::FramesGeometry(const ModelShape& shape, Neighbours neighbours, const data::Batch& batch)
    : model_(shape),
      shape_(shape.frames.value()),
      neighbours_(neighbours),
      batch_(batch),
      columns_(shape_),
      starts_(static_cast<std::size_t>(batch.objects())) {
  for (std::int64_t b = 0; b < batch.systems(); ++b)
    for (std::int64_t i = batch.object_offsets[b]; i < batch.object_offsets[b + 1]; ++i)
      begin_.push_back(batch.object_offsets[b]), end_.push_back(batch.object_offsets[b + 1]), system_.push_back(b);
  for (std::int64_t i = 0; i < batch.objects(); ++i) see(i, starts_[static_cast<std::size_t>(i)]);
  estimate();
  turn();
  find_pairs();
}

Vec FramesGeometry::place_of(std::int64_t row) const {
  Vec out{};
  for (std::size_t a = 0; a < columns_.positions.size(); ++a) {
    const std::int64_t f = columns_.positions[a];
    out[a] = batch_.observation_values[row * batch_.features + f] * shape_.scale[f] / shape_.length;
  }
  return out;
}

void FramesGeometry::see(std::int64_t object, FramesStart& start) const {
  const std::int64_t first = batch_.observation_offsets[object], end = batch_.observation_offsets[object + 1];
  const auto has_one = [&](std::int64_t m, std::int64_t f) {
    return batch_.observation_mask[m * batch_.features + f] != 0.0F;
  };
  const auto has = [&](std::int64_t m, const std::vector<std::int64_t>& columns) {
    return std::all_of(columns.begin(), columns.end(), [&](std::int64_t f) { return has_one(m, f); });
  };
  const bool measured = columns_.measures_velocity();
  const double velocity = shape_.time_scale * shape_.time / shape_.length;
  start.others.resize(columns_.others.size());
  for (std::int64_t m = first; m < end; ++m) {
    const double time = batch_.observation_times[m];
    const float* const row = batch_.observation_values.data() + m * batch_.features;
    if (has(m, columns_.positions)) start.places.add(time, place_of(m));
    if (measured && has(m, columns_.velocities)) {
      Vec v{};
      for (std::size_t a = 0; a < columns_.velocities.size(); ++a)
        v[a] = row[columns_.velocities[a]] * shape_.scale[columns_.velocities[a]] * velocity;
      start.velocities.add(time, v);
    }
    for (std::size_t r = 0; r < columns_.others.size(); ++r)
      if (has_one(m, columns_.others[r])) start.others[r].add(time, {row[columns_.others[r]], 0, 0});
  }
  if (start.places.empty()) return;
  start.present = !outlasts(-start.places.last_time(), model_.memory);
  start.age = std::max(0.0, -start.places.last_time()) / shape_.time;
}

// Where the base path is and how fast, and the velocity of the Kalman filter, which noise moves least.
void FramesGeometry::estimate() {
  const std::vector<double> times{0.0, shape_.step, shape_.time};
  const data::Batch probed = probe(batch_, times);
  const Classical kind = base_kind(shape_);
  const std::vector<float> base = classical(shape_, kind, probed),
                           filter = classical(shape_, Classical::kKalman, probed);
  // A longer way has a smaller rounding error; only a damped path is not straight.
  const bool straight = kind != Classical::kDampedVelocity;
  const auto width = static_cast<std::size_t>(batch_.features);
  for (std::size_t i = 0; i < starts_.size(); ++i)
    for (std::size_t a = 0; a < columns_.positions.size(); ++a) {
      const auto f = static_cast<std::size_t>(columns_.positions[a]);
      const std::size_t at = times.size() * i * width + f, far = at + 2 * width, later = straight ? far : at + width;
      const double unit = shape_.scale[f] / shape_.length;
      const auto moved = [&](const std::vector<float>& path, std::size_t to) {
        return (static_cast<double>(path[to]) - path[at]) * unit;
      };
      FramesStart& start = starts_[i];
      start.place[a] = base[at] * unit;
      start.base_velocity[a] = moved(base, later) * (straight ? 1.0 : shape_.time / shape_.step);
      start.velocity[a] = moved(filter, far);
    }
}

void FramesGeometry::turn() {
  const auto ahead = [](FramesStart& start, double x, double y, Heading heading) {
    const double size = std::hypot(x, y);
    start.c = x / size, start.s = y / size, start.heading = heading;
  };
  for (FramesStart& start : starts_) {
    if (!start.present) continue;
    if (std::hypot(start.velocity[0], start.velocity[1]) > kSlowest) {
      ahead(start, start.velocity[0], start.velocity[1], Heading::kVelocity);
      continue;
    }
    const Vec& last = start.places[start.places.size() - 1];
    for (std::size_t k = start.places.size() - 1; k-- > 0 && !start.has_frame();) {
      const Vec moved = minus(last, start.places[k]);
      if (std::hypot(moved[0], moved[1]) > kSlowest) ahead(start, moved[0], moved[1], Heading::kDisplacement);
    }
  }
  if (neighbours_ == Neighbours::kNone) return;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    FramesStart& start = starts_[i];
    if (!start.present || start.has_frame()) continue;
    // The mean direction to all neighbours: the nearest one alone would be a draw between equally near ones.
    double x = 0, y = 0, all = 0;
    const auto object = static_cast<std::int64_t>(i);
    for (std::int64_t j = system_begin(object); j < system_end(object); ++j) {
      const FramesStart& other = starts_[static_cast<std::size_t>(j)];
      if (j == object || !other.present) continue;
      const double d = distance(object, j), weight = std::exp(-d);
      const Vec to = minus(other.place, start.place);
      const double size = std::hypot(to[0], to[1]);
      if (d * shape_.pair_length >= shape_.radius || size == 0) continue;
      x += weight * to[0] / size, y += weight * to[1] / size, all += weight;
    }
    if (all > 0 && std::hypot(x, y) > kBalanced * all) ahead(start, x, y, Heading::kNeighbours);
  }
}

double FramesGeometry::distance(std::int64_t a, std::int64_t b) const {
  return norm(minus(starts_[static_cast<std::size_t>(a)].place, starts_[static_cast<std::size_t>(b)].place)) *
         shape_.length / shape_.pair_length;
}

// Ascending, so that sums do not depend on who is nearest.
std::vector<std::int64_t> FramesGeometry::sources_of(std::int64_t i) const {
  using Pairs = FramesShape::Pairs;
  if (!starts_[static_cast<std::size_t>(i)].has_frame() || neighbours_ == Neighbours::kNone) return {};
  const auto present = [&](std::int64_t j) { return j != i && starts_[static_cast<std::size_t>(j)].present; };
  std::vector<std::int64_t> related, out;
  if (shape_.pairs != Pairs::kNear)
    for (std::int64_t e = batch_.relation_offsets[i]; e < batch_.relation_offsets[i + 1]; ++e)
      if (present(batch_.relation_sources[e])) related.push_back(batch_.relation_sources[e]);
  std::sort(related.begin(), related.end());
  related.erase(std::unique(related.begin(), related.end()), related.end());
  std::vector<std::pair<double, std::int64_t>> near;
  if (shape_.pairs == Pairs::kRelated) {
    for (const std::int64_t j : related) near.emplace_back(distance(i, j), j);
  } else {
    for (std::int64_t j = system_begin(i); j < system_end(i); ++j)
      if (present(j) && distance(i, j) * shape_.pair_length < shape_.radius) near.emplace_back(distance(i, j), j);
  }
  const auto most = static_cast<std::ptrdiff_t>(std::min(near.size(), kMostNeighbours));
  std::partial_sort(near.begin(), near.begin() + most, near.end());
  for (auto n = near.begin(); n != near.begin() + most; ++n) out.push_back(n->second);
  if (shape_.pairs == Pairs::kNearAndListed) out.insert(out.end(), related.begin(), related.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void FramesGeometry::find_pairs() {
  const bool typed = shape_.pairs != FramesShape::Pairs::kNear;
  const auto types = static_cast<std::size_t>(model_.relation_types);
  for (std::int64_t i = 0; i < batch_.objects(); ++i) {
    const std::vector<std::int64_t> found = sources_of(i);
    pairs_.sources.insert(pairs_.sources.end(), found.begin(), found.end());
    pairs_.offsets.push_back(static_cast<std::int64_t>(pairs_.sources.size()));
    if (!typed) continue;
    const std::size_t before = pairs_.weights.size();
    pairs_.weights.resize(before + found.size() * types, 0.0);
    for (std::int64_t e = batch_.relation_offsets[i]; e < batch_.relation_offsets[i + 1]; ++e) {
      const auto at = std::lower_bound(found.begin(), found.end(), batch_.relation_sources[e]);
      if (at == found.end() || *at != batch_.relation_sources[e]) continue;
      pairs_.weights[before + static_cast<std::size_t>(at - found.begin()) * types +
                     static_cast<std::size_t>(batch_.relation_types[e])] += batch_.relation_weights[e];
    }
  }
}

bool FramesGeometry::is_listed(std::int64_t pair) const {
  if (shape_.pairs != FramesShape::Pairs::kNearAndListed) return false;
  const auto types = static_cast<std::ptrdiff_t>(model_.relation_types);
  const auto first = pairs_.weights.begin() + pair * types;
  return std::any_of(first, first + types, [](double weight) { return weight > 0; });
}

void FramesGeometry::append_history(std::int64_t object, std::vector<double>& to) const {
  const FramesStart& start = starts_[static_cast<std::size_t>(object)];
  const std::size_t axes = columns_.positions.size();
  const double last = start.places.empty() ? 0.0 : start.places.last_time();
  for (const double slot : shape_.slots) {
    const Track::Point place = start.places.at(last - slot), measured = start.velocities.at(last - slot);
    const bool moves = measured.known || place.sloped;
    const Vec velocity = measured.known ? measured.value : times(place.slope, shape_.time);
    append(place.known ? start.in_frame(cut(minus(place.value, start.place), kFarthest)) : Vec{}, axes, 0.5, to);
    append(moves ? start.in_frame(cut(velocity, kFastest)) : Vec{}, axes, 1.0, to);
    to.push_back(flag(place.known)), to.push_back(flag(moves));
    for (const Track& other : start.others) {
      const Track::Point point = other.at(last - slot);
      to.push_back(point.value[0]), to.push_back(flag(point.known));
    }
  }
  const Vec velocity = cut(start.velocity, kFastest);
  append(start.in_frame(velocity), axes, 1.0, to);
  append(start.in_frame(cut(start.base_velocity, kFastest)), axes, 1.0, to);
  to.push_back(norm(velocity));
  to.push_back(std::min(start.age, kOldest));
  for (const Heading heading : {Heading::kVelocity, Heading::kDisplacement, Heading::kNeighbours})
    to.push_back(flag(start.heading == heading));
  if (shape_.place) append_place(object, to);
}

// Where the object is in the world, and the world's first two axes in its frame: they tell its direction, and whether
// this is the mirror image.
void FramesGeometry::append_place(std::int64_t object, std::vector<double>& to) const {
  const FramesStart& start = starts_[static_cast<std::size_t>(object)];
  const FramesPlace& place = *shape_.place;
  const std::size_t axes = columns_.positions.size();
  const std::int64_t system = system_[static_cast<std::size_t>(object)];
  Vec away{};
  for (std::size_t a = 0; a < axes; ++a)
    away[a] = (batch_.centre[system * batch_.features + columns_.positions[a]] + start.place[a] * shape_.length -
               place.centre[a]) /
              place.extent;
  append(cut(away, kFarthestPlace), axes, flag(start.has_frame()), to);
  append(start.in_frame({1, 0, 0}), axes, 1.0, to);
  append(start.in_frame({0, 1, 0}), axes, 1.0, to);
}

void FramesGeometry::append_pair(std::int64_t receiver, std::int64_t pair, std::vector<double>& to) const {
  constexpr double kSoon = 8, kSlowClosing = 0.05, kTouching = 0.3, kLeast = 1e-3;
  const FramesStart &own = starts_[static_cast<std::size_t>(receiver)],
                    &other = starts_[static_cast<std::size_t>(pairs_.sources[static_cast<std::size_t>(pair)])];
  const std::size_t axes = columns_.positions.size();
  const double unit = shape_.length / shape_.pair_length;
  const Vec apart = minus(other.place, own.place), velocity = cut(minus(other.velocity, own.velocity), kFastest);
  const double d = std::max(norm(apart) * unit, kLeast);
  const double soon = std::clamp(-dot(apart, velocity) / (dot(velocity, velocity) + kSlowClosing), 0.0, kSoon);
  const Vec closest = {apart[0] + soon * velocity[0], apart[1] + soon * velocity[1], apart[2] + soon * velocity[2]};
  append(own.in_frame(cut(times(apart, unit), kFarthest)), axes, 1.0 / 3, to);
  append(own.in_frame(velocity), axes, 1.0, to);
  to.insert(to.end(), {1 / (d + kTouching), std::exp(-d / 2), soon / 4, std::exp(-norm(closest) * unit),
                       std::min(d, kFarthest) / 5});
  if (pairs_.weights.empty()) return;
  const auto types = static_cast<std::ptrdiff_t>(model_.relation_types);
  const auto first = pairs_.weights.begin() + pair * types;
  to.insert(to.end(), first, first + types);
}

std::vector<double> FramesGeometry::vector_signs(const FramesShape& shape) {
  std::vector<double> out(shape.positions.size(), 1.0);
  out[1] = -1.0;
  return out;
}

std::vector<double> FramesGeometry::history_signs(const FramesShape& shape) {
  const std::vector<double> vector = vector_signs(shape);
  const std::size_t others = FramesColumns(shape).others.size(), axes = vector.size();
  std::vector<double> out;
  for (std::size_t s = 0; s < shape.slots.size(); ++s) {
    for (int repeat = 0; repeat < 2; ++repeat) out.insert(out.end(), vector.begin(), vector.end());
    out.resize(out.size() + 2 + 2 * others, 1.0);
  }
  for (int repeat = 0; repeat < 2; ++repeat) out.insert(out.end(), vector.begin(), vector.end());
  out.resize(out.size() + 5, 1.0);
  if (!shape.place) return out;
  out.resize(out.size() + axes, 1.0);
  for (int repeat = 0; repeat < 2; ++repeat) out.insert(out.end(), vector.begin(), vector.end());
  return out;
}

std::vector<double> FramesGeometry::pair_signs(const ModelShape& shape) {
  const std::vector<double> vector = vector_signs(*shape.frames);
  std::vector<double> out;
  for (int repeat = 0; repeat < 2; ++repeat) out.insert(out.end(), vector.begin(), vector.end());
  out.resize(out.size() + 5, 1.0);
  if (shape.frames->pairs != FramesShape::Pairs::kNear)
    out.resize(out.size() + static_cast<std::size_t>(shape.relation_types), 1.0);
  return out;
}

Vec fastest(const Vec& velocity) { return cut(velocity, kFastest); }

std::vector<float> frames_base(const FramesShape& shape, const data::Batch& batch) {
  return classical(shape, base_kind(shape), batch);
}

std::vector<double> frames_base_places(const FramesShape& shape, const data::Batch& batch, std::int64_t steps) {
  std::vector<double> times;
  for (std::int64_t k = 0; k <= steps; ++k) times.push_back(static_cast<double>(k) * shape.step);
  const std::vector<float> path = frames_base(shape, probe(batch, times));
  std::vector<double> out;
  for (std::int64_t k = 0; k <= steps; ++k)
    for (std::int64_t i = 0; i < batch.objects(); ++i)
      for (const std::int64_t f : shape.positions)
        out.push_back(path[(i * (steps + 1) + k) * batch.features + f] * shape.scale[f] / shape.length);
  return out;
}

}  // namespace lgode::model
