// The simulators: physics against conservation laws and a plain implementation, sampling against its rules, and bytes
// that depend on nothing but seed and options.
#include "lgode/data/simulate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include "lgode/core/error.h"
#include "support/temp_folder.h"

namespace lgode::data {
namespace {

using lgode::testing::expect_error;

SimulateOptions small(Physics physics, std::int64_t train = 20, std::int64_t test = 10) {
  SimulateOptions options;
  options.physics = physics;
  options.train = train;
  options.test = test;
  options.threads = 2;
  return options;
}

// Two particles on the x axis, at rest unless changed.
ParticleSystem pair_of(Physics physics, double distance, double coupling) {
  return {physics, 2, {-distance / 2, 0, distance / 2, 0}, {0, 0, 0, 0}, {0, coupling, coupling, 0}};
}

// The same physics, written down plainly: one system, forces summed over all others.
void plain_step(ParticleSystem& s, double clip) {
  const auto n = static_cast<std::size_t>(s.objects);
  std::vector<double> force(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const double dx = s.position[2 * i] - s.position[2 * j];
      const double dy = s.position[2 * i + 1] - s.position[2 * j + 1];
      const double r = std::hypot(dx, dy);
      const double k = s.coupling[i * n + j] * (s.physics == Physics::kSprings ? -0.1 : 1.0 / (r * r * r));
      force[2 * i] += k * dx;
      force[2 * i + 1] += k * dy;
    }
  }
  for (std::size_t c = 0; c < 2 * n; ++c) {
    s.velocity[c] += 0.001 * std::clamp(force[c], -clip, clip);
    s.position[c] += 0.001 * s.velocity[c];
    if (s.position[c] > 5) {
      s.position[c] = 10 - s.position[c];
      s.velocity[c] = -std::abs(s.velocity[c]);
    } else if (s.position[c] < -5) {
      s.position[c] = -10 - s.position[c];
      s.velocity[c] = std::abs(s.velocity[c]);
    }
  }
}

void expect_plain(ParticleSystem system, std::int64_t states, double tolerance) {
  const Trajectory trajectory = run_particles(system, states);
  const std::size_t width = system.position.size();
  for (std::int64_t r = 0; r < states; ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      const std::size_t at = static_cast<std::size_t>(r) * width + c;
      ASSERT_NEAR(trajectory.position[at], system.position[c], tolerance) << "state " << r;
      ASSERT_NEAR(trajectory.velocity[at], system.velocity[c], tolerance) << "state " << r;
    }
    for (int step = 0; step < 100; ++step) plain_step(system, 100.0);
  }
}

TEST(RunParticles, FollowsThePlainRules) {
  for (std::int64_t index = 0; index < 5; ++index) {
    expect_plain(initial_particles(small(Physics::kSprings), index), 60, 1e-9);
    expect_plain(initial_particles(small(Physics::kCharged), index), 3, 1e-9);
  }
  SimulateOptions many = small(Physics::kSprings);
  many.objects = 12;
  expect_plain(initial_particles(many, 0), 30, 1e-9);
}

TEST(RunParticles, RecordsTheInitialStateFirst) {
  const ParticleSystem system = initial_particles(small(Physics::kSprings), 3);
  const Trajectory one = run_particles(system, 1);
  EXPECT_EQ(one.position, system.position);
  EXPECT_EQ(one.velocity, system.velocity);
  EXPECT_TRUE(run_particles(system, 0).position.empty());
}

// Kinetic energy plus the energy of all springs, or of all charges.
double energy(const ParticleSystem& system, const double* position, const double* velocity) {
  const auto n = static_cast<std::size_t>(system.objects);
  double sum = 0.0;
  for (std::size_t c = 0; c < 2 * n; ++c) sum += 0.5 * velocity[c] * velocity[c];
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double r = std::hypot(position[2 * i] - position[2 * j], position[2 * i + 1] - position[2 * j + 1]);
      const double k = system.coupling[i * n + j];
      sum += system.physics == Physics::kSprings ? 0.5 * 0.1 * k * r * r : k / r;
    }
  }
  return sum;
}

