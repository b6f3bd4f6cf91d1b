// Advances particles. Lanes are independent, so a system's numbers depend only on its own initial state. All operations
// are rounded exactly by IEEE 754 and never fused, so every clone of the inner loop gives the same bits. Collisions
// between particles are not simulated.
#include "particles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgode/core/clones.h"
#include "lgode/core/error.h"

namespace lgode::data {
namespace {

constexpr double kStep = 0.001;
constexpr double kMaxForce = 100.0;
constexpr double kSpringConstant = 0.1;
constexpr int kStepsPerState = 100;

// Eight systems of equally many objects; unused lanes hold zeros, which stay zero.
struct LaneSystems {
  LaneSystems(std::int64_t n, double distance)
      : objects(static_cast<std::size_t>(n)),
        wall(distance),
        position(2 * objects),
        velocity(2 * objects),
        force(2 * objects),
        coupling(objects * (objects - 1) / 2) {}

  void set(int lane, const ParticleSystem& system) {
    for (std::size_t i = 0; i < objects; ++i) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        position[axis * objects + i].of[lane] = system.position[2 * i + axis];
        velocity[axis * objects + i].of[lane] = system.velocity[2 * i + axis];
      }
    }
    const double strength = system.physics == Physics::kSprings ? -kSpringConstant : 1.0;
    std::size_t pair = 0;
    for (std::size_t i = 0; i < objects; ++i) {
      for (std::size_t j = i + 1; j < objects; ++j, ++pair) {
        coupling[pair].of[lane] = strength * system.coupling[i * objects + j];
      }
    }
  }

  std::size_t objects;
  double wall;                  // distance of the walls from the centre
  std::vector<Lanes> position;  // [2, objects]
  std::vector<Lanes> velocity;  // [2, objects]
  std::vector<Lanes> force;     // [2, objects]
  std::vector<Lanes> coupling;  // [pairs] i < j; the force on i from j is this times (x_i - x_j), charged: over r^3
};

// Above a loop over lanes: lanes are independent, and the vectoriser must find the loop before it is unrolled.
#define LGODE_OVER_LANES _Pragma("GCC ivdep") _Pragma("GCC unroll 1") for (int l = 0; l < kLanes; ++l)

// r^-3 from r^2.
[[gnu::always_inline]] inline double inverse_cube(double squared) {
  // Below this distance every force is clipped anyway; particles in one place exert none.
  constexpr double kSmallest = 1e-24;
  const double r2 = squared > kSmallest ? squared : kSmallest;
  return 1.0 / (r2 * std::sqrt(r2));
}

template <bool kCharged>
[[gnu::always_inline]] inline void sum_forces(std::size_t n, const Lanes* position, const Lanes* coupling,
                                              Lanes* force) {
  for (std::size_t i = 0; i < 2 * n; ++i) force[i] = Lanes{};
  for (std::size_t i = 0; i < n; ++i) {
    const Lanes x = position[i];
    const Lanes y = position[n + i];
    Lanes fx = force[i];
    Lanes fy = force[n + i];
    for (std::size_t j = i + 1; j < n; ++j, ++coupling) {
      const Lanes& xj = position[j];
      const Lanes& yj = position[n + j];
      Lanes& fxj = force[j];
      Lanes& fyj = force[n + j];
      LGODE_OVER_LANES {
        const double dx = x.of[l] - xj.of[l];
        const double dy = y.of[l] - yj.of[l];
        double strength = coupling->of[l];
        if constexpr (kCharged) strength *= inverse_cube(dx * dx + dy * dy);
        fx.of[l] += strength * dx;
        fy.of[l] += strength * dy;
        fxj.of[l] -= strength * dx;
        fyj.of[l] -= strength * dy;
      }
    }
    force[i] = fx;
    force[n + i] = fy;
  }
}

// For each of the 2 n coordinates.
[[gnu::always_inline]] inline void kick_drift_reflect(std::size_t coordinates, double wall, const Lanes* force,
                                                      Lanes* velocity, Lanes* position) {
  for (std::size_t i = 0; i < coordinates; ++i) {
    LGODE_OVER_LANES {
      double f = force[i].of[l];
      f = f > kMaxForce ? kMaxForce : f;
      f = f < -kMaxForce ? -kMaxForce : f;
      const double v = velocity[i].of[l] + kStep * f;
      const double x = position[i].of[l] + kStep * v;
      // Reflection: subtract the excess twice. No arithmetic under a condition, so that it vectorises.
      const double over = x - wall;
      const double under = -wall - x;
      const double back = over > 0.0 ? over : 0.0;
      const double forth = under > 0.0 ? under : 0.0;
      const double downwards = over > 0.0 ? -std::abs(v) : v;
      velocity[i].of[l] = under > 0.0 ? std::abs(v) : downwards;
      position[i].of[l] = (x - 2.0 * back) + 2.0 * forth;
    }
  }
}

template <bool kCharged>
[[gnu::always_inline]] inline void advance(LaneSystems& s) {
  for (int step = 0; step < kStepsPerState; ++step) {
    sum_forces<kCharged>(s.objects, s.position.data(), s.coupling.data(), s.force.data());
    kick_drift_reflect(2 * s.objects, s.wall, s.force.data(), s.velocity.data(), s.position.data());
  }
}

// From one recorded state to the next.
LGODE_CLONES("avx512f", "avx2", "default") void advance_springs(LaneSystems& s) { advance<false>(s); }
LGODE_CLONES("avx512f", "avx2", "default") void advance_charged(LaneSystems& s) { advance<true>(s); }

void check_particles(const ParticleSystem& system, std::int64_t states) {
  const auto n = static_cast<std::size_t>(std::max<std::int64_t>(system.objects, 0));
  if (n == 0 || states < 0 || system.position.size() != 2 * n || system.velocity.size() != 2 * n ||
      system.coupling.size() != n * n) {
    throw ConfigError(fmt::format("{} particles need {} positions and velocities and {} couplings; got {}, {} and {}",
                                  system.objects, 2 * n, n * n, system.position.size(), system.velocity.size(),
                                  system.coupling.size()));
  }
}

}  // namespace

LaneTrajectories::LaneTrajectories(std::span<const ParticleSystem> systems, double wall, std::int64_t states)
    : objects_(static_cast<std::size_t>(systems.front().objects)) {
  LaneSystems all(systems.front().objects, wall);
  for (std::size_t lane = 0; lane < systems.size(); ++lane) all.set(static_cast<int>(lane), systems[lane]);
  const auto run = systems.front().physics == Physics::kSprings ? advance_springs : advance_charged;
  lanes_.reserve(static_cast<std::size_t>(states) * kStateValues * objects_);
  for (std::int64_t r = 0; r < states; ++r) {
    if (r > 0) run(all);
    lanes_.insert(lanes_.end(), all.position.begin(), all.position.end());
    lanes_.insert(lanes_.end(), all.velocity.begin(), all.velocity.end());
  }
}

Trajectory run_particles(const ParticleSystem& system, std::int64_t states) {
  check_particles(system, states);
  const LaneTrajectories trajectory(std::span(&system, 1), kHalfWidth, states);
  Trajectory result;
  for (std::int64_t r = 0; r < states; ++r) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(system.objects); ++i) {
      const auto [x, y, vx, vy] = trajectory.state(0, r, i);
      result.position.insert(result.position.end(), {x, y});
      result.velocity.insert(result.velocity.end(), {vx, vy});
    }
  }
  return result;
}

}  // namespace lgode::data
