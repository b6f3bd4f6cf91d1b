// Particles in a box, joined by springs or carrying charges, after the NRI line of work (Kipf et al., ICML 2018): the
// paper's two simulated data sets, at any size.
//
// Leapfrog with step 0.001: kick (v += dt F(x)), drift (x += dt v), reflect at the walls of a box of half-width 5; the
// total force on a coordinate is clipped to +-100; positions and velocities are recorded every 100 steps, the initial
// state first. One seed gives the same bytes on any x86-64 machine and any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"

namespace lgode::data {

enum class Physics { kSprings, kCharged };
enum class ChargedRelations { kSame, kTyped };  // connected: q_i q_j = +1; or both signs as two types

struct SimulateOptions {
  Physics physics = Physics::kSprings;
  std::int64_t objects = 5;
  std::int64_t train = 20000;
  std::int64_t test = 5000;
  std::int64_t horizon = 60;  // recorded steps of the first range; test systems continue for as many again
  double noise = 0.0;         // standard deviation of Gaussian noise on every recorded value, physical units
  std::uint64_t seed = 1;
  bool walls = true;  // false: particles leave the box; otherwise the same
  int threads = 0;    // 0: all cores
  ChargedRelations relations = ChargedRelations::kSame;
};

// Throws ConfigError on impossible sizes. `progress(done, total)` is called now and then from any thread, one
// at a time; a stop request throws Interrupted.
Dataset simulate(const SimulateOptions& options, const std::function<void(std::int64_t, std::int64_t)>& progress = {},
                 const StopFlag* stop = nullptr);

// The bare physics, for tests: `states` recorded states of one system from a given initial state.
struct ParticleSystem {
  Physics physics = Physics::kSprings;
  std::int64_t objects = 0;
  std::vector<double> position;  // [objects, 2]
  std::vector<double> velocity;  // [objects, 2]
  std::vector<double> coupling;  // [objects, objects] springs: 1 where joined; charged: q_i q_j; diagonal 0
};
struct Trajectory {
  std::vector<double> position;  // [states, objects, 2]
  std::vector<double> velocity;  // [states, objects, 2]
};
Trajectory run_particles(const ParticleSystem& system, std::int64_t states);
// The random initial state of system `index` (training systems first).
ParticleSystem initial_particles(const SimulateOptions& options, std::int64_t index);

}  // namespace lgode::data
