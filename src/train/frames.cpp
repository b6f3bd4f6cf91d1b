// Measures the training part of a scene, and compares the classical paths on the validation part.
#include "frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "lgode/core/error.h"
#include "lgode/core/methods.h"
#include "lgode/data/classical/classical.h"
#include "lgode/eval/metrics.h"
#include "lgode/eval/run_info.h"

namespace lgode::train {
namespace {

constexpr std::size_t kSlots = 8;
constexpr double kTausPerForecast = 5, kStepsPerForecast = 30, kRadius = 10;  // radius: in pair lengths
constexpr std::size_t kMostMoves = 1'000'000;
constexpr std::int64_t kMostScenes = 500;

// At most so many systems, evenly spaced.
std::vector<std::int64_t> some_of(const std::vector<std::int64_t>& systems, std::int64_t most) {
  const auto all = static_cast<std::int64_t>(systems.size()), count = std::min(all, most);
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(systems[static_cast<std::size_t>(i * all / count)]);
  return out;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Distance between two rows in these features; NaN where a value is missing.
double distance(std::span<const double> a, std::span<const double> b, const std::vector<int>& features) {
  double square = 0;
  for (const int f : features) {
    const double moved = a[static_cast<std::size_t>(f)] - b[static_cast<std::size_t>(f)];
    square += moved * moved;
  }
  return std::sqrt(square);
}

// Root of the mean squared speed between neighbouring rows, physical; 0 where nothing moves.
double typical_speed(const data::Dataset& set, const std::vector<std::int64_t>& systems,
                     const std::vector<int>& positions) {
  double squares = 0;
  std::size_t count = 0;
  const auto width = static_cast<std::size_t>(set.features());
  for (const std::int64_t s : systems) {
    for (std::int64_t i = set.first_object(s); i < set.first_object(s) + set.objects_of(s); ++i) {
      const auto times = set.times_of(i);
      const auto values = set.values_of(i);
      for (std::size_t k = 1; k < times.size(); ++k) {
        const double gap = times[k] - times[k - 1];
        const double moved =
            distance(values.subspan(k * width, width), values.subspan((k - 1) * width, width), positions);
        if (gap > 0 && std::isfinite(moved)) squares += moved * moved / (gap * gap), ++count;
      }
    }
    if (count > kMostMoves) break;
  }
  return count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0.0;
}

// Of one scene: how far ahead it is asked for, and the distance of each object from the nearest other one at its start.
struct SceneSizes {
  std::vector<double> horizons, nearest;

  void add(const data::BatchMaker& maker, std::int64_t system, const std::vector<int>& positions, double memory) {
    const data::Scene scene = maker.scene(system, data::View::kValidate);
    if (const double horizon = maker.horizon(scene); horizon > 0) horizons.push_back(horizon);
    std::vector<std::span<const double>> last;
    for (std::size_t i = 0; i < scene.context.objects(); ++i) {
      if (scene.context[i].empty()) continue;
      const auto object = static_cast<std::int64_t>(i);
      const data::RowIndex k = scene.context[i].back();
      const double age =
          (scene.start - scene.source.times_of(object)[static_cast<std::size_t>(k)]) / maker.clock().time_scale;
      if (age <= memory) last.push_back(scene.source.row(object, k));
    }
    for (std::size_t i = 0; i < last.size(); ++i) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < last.size(); ++j)
        if (const double d = i == j ? NAN : distance(last[i], last[j], positions); d > 0) least = std::min(least, d);
      if (std::isfinite(least)) nearest.push_back(least);
    }
  }
};

// Times before an object's last observation: a gap apart or, so that they reach back over `span`, farther apart the
// older they are.
std::vector<double> slots_over(double gap, double span) {
  const auto reach = [&](double ratio) {
    double sum = 0;
    for (std::size_t k = 0; k + 1 < kSlots; ++k) sum += gap * std::pow(ratio, k);
    return sum;
  };
  double low = 1, high = 1;
  while (reach(high) < span && high < 1e6) high *= 2;
  for (int i = 0; i < 60 && high > 1; ++i) (reach(0.5 * (low + high)) < span ? low : high) = 0.5 * (low + high);
  std::vector<double> out{0.0};
  for (std::size_t k = 0; k + 1 < kSlots; ++k) out.push_back(out.back() + gap * std::pow(high, k));
  return out;
}

// The mean position of all rows, and the root of their mean squared distance from it.
model::FramesPlace place_of(const data::Dataset& set, const std::vector<std::int64_t>& systems,
                            const std::vector<int>& positions) {
  model::FramesPlace out;
  double squares = 0;
  const auto width = static_cast<std::size_t>(set.features());
  for (const int f : positions) {
    double sum = 0, square = 0;
    std::size_t count = 0;
    for (const std::int64_t s : systems)
      for (std::int64_t i = set.first_object(s); i < set.first_object(s) + set.objects_of(s); ++i) {
        const auto values = set.values_of(i);
        for (std::size_t at = static_cast<std::size_t>(f); at < values.size(); at += width)
          if (const double x = values[at]; std::isfinite(x)) sum += x, square += x * x, ++count;
      }
    const double mean = count > 0 ? sum / static_cast<double>(count) : 0.0;
    out.centre.push_back(mean);
    if (count > 0) squares += std::max(0.0, square / static_cast<double>(count) - mean * mean);
  }
  if (squares > 0) out.extent = std::sqrt(squares);
  return out;
}

// A fit that is the same in every direction of the plane: the mean damping, and the geometric means of the variances in
// one physical unit.
data::ClassicalFit without_direction(data::ClassicalFit fit, const std::vector<int>& positions,
                                     const std::vector<double>& scale) {
  const auto x = static_cast<std::size_t>(positions[0]), y = static_cast<std::size_t>(positions[1]);
  if (!fit.damping.empty()) fit.damping[x] = fit.damping[y] = 0.5 * (fit.damping[x] + fit.damping[y]);
  if (fit.noise.empty()) fit.noise.resize(scale.size());
  const auto pool = [&](double data::WienerNoise::*part) {
    const double physical =
        std::sqrt(fit.noise[x].*part * scale[x] * scale[x]) * std::sqrt(fit.noise[y].*part * scale[y] * scale[y]);
    for (const std::size_t f : {x, y}) fit.noise[f].*part = physical / (scale[f] * scale[f]);
  };
  for (double data::WienerNoise::*part : {&data::WienerNoise::drive, &data::WienerNoise::position,
                                          &data::WienerNoise::velocity, &data::WienerNoise::speed})
    pool(part);
  return fit;
}

// The classical path with the lowest error on the validation part; without one, on a part of the training part.
std::string best_base(const data::BatchMaker& maker, const data::Parts& parts, const data::ClassicalFit& fit,
                      std::vector<std::string>* why) {
  const std::vector<std::int64_t> systems =
      parts.validation.empty() ? some_of(parts.train, kMostScenes) : parts.validation;
  const data::View view = parts.validation.empty() ? data::View::kValidate : eval::validation_view(maker.task());
  std::vector<Classical> kinds{Classical::kConstantVelocity, Classical::kKalman, Classical::kHold};
  if (!fit.damping.empty()) kinds.push_back(Classical::kDampedVelocity);
  std::vector<eval::ScoreKeeper> keepers(kinds.size(),
                                         {maker.normalisation(), maker.clock().time_scale, maker.target_span(view)});
  for (const std::int64_t system : systems) {
    const data::Batch batch = maker.make({system}, view);
    if (batch.systems() == 0 || !batch.asks_something()) continue;
    for (std::size_t k = 0; k < kinds.size(); ++k)
      keepers[k].add(batch, data::predict_classical(kinds[k], batch, maker.dataset().description().features,
                                                    maker.normalisation(), maker.clock().time_scale, fit)
                                .data());
  }
  std::size_t best = 0;
  std::string errors;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const double error = keepers[k].scores().mse;
    if (error < keepers[best].scores().mse) best = k;
    errors += fmt::format("{}{} {:.4f}", k == 0 ? "" : ", ", classical_method(kinds[k]).name, 100 * error);
  }
  if (why != nullptr)
    why->push_back(fmt::format("base path: {}, of the lowest error on {} ({})", classical_method(kinds[best]).name,
                               parts.validation.empty() ? "training systems" : "the validation part", errors));
  return std::string(classical_method(kinds[best]).key);
}

