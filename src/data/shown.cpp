// Collects the shown rows of a system and derives velocities, means and relations from them.
#include "shown.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lgode::data {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void add_relation(Batch& batch, std::int64_t source, std::int32_t type, float weight) {
  batch.relation_sources.push_back(source);
  batch.relation_types.push_back(type);
  batch.relation_weights.push_back(weight);
}

void end_target(Batch& batch) {
  batch.relation_offsets.push_back(static_cast<std::int64_t>(batch.relation_sources.size()));
}

}  // namespace

void Shown::reserve(std::size_t objects, std::size_t rows) {
  objects_.reserve(objects), offsets_.reserve(objects + 1);
  times_.reserve(rows);
  values_.reserve(rows * static_cast<std::size_t>(dataset_.features()));
}

void Shown::add_object(std::int64_t object, std::span<const std::int64_t> rows) {
  const std::int64_t index = dataset_.first_object(system_) + object;
  const std::span<const double> times = dataset_.times_of(index), values = dataset_.values_of(index);
  const auto width = static_cast<std::size_t>(dataset_.features());
  for (std::size_t i = 0, next = 0; i < rows.size(); i = next) {  // runs of neighbouring rows
    if (rows.back() - rows[i] == static_cast<std::int64_t>(rows.size() - 1 - i)) next = rows.size();
    while (next < rows.size() && rows[next] == rows[i] + static_cast<std::int64_t>(next - i)) ++next;
    const auto from = static_cast<std::size_t>(rows[i]);
    const auto run = times.subspan(from, next - i), row = values.subspan(from * width, (next - i) * width);
    times_.insert(times_.end(), run.begin(), run.end());
    values_.insert(values_.end(), row.begin(), row.end());
  }
  objects_.push_back(object);
  offsets_.push_back(times_.size());
}

std::span<const double> Shown::times(std::size_t n) const {
  return std::span(times_).subspan(offsets_[n], offsets_[n + 1] - offsets_[n]);
}

std::span<const double> Shown::values(std::size_t n) const {
  const auto width = static_cast<std::size_t>(dataset_.features());
  return std::span(values_).subspan(offsets_[n] * width, (offsets_[n + 1] - offsets_[n]) * width);
}

void Shown::hide(double share, Random random) {
  const auto width = static_cast<std::size_t>(dataset_.features());
  for (std::size_t row = 0; row < times_.size(); ++row) {
    const auto values = std::span(values_).subspan(row * width, width);
    auto left = std::count_if(values.begin(), values.end(), [](double x) { return !std::isnan(x); });
    for (double& value : values) {
      if (std::isnan(value)) continue;
      const bool hidden = random.uniform(0.0, 1.0) < share;
      if (!hidden || left == 1) continue;
      value = kNaN;
      --left;
    }
  }
}

void Shown::derive(bool both_sides, std::optional<double> leave) {
  const std::vector<Feature>& features = dataset_.description().features;
  const std::size_t width = features.size();
  std::vector<std::size_t> rows;  // of one object that show the position
  for (std::size_t f = 0; f < width; ++f) {
    if (!features[f].derived) continue;
    const auto position = static_cast<std::size_t>(features[f].velocity_of);
    const auto slope = [&](std::size_t a, std::size_t b) {
      return (values_[b * width + position] - values_[a * width + position]) / (times_[b] - times_[a]);
    };
    for (std::size_t n = 0; n < objects_.size(); ++n) {
      rows.clear();
      for (std::size_t row = offsets_[n]; row < offsets_[n + 1]; ++row)
        if (!std::isnan(values_[row * width + position])) rows.push_back(row);
      for (std::size_t k = 0; k < rows.size() && rows.size() > 1; ++k) {
        double& out = values_[rows[k] * width + f];
        if (k == 0) {
          if (!leave) out = slope(rows[0], rows[1]);
        } else if (leave && times_[rows[k]] - times_[rows[k - 1]] > *leave) {
          continue;
        } else if (!both_sides || k + 1 == rows.size()) {
          out = slope(rows[k - 1], rows[k]);
        } else {
          const double before = times_[rows[k]] - times_[rows[k - 1]], after = times_[rows[k + 1]] - times_[rows[k]];
          out = (after * slope(rows[k - 1], rows[k]) + before * slope(rows[k], rows[k + 1])) / (before + after);
        }
      }
    }
  }
}