TEST(RunParticles, SpringsKeepEnergyAndMomentum) {
  ParticleSystem system = initial_particles(small(Physics::kSprings), 0);
  std::fill(system.coupling.begin(), system.coupling.end(), 1.0);
  for (std::size_t i = 0; i < 5; ++i) system.coupling[6 * i] = 0.0;
  // In the frame of the centre of mass nothing reaches a wall.
  double mean[2] = {0, 0};
  for (std::size_t c = 0; c < 10; ++c) mean[c % 2] += system.velocity[c] / 5;
  for (std::size_t c = 0; c < 10; ++c) system.velocity[c] -= mean[c % 2];
  const Trajectory trajectory = run_particles(system, 120);
  const double before = energy(system, trajectory.position.data(), trajectory.velocity.data());
  for (std::size_t r = 0; r < 120; ++r) {
    const double* x = trajectory.position.data() + 10 * r;
    const double* v = trajectory.velocity.data() + 10 * r;
    for (std::size_t c = 0; c < 10; ++c) ASSERT_LT(std::abs(x[c]), 4.9);
    // The first-order leapfrog's energy oscillates by about dt w^2 |x v| / 2, and does not drift.
    EXPECT_NEAR(energy(system, x, v), before, 1e-3 * before);
    EXPECT_NEAR(v[0] + v[2] + v[4] + v[6] + v[8], 0.0, 1e-12);
    EXPECT_NEAR(v[1] + v[3] + v[5] + v[7] + v[9], 0.0, 1e-12);
  }
}

TEST(RunParticles, ChargesKeepEnergy) {
  // Opposite charges on a circle: 1/r^2 = v^2 / (r/2).
  ParticleSystem system = pair_of(Physics::kCharged, 2.0, -1.0);
  const double v = std::sqrt(0.25);
  system.velocity = {0, -v, 0, v};
  const Trajectory trajectory = run_particles(system, 120);
  const double before = energy(system, trajectory.position.data(), trajectory.velocity.data());
  for (std::size_t r = 0; r < 120; ++r) {
    EXPECT_NEAR(energy(system, trajectory.position.data() + 4 * r, trajectory.velocity.data() + 4 * r), before, 2e-3);
    EXPECT_NEAR(std::hypot(trajectory.position[4 * r], trajectory.position[4 * r + 1]), 1.0, 2e-3);
  }
}

// In how many of the set's systems the energy at the last recorded state differs from the initial one by more than the
// initial one is large.
std::string share_that_changes(const SimulateOptions& options) {
  const std::int64_t states = options.train > 0 ? options.horizon : 2 * options.horizon;
  const std::int64_t systems = options.train + options.test;
  std::int64_t changed = 0;
  for (std::int64_t s = 0; s < systems; ++s) {
    const ParticleSystem system = initial_particles(options, s);
    const Trajectory trajectory = run_particles(system, states);
    const std::size_t last = trajectory.position.size() - system.position.size();
    const double before = energy(system, trajectory.position.data(), trajectory.velocity.data());
    const double after = energy(system, trajectory.position.data() + last, trajectory.velocity.data() + last);
    changed += std::abs(after - before) > std::abs(before) ? 1 : 0;
  }
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(changed) / static_cast<double>(systems));
}

