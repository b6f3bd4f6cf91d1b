// The motion of simulated particles: eight systems side by side, one in each lane of a vector. Internal to the
// simulators.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lgode/data/simulate.h"

namespace lgode::data {

inline constexpr double kHalfWidth = 5.0;       // of the box
inline constexpr double kStatesPerTime = 10.0;  // 1 / (step * steps per state), exact where the inverse is not
inline constexpr int kLanes = 8;
inline constexpr std::size_t kStateValues = 4;  // x, y, vx, vy

// One number per system, for eight systems.
struct alignas(kLanes * sizeof(double)) Lanes {
  double of[kLanes] = {};
};

// Recorded states of up to eight systems of equally many objects, each in a lane of its own. `wall`: distance of the
// walls from the centre.
class LaneTrajectories {
 public:
  LaneTrajectories(std::span<const ParticleSystem> systems, double wall, std::int64_t states);

  // x, y, vx, vy of an object.
  std::array<double, kStateValues> state(int lane, std::int64_t step, std::size_t object) const {
    std::array<double, kStateValues> values{};
    for (std::size_t f = 0; f < kStateValues; ++f) {
      values[f] = lanes_[(static_cast<std::size_t>(step) * kStateValues + f) * objects_ + object].of[lane];
    }
    return values;
  }

 private:
  std::size_t objects_;
  std::vector<Lanes> lanes_;  // [states, 4, objects]
};

}  // namespace lgode::data
