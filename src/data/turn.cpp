// Draws an angle and a factor per system, rotates values and masks, and multiplies.
#include "lgode/data/turn.h"

#include <fmt/format.h>

#include <cmath>

#include "lgode/core/error.h"
#include "lgode/core/random.h"

namespace lgode::data {
namespace {

std::vector<int> velocities_of(const std::vector<Feature>& features, int position) {
  std::vector<int> found;
  for (std::size_t v = 0; v < features.size(); ++v)
    if (features[v].velocity_of == position) found.push_back(static_cast<int>(v));
  return found;
}

// Rows of one system in the flat arrays [rows, features] of a batch.
struct Rows {
  std::vector<float>& values;
  std::vector<float>& mask;
  std::int64_t begin, end;
};

// x' = xx x + xy y, y' = yx x + yy y
struct Matrix {
  double xx, xy, yx, yy;
};

Matrix matrix_of(double c, double s, bool mirror) { return {c, mirror ? s : -s, s, mirror ? -c : c}; }

bool has_half_a_pair(const Rows& rows, const TurnedPairs& pairs, std::int64_t features) {
  for (std::int64_t r = rows.begin; r < rows.end; ++r)
    for (const auto& [x, y] : pairs)
      if (rows.mask[r * features + x] != rows.mask[r * features + y]) return true;
  return false;
}

void turn(const Rows& rows, const TurnedPairs& pairs, std::int64_t features, const std::vector<double>& scale,
          const Matrix& m) {
  for (std::int64_t r = rows.begin; r < rows.end; ++r)
    for (const auto& [x, y] : pairs) {
      const std::int64_t at_x = r * features + x, at_y = r * features + y;
      const double ratio = scale[static_cast<std::size_t>(y)] / scale[static_cast<std::size_t>(x)];
      const double a = rows.values[at_x], b = rows.values[at_y];
      rows.values[at_x] = static_cast<float>(m.xx * a + m.xy * ratio * b);
      rows.values[at_y] = static_cast<float>(m.yx / ratio * a + m.yy * b);
      if (m.xx == 0) std::swap(rows.mask[at_x], rows.mask[at_y]);  // by a right angle
    }
}

}  // namespace

TurnedPairs turned_pairs(const std::vector<Feature>& features) {
  const std::vector<int> positions = position_features(features);
  const auto name = [&](int f) { return features[static_cast<std::size_t>(f)].name; };
  const auto unit = [&](int f) { return features[static_cast<std::size_t>(f)].unit; };
  if (positions.size() != 2)
    throw ConfigError(fmt::format("`turn` needs two position features, x and y; the data set has {}; use `turn` none",
                                  positions.size()));
  if (unit(positions[0]) != unit(positions[1]))
    throw ConfigError(fmt::format("`turn` needs positions in one unit: {} is in '{}', {} in '{}'; use `turn` none",
                                  name(positions[0]), unit(positions[0]), name(positions[1]), unit(positions[1])));
  TurnedPairs pairs = {{positions[0], positions[1]}};
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [x, y] = pairs[k];
    const std::vector<int> vx = velocities_of(features, x), vy = velocities_of(features, y);
    if (vx.size() != vy.size())
      throw ConfigError(
          fmt::format("`turn` needs as many velocities of {} as of {}: there are {} and {}; use `turn` none", name(x),
                      name(y), vx.size(), vy.size()));
    for (std::size_t v = 0; v < vx.size(); ++v) pairs.emplace_back(vx[v], vy[v]);
  }
  return pairs;
}

void turn(Batch& batch, const TurnedPairs& pairs, const Normalisation& normalisation, std::uint64_t seed,
          std::int64_t step) {
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    const std::int64_t first = batch.object_offsets[b], end = batch.object_offsets[b + 1];
    const Rows parts[] = {
        {batch.observation_values, batch.observation_mask, batch.observation_offsets[first],
         batch.observation_offsets[end]},
        {batch.target_values, batch.target_mask, batch.target_offsets[first], batch.target_offsets[end]}};
    Random random(seed, RandomUse::kTurn,
                  {static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(batch.system[b])});
    const bool mirror = random.coin();
    Matrix m{};
    if (has_half_a_pair(parts[0], pairs, batch.features) || has_half_a_pair(parts[1], pairs, batch.features)) {
      const std::uint64_t quarters = random.below(4);
      m = matrix_of(quarters == 0 ? 1 : quarters == 2 ? -1 : 0, quarters == 1 ? 1 : quarters == 3 ? -1 : 0, mirror);
    } else {
      // The direction of a normal point is uniform, and needs no functions whose last bits depend on the machine.
      const double x = random.normal(), y = random.normal(), length = std::sqrt(x * x + y * y);
      m = length > 0 ? matrix_of(x / length, y / length, mirror) : matrix_of(1, 0, mirror);
    }
    for (const Rows& rows : parts) turn(rows, pairs, batch.features, normalisation.scale, m);
  }
}

std::vector<int> resized_features(const std::vector<Feature>& features) {
  std::vector<int> out = position_features(features);
  for (std::size_t k = 0; k < out.size(); ++k)
    for (const int v : velocities_of(features, out[k])) out.push_back(v);
  return out;
}

void resize(Batch& batch, const std::vector<int>& features, double most, std::uint64_t seed, std::int64_t step) {
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    const std::int64_t first = batch.object_offsets[b], end = batch.object_offsets[b + 1];
    Random random(seed, RandomUse::kResize,
                  {static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(batch.system[b])});
    const auto factor = static_cast<float>(std::pow(most, random.uniform(-1, 1)));
    const auto enlarge = [&](std::vector<float>& values, std::int64_t row, std::int64_t last) {
      for (; row < last; ++row)
        for (const int f : features) values[static_cast<std::size_t>(row * batch.features + f)] *= factor;
    };
    enlarge(batch.observation_values, batch.observation_offsets[first], batch.observation_offsets[end]);
    enlarge(batch.target_values, batch.target_offsets[first], batch.target_offsets[end]);
  }
}

}  // namespace lgode::data
