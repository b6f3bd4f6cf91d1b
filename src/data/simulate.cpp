// The simulated data sets: draws initial states, which objects are observed when, and noise; data/particles.h moves the
// particles.
#include "lgode/data/simulate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/parallel.h"
#include "lgode/core/random.h"
#include "particles.h"

namespace lgode::data {
namespace {

constexpr double kInitialSpeed = 0.5;

// Rounded to the nearest; neither fraction can end in exactly one half.
std::int64_t fewest(std::int64_t horizon) { return (4 * horizon + 3) / 6; }   // 2 H / 3
std::int64_t most(std::int64_t horizon) { return (26 * horizon + 15) / 30; }  // 52 H / 60

// A system's streams are named by its part and its place there, so that neither part depends on the other's size.
enum class Draw : std::uint64_t { kState, kCounts, kTimes };

struct SystemName {
  std::uint64_t physics;
  std::uint64_t part;
  std::uint64_t index;
};

SystemName name_of(const SimulateOptions& o, std::int64_t system) {
  const bool test = system >= o.train;
  return {static_cast<std::uint64_t>(o.physics), test ? 1U : 0U,
          static_cast<std::uint64_t>(test ? system - o.train : system)};
}

Random stream(const SimulateOptions& o, std::int64_t system, Draw draw) {
  const SystemName name = name_of(o, system);
  return Random(o.seed, RandomUse::kSimulate, {name.physics, name.part, name.index, static_cast<std::uint64_t>(draw)});
}

void check_options(const SimulateOptions& o) {
  const auto require = [](bool holds, const char* option, const auto& value, const char* expected) {
    if (!holds) throw ConfigError(fmt::format("`{}` {}: expected {}", option, value, expected));
  };
  // Limits beyond which a size must be a mistake; below them memory is the limit.
  require(o.objects >= 1 && o.objects <= 1000, "objects", o.objects, "1 to 1000");
  require(o.train >= 0 && o.train <= 1'000'000'000, "train", o.train, "0 to 1000000000 systems");
  require(o.test >= 0 && o.test <= 1'000'000'000, "test", o.test, "0 to 1000000000 systems");
  if (o.train + o.test < 1) throw ConfigError("`train` 0 and `test` 0: expected at least one system");
  require(o.horizon >= 2 && o.horizon <= 1'000'000, "horizon", o.horizon, "2 to 1000000 recorded steps");
  require(o.noise >= 0.0 && std::isfinite(o.noise), "noise", o.noise, "a number of at least 0");
  require(o.threads >= 0, "threads", o.threads, "0 (all cores) or more");
}

Description describe(const SimulateOptions& o) {
  const bool springs = o.physics == Physics::kSprings;
  const bool typed = o.relations == ChargedRelations::kTyped;
  Description d;
  d.name = springs ? "springs" : "charged";
  d.source = fmt::format("simulated {}: objects={} train={} test={} horizon={} noise={} seed={}", d.name, o.objects,
                         o.train, o.test, o.horizon, o.noise, o.seed);
  if (!o.walls) d.source += " walls=none";
  if (!springs) d.source += typed ? " relations=typed" : " relations=same";
  d.features = {{"x", "", 0, -1}, {"y", "", 0, -1}, {"vx", "", 1, 0}, {"vy", "", 1, 1}};
  d.relation_types = {springs ? "spring" : "same charge"};
  if (!springs && typed) d.relation_types.emplace_back("opposite charge");
  d.time_scale = static_cast<double>(o.horizon) / kStatesPerTime;
  d.conditioning_length = d.time_scale;
  d.max_length = o.horizon;
  d.min_length = fewest(o.horizon);
  return d;
}

// The type of the relation that a coupling makes, or -1.
std::int32_t relation_type(const SimulateOptions& o, double coupling) {
  if (coupling > 0.0) return 0;
  return coupling < 0.0 && o.relations == ChargedRelations::kTyped ? 1 : -1;
}

// Owns the arrays of the set. First all sizes are drawn, then systems are written to their places in any order.
class Writer {
 public:
  explicit Writer(const SimulateOptions& options) : o_(options) {
    const auto systems = static_cast<std::size_t>(o_.train + o_.test);
    object_offsets_.resize(systems + 1);
    relation_offsets_.resize(systems + 1);
    parts_.resize(systems);
    origins_.resize(systems);
    observation_offsets_.resize(systems * static_cast<std::size_t>(o_.objects) + 1);
    lay_out();
  }

  // Runs and samples the systems first .. first+count-1, which are of one part; count is at most kLanes.
  void simulate_group(std::int64_t first, std::int64_t count) {
    std::vector<ParticleSystem> systems;
    for (std::int64_t k = 0; k < count; ++k) {
      systems.push_back(initial_particles(o_, first + k));
      write_relations(first + k, systems.back());
    }
    const double wall = o_.walls ? kHalfWidth : std::numeric_limits<double>::infinity();
    const LaneTrajectories trajectory(systems, wall, is_test(first) ? 2 * o_.horizon : o_.horizon);
    for (std::int64_t k = 0; k < count; ++k) write_observations(first + k, trajectory, static_cast<int>(k));
  }

  Dataset::Arrays arrays() const {
    return {.object_offsets = object_offsets_,
            .observation_offsets = observation_offsets_,
            .relation_offsets = relation_offsets_,
            .times = times_,
            .values = values_,
            .relation_sources = sources_,
            .relation_targets = targets_,
            .relation_types = types_,
            .relation_weights = weights_,
            .parts = parts_,
            .origins = origins_};
  }

 private:
  bool is_test(std::int64_t system) const { return system >= o_.train; }

  // Everything whose size or content follows from counts. Counts go where the offsets will be, then are summed.
  void lay_out() {
    const auto n = static_cast<std::size_t>(o_.objects);
    parallel_tasks(o_.train + o_.test, o_.threads, [&](std::int64_t system) {
      const auto s = static_cast<std::size_t>(system);
      parts_[s] = static_cast<std::uint8_t>(is_test(system) ? Part::kTest : Part::kTrain);
      object_offsets_[s + 1] = static_cast<std::int64_t>((s + 1) * n);
      Random random = stream(o_, system, Draw::kCounts);
      for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t later = is_test(system) ? fewest(o_.horizon) : 0;
        observation_offsets_[s * n + i + 1] = random.between(fewest(o_.horizon), most(o_.horizon)) + later;
      }
      for (const double coupling : initial_particles(o_, system).coupling) {
        relation_offsets_[s + 1] += relation_type(o_, coupling) >= 0 ? 1 : 0;
      }
    });
    for (std::size_t i = 1; i < observation_offsets_.size(); ++i)
      observation_offsets_[i] += observation_offsets_[i - 1];
    for (std::size_t i = 1; i < relation_offsets_.size(); ++i) relation_offsets_[i] += relation_offsets_[i - 1];
    const auto observations = static_cast<std::size_t>(observation_offsets_.back());
    const auto relations = static_cast<std::size_t>(relation_offsets_.back());
    times_.resize(observations);
    values_.resize(observations * kStateValues);
    sources_.resize(relations);
    targets_.resize(relations);
    types_.resize(relations);
    weights_.resize(relations, 1.0F);
  }

  void write_relations(std::int64_t system, const ParticleSystem& particles) {
    auto at = static_cast<std::size_t>(relation_offsets_[static_cast<std::size_t>(system)]);
    for (std::int64_t i = 0; i < o_.objects; ++i) {
      for (std::int64_t j = 0; j < o_.objects; ++j) {
        const std::int32_t type = relation_type(o_, particles.coupling[static_cast<std::size_t>(i * o_.objects + j)]);
        if (type < 0) continue;
        sources_[at] = static_cast<std::int32_t>(i);
        targets_[at] = static_cast<std::int32_t>(j);
        types_[at] = type;
        ++at;
      }
    }
  }

  void write_observations(std::int64_t system, const LaneTrajectories& trajectory, int lane) {
    const SystemName name = name_of(o_, system);
    Random random = stream(o_, system, Draw::kTimes);
    Random noise(o_.seed, RandomUse::kNoise, {name.physics, name.part, name.index});
    const std::int64_t later = is_test(system) ? fewest(o_.horizon) : 0;
    for (std::int64_t i = 0; i < o_.objects; ++i) {
      const auto object = static_cast<std::size_t>(system * o_.objects + i);
      auto at = static_cast<std::size_t>(observation_offsets_[object]);
      const std::int64_t count = observation_offsets_[object + 1] - observation_offsets_[object];
      std::vector<std::int64_t> steps = random.choose(o_.horizon, count - later);
      for (const std::int64_t r : random.choose(o_.horizon, later)) steps.push_back(o_.horizon + r);
      for (const std::int64_t r : steps) {
        times_[at] = static_cast<double>(r) / kStatesPerTime;
        auto values = trajectory.state(lane, r, static_cast<std::size_t>(i));
        if (o_.noise > 0.0) {
          for (double& value : values) value += o_.noise * noise.normal();
        }
        std::copy(values.begin(), values.end(), values_.begin() + static_cast<std::ptrdiff_t>(at * kStateValues));
        ++at;
      }
    }
  }

  SimulateOptions o_;
  std::vector<std::int64_t> object_offsets_, observation_offsets_, relation_offsets_;
  std::vector<double> times_, values_;
  std::vector<std::int32_t> sources_, targets_, types_;
  std::vector<float> weights_;
  std::vector<std::uint8_t> parts_;
  std::vector<double> origins_;
};

// Approximate bytes of the finished set; an allocation larger than the memory need not fail by itself.
double estimated_bytes(const SimulateOptions& o) {
  const double per_observation = 8.0 * (1 + kStateValues), per_relation = 16.0;
  const double length = static_cast<double>(most(o.horizon)), n = static_cast<double>(o.objects);
  const double train = static_cast<double>(o.train), test = static_cast<double>(o.test);
  return (train + 2 * test) * n * length * per_observation + (train + test) * n * (n - 1) * per_relation;
}

double memory_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

std::shared_ptr<Writer> make_writer(const SimulateOptions& options) {
  try {
    if (estimated_bytes(options) < memory_bytes()) return std::make_shared<Writer>(options);
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  throw ConfigError(fmt::format("{} systems of {} objects over {} recorded steps do not fit in memory; ask for fewer",
                                options.train + options.test, options.objects, options.horizon));
}

}  // namespace

Dataset simulate(const SimulateOptions& options, const std::function<void(std::int64_t, std::int64_t)>& progress,
                 const StopFlag* stop) {
  check_options(options);
  const std::shared_ptr<Writer> writer = make_writer(options);
  const std::int64_t total = options.train + options.test;
  const std::int64_t train_groups = (options.train + kLanes - 1) / kLanes;
  const std::int64_t test_groups = (options.test + kLanes - 1) / kLanes;
  std::mutex mutex;
  std::int64_t done = 0;
  parallel_tasks(train_groups + test_groups, options.threads, [&](std::int64_t group) {
    if (stop != nullptr && stop->requested()) throw Interrupted();
    // A group never mixes the parts: its lanes run equally long.
    const bool test = group >= train_groups;
    const std::int64_t first = test ? options.train + (group - train_groups) * kLanes : group * kLanes;
    const std::int64_t count = std::min<std::int64_t>(kLanes, (test ? total : options.train) - first);
    writer->simulate_group(first, count);
    if (progress) {
      const std::lock_guard lock(mutex);
      done += count;
      progress(done, total);
    }
  });
  return Dataset(describe(options), writer->arrays(), writer, "simulated data");
}

ParticleSystem initial_particles(const SimulateOptions& options, std::int64_t index) {
  const auto n = static_cast<std::size_t>(options.objects);
  const bool springs = options.physics == Physics::kSprings;
  Random random = stream(options, index, Draw::kState);
  ParticleSystem system{options.physics, options.objects, {}, {}, std::vector<double>(n * n)};

  std::vector<double> charges(n);
  for (double& charge : charges) charge = !springs && random.coin() ? -1.0 : 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double coupling = springs ? (random.coin() ? 1.0 : 0.0) : charges[i] * charges[j];
      system.coupling[i * n + j] = system.coupling[j * n + i] = coupling;
    }
  }
  for (std::size_t i = 0; i < 2 * n; ++i) {
    const double x = (springs ? 0.5 : 1.0) * random.normal();
    system.position.push_back(std::clamp(x, -kHalfWidth, kHalfWidth));
  }
  // A direction without trigonometry: the direction of two normal numbers.
  for (std::size_t i = 0; i < n; ++i) {
    double vx = 0.0;
    double vy = 0.0;
    do {
      vx = random.normal();
      vy = random.normal();
    } while (vx == 0.0 && vy == 0.0);
    const double norm = std::sqrt(vx * vx + vy * vy);
    system.velocity.push_back(kInitialSpeed * vx / norm);
    system.velocity.push_back(kInitialSpeed * vy / norm);
  }
  return system;
}

}  // namespace lgode::data
