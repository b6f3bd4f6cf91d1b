// Collects the context rows of a scene and derives velocities, means and relations from them.
#include "lgode/data/scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lgode/core/hermite.h"
#include "lgode/data/observed_rows.h"
#include "lgode/data/relation_rule.h"

namespace lgode::data {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double slope(const Sighting& a, const Sighting& b) { return (b.position - a.position) / (b.time - a.time); }

}  // namespace

bool SceneSource::is_empty(std::int64_t object, std::int64_t k) const { return !has_value(row(object, k)); }

std::vector<Relation> SceneSource::relations() const {
  std::vector<Relation> out;
  out.reserve(relation_sources.size());
  for (std::size_t e = 0; e < relation_sources.size(); ++e)
    out.push_back({relation_sources[e], relation_targets[e], relation_types[e], relation_weights[e]});
  return out;
}

SceneSource source_of(const Dataset& dataset, std::int64_t system) {
  const Dataset::Arrays& a = dataset.arrays();
  const auto first = static_cast<std::size_t>(dataset.first_object(system)),
             objects = static_cast<std::size_t>(dataset.objects_of(system)),
             relation = static_cast<std::size_t>(dataset.first_relation(system)),
             relations = static_cast<std::size_t>(dataset.relations_of(system));
  return {.offsets = a.observation_offsets.subspan(first, objects + 1),
          .times = a.times,
          .values = a.values,
          .relation_sources = a.relation_sources.subspan(relation, relations),
          .relation_targets = a.relation_targets.subspan(relation, relations),
          .relation_types = a.relation_types.subspan(relation, relations),
          .relation_weights = a.relation_weights.subspan(relation, relations),
          .origin = dataset.origin(system),
          .features = static_cast<std::size_t>(dataset.features()),
          .has_empty_rows = dataset.empty_rows() > 0};
}

std::optional<TimeSpan> observed_span(const SceneSource& source) {
  std::optional<TimeSpan> span;
  for (std::int64_t i = 0; i < source.objects(); ++i) {
    const std::span<const double> times = source.times_of(i);
    auto begin = std::int64_t{0}, end = static_cast<std::int64_t>(times.size());
    if (source.has_empty_rows) {
      while (begin < end && source.is_empty(i, begin)) ++begin;
      while (end > begin && source.is_empty(i, end - 1)) --end;
    }
    if (begin == end) continue;
    const double first = times[static_cast<std::size_t>(begin)], last = times[static_cast<std::size_t>(end - 1)];
    span = span ? TimeSpan{std::min(span->first, first), std::max(span->last, last)} : TimeSpan{first, last};
  }
  return span;
}

double velocity_since(const Sighting& before, const Sighting& now, double leave, const OutlierGate* gate,
                      std::size_t feature) {
  const double elapsed = now.time - before.time;
  const bool jumps = gate != nullptr && !gate->allows(feature, elapsed, now.position - before.position);
  return elapsed <= leave && !jumps ? slope(before, now) : kNaN;
}

void FirstMean::add(double time, std::span<const double> values) {
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (std::isnan(values[f]) || time > time_[f]) continue;
    if (time < time_[f]) time_[f] = time, sum_[f] = 0, count_[f] = 0;
    sum_[f] += values[f];
    ++count_[f];
  }
}

void SceneContext::reserve(std::size_t objects, std::size_t rows) {
  objects_.reserve(objects), offsets_.reserve(objects + 1);
  times_.reserve(rows);
  values_.reserve(rows * source_.features);
}

void SceneContext::add_object(std::int64_t object, std::span<const RowIndex> rows) {
  const std::span<const double> times = source_.times_of(object), values = source_.values_of(object);
  const std::size_t width = source_.features;
  for (std::size_t i = 0, next = 0; i < rows.size(); i = next) {  // runs of neighbouring rows
    if (rows.back() - rows[i] == static_cast<RowIndex>(rows.size() - 1 - i)) next = rows.size();
    while (next < rows.size() && rows[next] == rows[i] + static_cast<RowIndex>(next - i)) ++next;
    const auto from = static_cast<std::size_t>(rows[i]);
    const auto run = times.subspan(from, next - i), row = values.subspan(from * width, (next - i) * width);
    times_.insert(times_.end(), run.begin(), run.end());
    values_.insert(values_.end(), row.begin(), row.end());
  }
  objects_.push_back(object);
  offsets_.push_back(times_.size());
}

std::span<const double> SceneContext::times(std::size_t n) const {
  return std::span(times_).subspan(offsets_[n], offsets_[n + 1] - offsets_[n]);
}