// docs/first-steps.md has these numbers: forces are clipped where charges meet, and the step is fixed.
TEST(RunParticles, EncountersOfChargesChangeTheEnergy) {
  const std::string train = share_that_changes({.physics = Physics::kCharged, .train = 1000, .test = 0});
  const std::string test = share_that_changes({.physics = Physics::kCharged, .train = 0, .test = 1000});
  EXPECT_EQ(train, "39.6 %");
  EXPECT_EQ(test, "49.7 %");
  std::ifstream file(std::filesystem::path(LGODE_TESTS_FOLDER) / ".." / "docs" / "first-steps.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  for (const std::string& share : {train, test}) EXPECT_NE(page.find(share), std::string::npos) << share;
}

TEST(RunParticles, SpringOscillatesAtItsFrequency) {
  // Reduced mass 1/2, so the distance follows cos(sqrt(0.2) t); at the period 14.05 it is back.
  const Trajectory trajectory = run_particles(pair_of(Physics::kSprings, 2.0, 1.0), 142);
  for (std::size_t r = 0; r < 142; ++r) {
    const double distance = trajectory.position[4 * r + 2] - trajectory.position[4 * r];
    EXPECT_NEAR(distance, 2.0 * std::cos(std::sqrt(0.2) * 0.1 * static_cast<double>(r)), 2e-3);
  }
}

TEST(RunParticles, WallsReflect) {
  const ParticleSystem system{Physics::kSprings, 1, {4.0, -4.9}, {3.0, -7.0}, {0}};
  const Trajectory trajectory = run_particles(system, 200);
  for (std::size_t r = 0; r < 200; ++r) {
    EXPECT_LE(std::abs(trajectory.position[2 * r]), 5.0);
    EXPECT_LE(std::abs(trajectory.position[2 * r + 1]), 5.0);
    EXPECT_EQ(std::abs(trajectory.velocity[2 * r]), 3.0);
    EXPECT_EQ(std::abs(trajectory.velocity[2 * r + 1]), 7.0);
  }
  // After 0.4 s: x from 4 by 1.2 to 5.2, mirrored to 4.8; y from -4.9 by -2.8 to -7.7, mirrored to -2.3.
  EXPECT_NEAR(trajectory.position[8], 4.8, 1e-9);
  EXPECT_NEAR(trajectory.position[9], -2.3, 1e-9);
  EXPECT_EQ(trajectory.velocity[8], -3.0);
  EXPECT_EQ(trajectory.velocity[9], 7.0);
}

TEST(RunParticles, ForcesAreClipped) {
  const ParticleSystem close = pair_of(Physics::kCharged, 1e-3, 1.0);
  expect_plain(close, 3, 1e-7);
  const Trajectory trajectory = run_particles(close, 2);
  // 1/r^2 is a million; clipped to 100 it cannot give more than 0.1 per step.
  EXPECT_GT(trajectory.velocity[6], 1.0);
  EXPECT_LE(trajectory.velocity[6], 10.0);
  ParticleSystem unclipped = close;
  plain_step(unclipped, 1e300);
  EXPECT_GT(unclipped.velocity[2], 100.0);
}

TEST(RunParticles, ChargesInOnePlaceStayFinite) {
  const Trajectory trajectory = run_particles(pair_of(Physics::kCharged, 0.0, -1.0), 3);
  for (const double x : trajectory.position) EXPECT_EQ(x, 0.0);
}

TEST(RunParticles, RefusesArraysThatDoNotFit) {
  ParticleSystem system = pair_of(Physics::kSprings, 1.0, 1.0);
  system.coupling.pop_back();
  EXPECT_THROW(run_particles(system, 1), ConfigError);
  EXPECT_THROW(run_particles({}, 1), ConfigError);
}

TEST(InitialParticles, FollowTheirDistributions) {
  for (const Physics physics : {Physics::kSprings, Physics::kCharged}) {
    const SimulateOptions options = small(physics, 2000);
    double squares = 0.0;
    double joined = 0.0;
    for (std::int64_t s = 0; s < 2000; ++s) {
      const ParticleSystem system = initial_particles(options, s);
      for (const double x : system.position) squares += x * x;
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_NEAR(std::hypot(system.velocity[2 * i], system.velocity[2 * i + 1]), 0.5, 1e-15);
        EXPECT_EQ(system.coupling[6 * i], 0.0);
        for (std::size_t j = 0; j < i; ++j) {
          const double k = system.coupling[5 * i + j];
          EXPECT_EQ(k, system.coupling[5 * j + i]);
          EXPECT_TRUE(k == 1.0 || k == (physics == Physics::kSprings ? 0.0 : -1.0));
          joined += k > 0 ? 1.0 / 20000 : 0.0;
          // Couplings of charges are products: around a triangle their product is positive.
          if (physics == Physics::kCharged && j > 0) {
            EXPECT_EQ(k * system.coupling[5 * j] * system.coupling[5 * i], 1.0);
          }
        }
      }
    }
    const double variance = physics == Physics::kSprings ? 0.25 : 1.0;
    EXPECT_NEAR(squares / 20000, variance, 5 * variance * std::sqrt(2.0 / 20000));
    EXPECT_NEAR(joined, 0.5, 0.02);
  }
}