model::FramesShape::Pairs pairs_of(const data::EdgeRule& rule, std::int64_t relations) {
  using Pairs = model::FramesShape::Pairs;
  if (rule.kind == data::EdgeRule::Kind::kAll) return Pairs::kNear;
  if (rule.kind == data::EdgeRule::Kind::kListed) return relations > 0 ? Pairs::kNearAndListed : Pairs::kNear;
  return Pairs::kRelated;
}

// Frame and neighbours.
void describe(const model::FramesShape& shape, model::Neighbours neighbours, std::vector<std::string>& lines) {
  const std::string unit = shape.features[static_cast<std::size_t>(shape.positions.front())].unit;
  lines.insert(lines.begin(),
               "model: frames, each object in its own frame, along its velocity at the start of a forecast");
  if (neighbours == model::Neighbours::kNone) {
    lines.emplace_back("neighbours: none");
    return;
  }
  const char* who = shape.pairs == model::FramesShape::Pairs::kRelated ? "the 16 nearest related objects"
                    : shape.pairs == model::FramesShape::Pairs::kNearAndListed
                        ? "the 16 nearest objects and all related ones"
                        : "the 16 nearest objects";
  const std::string radius =
      shape.pairs == model::FramesShape::Pairs::kRelated
          ? std::string()
          : fmt::format(" within {:.3g} {}, {:.0f} times the typical distance of the nearest one", shape.radius,
                        unit.empty() ? "units" : unit, kRadius);
  lines.push_back(fmt::format("neighbours: {}{}; {}", who, radius,
                              neighbours == model::Neighbours::kMoving
                                  ? "where they are at every step (`neighbours` frozen: at the start, faster)"
                                  : "what they did until the start (`neighbours` moving: at every step, slower)"));
}

}  // namespace