std::vector<double> Shown::mean() const {
  const auto width = static_cast<std::size_t>(dataset_.features());
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

std::vector<double> Shown::first_mean() const {
  const auto width = static_cast<std::size_t>(dataset_.features());
  std::vector<double> first(width, std::numeric_limits<double>::infinity()), sum(width, 0.0);
  std::vector<std::int64_t> count(width, 0);
  for (std::size_t at = 0; at < values_.size(); ++at) {
    const std::size_t f = at % width;
    const double time = times_[at / width];
    if (std::isnan(values_[at]) || time > first[f]) continue;
    if (time < first[f]) first[f] = time, sum[f] = 0, count[f] = 0;
    sum[f] += values_[at];
    ++count[f];
  }
  for (std::size_t f = 0; f < width; ++f)
    if (count[f] > 0) sum[f] /= static_cast<double>(count[f]);
  return sum;
}

void Shown::append_relations(Batch& batch, bool last_positions) const {
  switch (dataset_.description().edges.kind) {
    case EdgeRule::Kind::kListed:
      return append_listed(batch);
    case EdgeRule::Kind::kAll:
      return append_all(batch);
    case EdgeRule::Kind::kNearest:
    case EdgeRule::Kind::kWithin:
      return append_near(batch, last_positions);
  }
}

void Shown::append_listed(Batch& batch) const {
  std::vector<std::int64_t> place(static_cast<std::size_t>(dataset_.objects_of(system_)), -1);
  for (std::size_t n = 0; n < objects_.size(); ++n)
    place[static_cast<std::size_t>(objects_[n])] = static_cast<std::int64_t>(n);
  // Source and target as places among the objects here.
  std::vector<Relation> relations;
  relations.reserve(static_cast<std::size_t>(dataset_.relations_of(system_)));
  for (std::int64_t e = 0; e < dataset_.relations_of(system_); ++e) {
    Relation r = dataset_.relation(dataset_.first_relation(system_) + e);
    const std::int64_t source = place[static_cast<std::size_t>(r.source)],
                       target = place[static_cast<std::size_t>(r.target)];
    if (source < 0 || target < 0) continue;
    r.source = static_cast<std::int32_t>(source), r.target = static_cast<std::int32_t>(target);
    relations.push_back(r);
  }
  const auto before = [](const Relation& a, const Relation& b) { return a.target < b.target; };
  if (!std::is_sorted(relations.begin(), relations.end(), before))
    std::stable_sort(relations.begin(), relations.end(), before);
  const std::int64_t base = batch.object_offsets.back();
  auto next = relations.begin();
  for (std::size_t n = 0; n < objects_.size(); ++n) {
    for (; next != relations.end() && next->target == static_cast<std::int32_t>(n); ++next)
      add_relation(batch, base + next->source, next->type, next->weight);
    end_target(batch);
  }
}

void Shown::append_all(Batch& batch) const {
  const std::int64_t base = batch.object_offsets.back(), count = static_cast<std::int64_t>(objects_.size());
  for (std::int64_t target = 0; target < count; ++target) {
    for (std::int64_t source = 0; source < count; ++source)
      if (source != target) add_relation(batch, base + source, 0, 1.0F);
    end_target(batch);
  }
}

std::vector<double> Shown::places(bool last) const {
  const std::vector<int>& positions = dataset_.description().edges.positions;
  const auto width = static_cast<std::size_t>(dataset_.features());
  std::vector<double> places;
  for (std::size_t n = 0; n < objects_.size(); ++n) {
    for (const int position : positions) {
      double sum = 0, latest = kNaN;
      std::int64_t count = 0;
      for (std::size_t row = offsets_[n]; row < offsets_[n + 1]; ++row) {
        const double value = values_[row * width + static_cast<std::size_t>(position)];
        if (std::isnan(value)) continue;
        latest = value;
        sum += value;
        ++count;
      }
      places.push_back(last || count == 0 ? latest : sum / static_cast<double>(count));
    }
  }
  return places;
}

void Shown::append_near(Batch& batch, bool last_positions) const {
  const EdgeRule& rule = dataset_.description().edges;
  const std::vector<double> place = places(last_positions);
  const std::size_t count = objects_.size(), axes = rule.positions.size();
  const std::int64_t base = batch.object_offsets.back();
  const double most = rule.radius * rule.radius;
  std::vector<std::pair<double, std::size_t>> near;  // squared distance, source
  for (std::size_t target = 0; target < count; ++target) {
    near.clear();
    for (std::size_t source = 0; source < count; ++source) {
      double square = 0;
      for (std::size_t a = 0; a < axes; ++a) {
        const double difference = place[source * axes + a] - place[target * axes + a];
        square += difference * difference;
      }
      // An object without a position (NaN) is near to none.
      const bool in = rule.kind == EdgeRule::Kind::kWithin ? square <= most : !std::isnan(square);
      if (in && source != target) near.emplace_back(square, source);
    }
    if (rule.kind == EdgeRule::Kind::kNearest) {
      const std::size_t keep = std::min(static_cast<std::size_t>(rule.neighbours), near.size());
      std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(keep), near.end());
      near.resize(keep);
    }
    for (const auto& [square, source] : near) add_relation(batch, base + static_cast<std::int64_t>(source), 0, 1.0F);
    end_target(batch);
  }
}

}  // namespace lgode::data