TEST(Simulate, DescribesWhatItMade) {
  SimulateOptions options = small(Physics::kSprings, 3, 2);
  options.threads = 3;
  const Dataset d = simulate(options);
  const Description& about = d.description();
  EXPECT_EQ(about.name, "springs");
  EXPECT_EQ(about.source, "simulated springs: objects=5 train=3 test=2 horizon=60 noise=0 seed=1");
  ASSERT_EQ(about.features.size(), 4U);
  const std::vector<std::string> names = {"x", "y", "vx", "vy"};
  for (std::size_t f = 0; f < 4; ++f) {
    EXPECT_EQ(about.features[f].name, names[f]);
    EXPECT_EQ(about.features[f].scale_group, f < 2 ? 0 : 1);
    EXPECT_EQ(about.features[f].velocity_of, static_cast<int>(f) - (f < 2 ? static_cast<int>(f) + 1 : 2));
  }
  EXPECT_EQ(about.relation_types, std::vector<std::string>{"spring"});
  EXPECT_EQ(about.time_scale, 6.0);
  EXPECT_EQ(about.conditioning_length, 6.0);
  EXPECT_EQ(about.max_length, 60);
  EXPECT_EQ(about.min_length, 40);
  EXPECT_EQ(d.systems_in(Part::kTrain), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(d.systems_in(Part::kTest), (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(d.origin(4), 0.0);

  options.physics = Physics::kCharged;
  EXPECT_EQ(simulate(options).description().relation_types, std::vector<std::string>{"same charge"});
  options.relations = ChargedRelations::kTyped;
  EXPECT_EQ(simulate(options).description().relation_types,
            (std::vector<std::string>{"same charge", "opposite charge"}));
}

// Times are of the grid, ascending and without duplicates; counts are within their ranges, and all of them occur.
void check_sampling(std::int64_t horizon, std::int64_t fewest, std::int64_t most) {
  SimulateOptions options = small(Physics::kSprings, 60, 30);
  options.horizon = horizon;
  const Dataset d = simulate(options);
  std::set<std::int64_t> counts;
  std::set<double> seen;
  for (std::int64_t s = 0; s < d.systems(); ++s) {
    for (std::int64_t o = d.first_object(s); o < d.first_object(s) + d.objects_of(s); ++o) {
      const auto times = d.times_of(o);
      std::int64_t early = 0;
      for (std::size_t k = 0; k < times.size(); ++k) {
        if (k > 0) {
          ASSERT_GT(times[k], times[k - 1]);
        }
        ASSERT_EQ(times[k], std::round(times[k] * 10) / 10);
        early += times[k] < d.description().conditioning_length ? 1 : 0;
        seen.insert(times[k]);
      }
      const std::int64_t late = static_cast<std::int64_t>(times.size()) - early;
      ASSERT_EQ(late, d.part(s) == Part::kTest ? fewest : 0);
      counts.insert(early);
    }
  }
  EXPECT_EQ(*counts.begin(), fewest);
  EXPECT_EQ(*counts.rbegin(), most);
  EXPECT_EQ(static_cast<std::int64_t>(counts.size()), most - fewest + 1);
  EXPECT_EQ(static_cast<std::int64_t>(seen.size()), 2 * horizon);
  EXPECT_EQ(*seen.begin(), 0.0);
  EXPECT_EQ(*seen.rbegin(), static_cast<double>(2 * horizon - 1) / 10);
}

TEST(Simulate, SamplesAsSpecified) {
  check_sampling(60, 40, 52);
  check_sampling(20, 13, 17);
  check_sampling(2, 1, 2);
}

TEST(Simulate, ObservesTheRecordedStates) {
  const SimulateOptions options = small(Physics::kCharged, 9, 3);
  const Dataset d = simulate(options);
  for (std::int64_t s = 0; s < d.systems(); ++s) {
    const Trajectory trajectory = run_particles(initial_particles(options, s), 120);
    for (std::int64_t i = 0; i < 5; ++i) {
      const auto times = d.times_of(d.first_object(s) + i);
      const auto values = d.values_of(d.first_object(s) + i);
      for (std::size_t k = 0; k < times.size(); ++k) {
        const auto record = static_cast<std::size_t>(std::lround(times[k] * 10));
        const std::size_t at = (record * 5 + static_cast<std::size_t>(i)) * 2;
        ASSERT_EQ(values[4 * k], trajectory.position[at]);
        ASSERT_EQ(values[4 * k + 1], trajectory.position[at + 1]);
        ASSERT_EQ(values[4 * k + 2], trajectory.velocity[at]);
        ASSERT_EQ(values[4 * k + 3], trajectory.velocity[at + 1]);
      }
    }
  }
}

void check_relations(const SimulateOptions& options) {
  const Dataset d = simulate(options);
  for (std::int64_t s = 0; s < d.systems(); ++s) {
    const ParticleSystem system = initial_particles(options, s);
    std::set<std::vector<std::int32_t>> expected;
    for (std::int32_t i = 0; i < 5; ++i) {
      for (std::int32_t j = 0; j < 5; ++j) {
        const double k = system.coupling[5 * i + j];
        if (k > 0) expected.insert({i, j, 0});
        if (k < 0 && options.relations == ChargedRelations::kTyped) expected.insert({i, j, 1});
      }
    }
    std::set<std::vector<std::int32_t>> got;
    for (std::int64_t e = d.first_relation(s); e < d.first_relation(s) + d.relations_of(s); ++e) {
      const Relation r = d.relation(e);
      EXPECT_EQ(r.weight, 1.0F);
      EXPECT_TRUE(got.insert({r.source, r.target, r.type}).second);
    }
    EXPECT_EQ(got, expected);
    for (const auto& r : got) EXPECT_TRUE(got.contains({r[1], r[0], r[2]}));
  }
}

TEST(Simulate, RelationsAreTheCouplings) {
  check_relations(small(Physics::kSprings));
  check_relations(small(Physics::kCharged));
  SimulateOptions typed = small(Physics::kCharged);
  typed.relations = ChargedRelations::kTyped;
  check_relations(typed);
  EXPECT_EQ(simulate(typed).relations(), 30 * 20);
}

TEST(Simulate, NoiseHasItsLevel) {
  SimulateOptions options = small(Physics::kSprings, 50, 0);
  const Dataset clean = simulate(options);
  options.noise = 0.25;
  const Dataset noisy = simulate(options);
  ASSERT_EQ(clean.observations(), noisy.observations());
  const auto a = clean.arrays().values;
  const auto b = noisy.arrays().values;
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += b[i] - a[i];
    squares += (b[i] - a[i]) * (b[i] - a[i]);
  }
  const auto count = static_cast<double>(a.size());
  EXPECT_NEAR(sum / count, 0.0, 5 * 0.25 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 0.0625, 5 * 0.0625 * std::sqrt(2.0 / count));
}

template <class T>
void expect_same(std::span<const T> a, std::span<const T> b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

TEST(Simulate, ThreadsDoNotMatter) {
  for (const Physics physics : {Physics::kSprings, Physics::kCharged}) {
    SimulateOptions options = small(physics, 37, 11);
    options.noise = 0.1;
    options.threads = 1;
    const Dataset one = simulate(options);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      const Dataset other = simulate(options);
      expect_same(one.arrays().observation_offsets, other.arrays().observation_offsets);
      expect_same(one.arrays().times, other.arrays().times);
      expect_same(one.arrays().values, other.arrays().values);
      expect_same(one.arrays().relation_sources, other.arrays().relation_sources);
      EXPECT_EQ(one.description().source, other.description().source);
    }
  }
}

void expect_same_system(const Dataset& a, std::int64_t s, const Dataset& b, std::int64_t t) {
  ASSERT_EQ(a.relations_of(s), b.relations_of(t));
  for (std::int64_t i = 0; i < a.objects_of(s); ++i) {
    expect_same(a.times_of(a.first_object(s) + i), b.times_of(b.first_object(t) + i));
    expect_same(a.values_of(a.first_object(s) + i), b.values_of(b.first_object(t) + i));
  }
}

TEST(Simulate, ASystemDoesNotDependOnTheOthers) {
  const Dataset large = simulate(small(Physics::kCharged, 30, 20));
  const Dataset other = simulate(small(Physics::kCharged, 13, 9));
  for (std::int64_t s = 0; s < 13; ++s) expect_same_system(large, s, other, s);
  for (std::int64_t s = 0; s < 9; ++s) expect_same_system(large, 30 + s, other, 13 + s);
  const Dataset only = simulate(small(Physics::kCharged, 0, 1));
  expect_same_system(large, 30, only, 0);
}

TEST(Simulate, SeedsDiffer) {
  SimulateOptions options = small(Physics::kSprings, 1, 0);
  const Dataset one = simulate(options);
  options.seed = 2;
  EXPECT_NE(one.values_of(0)[0], simulate(options).values_of(0)[0]);
}

std::uint64_t fingerprint(const Dataset& d) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  const auto add = [&](auto values) {
    for (const std::byte b : std::as_bytes(values)) hash = (hash ^ static_cast<std::uint64_t>(b)) * 1099511628211ULL;
  };
  add(d.arrays().times);
  add(d.arrays().values);
  add(d.arrays().relation_sources);
  return hash;
}

// The same bytes on every machine and in every build; a change here makes published seeds mean something else.
TEST(Simulate, BytesStayTheSame) {
  SimulateOptions options = small(Physics::kSprings, 9, 3);
  options.noise = 0.01;
  EXPECT_EQ(fingerprint(simulate(options)), 1110903443620678454U);
  options.physics = Physics::kCharged;
  EXPECT_EQ(fingerprint(simulate(options)), 7213568690254715764U);
}

TEST(Simulate, WorksForOddSizes) {
  for (const std::int64_t objects : {1, 2, 3, 17}) {
    SimulateOptions options = small(Physics::kCharged, 3, 1);
    options.objects = objects;
    options.horizon = 3;
    const Dataset d = simulate(options);
    EXPECT_EQ(d.objects(), 4 * objects);
    EXPECT_FALSE(d.has_missing());
  }
}

TEST(Simulate, ReportsProgressAndStops) {
  std::int64_t last = 0;
  simulate(small(Physics::kSprings), [&](std::int64_t done, std::int64_t total) {
    EXPECT_EQ(total, 30);
    EXPECT_GT(done, last);
    last = done;
  });
  EXPECT_EQ(last, 30);
  StopFlag stop;
  const auto interrupted = [&] {
    simulate(
        small(Physics::kSprings, 1000), [&](std::int64_t, std::int64_t) { stop.request(); }, &stop);
  };
  expect_error<Error>(interrupted, {"interrupted"});
}

TEST(Simulate, RefusesSizesThatMakeNoSense) {
  const auto refuse = [](auto change, const std::string& option) {
    SimulateOptions options = small(Physics::kSprings);
    change(options);
    expect_error<ConfigError>([&] { simulate(options); }, {"`" + option + "`"});
  };
  refuse([](SimulateOptions& o) { o.objects = 0; }, "objects");
  refuse([](SimulateOptions& o) { o.objects = 1'000'000; }, "objects");
  refuse([](SimulateOptions& o) { o.train = -1; }, "train");
  refuse([](SimulateOptions& o) { o.test = std::numeric_limits<std::int64_t>::max(); }, "test");
  refuse([](SimulateOptions& o) { o.train = o.test = 0; }, "train");
  refuse([](SimulateOptions& o) { o.horizon = 1; }, "horizon");
  refuse([](SimulateOptions& o) { o.noise = -0.1; }, "noise");
  refuse([](SimulateOptions& o) { o.noise = std::nan(""); }, "noise");
  refuse([](SimulateOptions& o) { o.threads = -1; }, "threads");
}

}  // namespace
}  // namespace lgode::data