void check_for_frames(const data::Dataset& dataset) {
  const std::vector<data::Feature>& features = dataset.description().features;
  const std::vector<int> positions = data::position_features(features);
  if (positions.size() < 2 || positions.size() > 3)
    throw DataError(
        fmt::format("`model` frames needs two or three position features, such as x and y; the data set has {}: name "
                    "the positions by their velocities at the import, or use `model` assimilate",
                    positions.size()));
  const data::Feature& first = features[static_cast<std::size_t>(positions.front())];
  for (const int f : positions)
    if (const data::Feature& other = features[static_cast<std::size_t>(f)]; other.unit != first.unit)
      throw DataError(
          fmt::format("`model` frames needs positions in one unit: {} is in '{}', {} in '{}'; use `model` assimilate",
                      first.name, first.unit, other.name, other.unit));
}

model::FramesShape frames_shape(const data::BatchMaker& maker, const data::Parts& parts, double typical_gap,
                                double memory, const data::ClassicalFit& fit, const model::ModelOptions& model,
                                std::vector<std::string>* why) {
  const data::Dataset& set = maker.dataset();
  const std::vector<int> positions = data::position_features(set.description().features);
  const std::vector<double>& scale = maker.normalisation().scale;
  model::FramesShape out;
  out.features = set.description().features;
  out.scale = scale;
  out.time_scale = maker.clock().time_scale;
  out.positions.assign(positions.begin(), positions.end());
  out.fit = without_direction(fit, positions, scale);
  out.base = best_base(maker, parts, out.fit, why);
  SceneSizes sizes;
  for (const std::int64_t s : some_of(parts.train, kMostScenes)) sizes.add(maker, s, positions, memory);
  const double horizon = sizes.horizons.empty() ? 1.0 : median(sizes.horizons);
  const double gap = typical_gap > 0 ? typical_gap / out.time_scale : horizon / kStepsPerForecast;
  out.time = horizon / kTausPerForecast;
  out.length = typical_speed(set, parts.train, positions) * out.time_scale * out.time;
  if (!(out.length > 0)) out.length = scale[static_cast<std::size_t>(positions.front())];
  out.pair_length = sizes.nearest.empty() ? out.length : median(sizes.nearest);
  out.radius = kRadius * out.pair_length;
  out.step = std::clamp(gap, horizon / kStepsPerForecast, horizon);
  out.slots = slots_over(gap, std::min(maker.context_span(), memory));
  out.pairs = pairs_of(set.description().edges, set.relations());
  if (model.place == model::Place::kOn) out.place = place_of(set, parts.train, positions);
  if (why != nullptr) describe(out, model.neighbours, *why);
  return out;
}

}  // namespace lgode::train