std::span<const double> SceneContext::values(std::size_t n) const {
  const std::size_t width = source_.features;
  return std::span(values_).subspan(offsets_[n] * width, (offsets_[n + 1] - offsets_[n]) * width);
}

void SceneContext::mask(double share, Random random) {
  const std::size_t width = source_.features;
  for (std::size_t row = 0; row < times_.size(); ++row) {
    const auto values = std::span(values_).subspan(row * width, width);
    auto left = std::count_if(values.begin(), values.end(), [](double x) { return !std::isnan(x); });
    for (double& value : values) {
      if (std::isnan(value)) continue;
      const bool masked = random.uniform(0.0, 1.0) < share;
      if (!masked || left == 1) continue;
      value = kNaN;
      --left;
    }
  }
}

void SceneContext::derive(bool both_sides, std::optional<double> leave, const OutlierGate* gate) {
  const std::size_t width = features_.size();
  const double longest = leave.value_or(std::numeric_limits<double>::infinity());
  std::vector<std::size_t> rows;  // of one object with a position
  for (std::size_t f = 0; f < width; ++f) {
    if (!features_[f].derived) continue;
    const auto position = static_cast<std::size_t>(features_[f].velocity_of);
    const auto at = [&](std::size_t k) { return Sighting{times_[rows[k]], values_[rows[k] * width + position]}; };
    const auto since = [&](std::size_t k) { return velocity_since(at(k - 1), at(k), longest, gate, position); };
    for (std::size_t n = 0; n < objects_.size(); ++n) {
      rows.clear();
      for (std::size_t row = offsets_[n]; row < offsets_[n + 1]; ++row)
        if (!std::isnan(values_[row * width + position])) rows.push_back(row);
      for (std::size_t k = 0; k < rows.size() && rows.size() > 1; ++k) {
        double& out = values_[rows[k] * width + f];
        if (k == 0) {
          if (!leave) out = since(1);
          continue;
        }
        out = since(k);
        if (!both_sides || k + 1 == rows.size()) continue;
        if (const double after = since(k + 1); std::isnan(out))
          out = leave ? kNaN : after;
        else if (!std::isnan(after))
          out = parabola_slope(at(k).time - at(k - 1).time, at(k + 1).time - at(k).time, out, after);
      }
    }
  }
}

std::vector<double> SceneContext::mean() const {
  const std::size_t width = source_.features;
  std::vector<double> sum(width, 0.0);
  std::vector<std::int64_t> count(width, 0);
  for (std::size_t row = 0; row < times_.size(); ++row)
    for (std::size_t f = 0; f < width; ++f) {
      const double value = values_[row * width + f];
      if (std::isnan(value)) continue;
      sum[f] += value;
      ++count[f];
    }
  for (std::size_t f = 0; f < width; ++f)
    if (count[f] > 0) sum[f] /= static_cast<double>(count[f]);
  return sum;
}

std::vector<double> SceneContext::first_mean() const {
  const std::size_t width = source_.features;
  FirstMean mean(width);
  for (std::size_t row = 0; row < times_.size(); ++row)
    mean.add(times_[row], std::span(values_).subspan(row * width, width));
  std::vector<double> out(width);
  for (std::size_t f = 0; f < width; ++f) out[f] = mean[f];
  return out;
}

std::vector<double> SceneContext::positions(const std::vector<int>& position_features, bool last) const {
  const std::size_t width = source_.features;
  std::vector<double> out;
  for (std::size_t n = 0; n < objects_.size(); ++n) {
    for (const int position : position_features) {
      double sum = 0, latest = kNaN;
      std::int64_t count = 0;
      for (std::size_t row = offsets_[n]; row < offsets_[n + 1]; ++row) {
        const double value = values_[row * width + static_cast<std::size_t>(position)];
        if (std::isnan(value)) continue;
        latest = value;
        sum += value;
        ++count;
      }
      out.push_back(last || count == 0 ? latest : sum / static_cast<double>(count));
    }
  }
  return out;
}

std::vector<Relation> SceneContext::relations(const EdgeRule& rule, std::vector<Relation> listed,
                                              bool last_positions) const {
  if (rule.kind == EdgeRule::Kind::kListed) {
    std::vector<std::int32_t> place(static_cast<std::size_t>(source_.objects()), -1);
    for (std::size_t n = 0; n < objects_.size(); ++n)
      place[static_cast<std::size_t>(objects_[n])] = static_cast<std::int32_t>(n);
    return relations_among(std::move(listed), place);
  }
  const bool near = rule.kind != EdgeRule::Kind::kAll;
  return relations_by_rule(rule, objects_.size(),
                           near ? positions(rule.positions, last_positions) : std::vector<double>());
}

}  // namespace lgode::data
