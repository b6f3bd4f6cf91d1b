// The metrics over positions. docs/notation.md#metrics defines each; metrics of futures add nothing without futures.
#include "point_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace lgode::eval {
namespace {

constexpr double kSameTime = 1e-9;  // model times that differ by less are one

double average_distance(const PointSpan& object, std::size_t p) {
  double sum = 0;
  for (std::size_t k = 0; k < object.size(); ++k) sum += object.distance(k, p);
  return sum / static_cast<double>(object.size());
}

double final_distance(const PointSpan& object, std::size_t p) { return object.distance(object.size() - 1, p); }

// An error that is not a number is a miss.
double is_miss(double distance, const SystemPoints& system) { return distance <= system.limits.miss ? 0.0 : 1.0; }

// The future with the smallest error, the first of several; NaN if any of the errors is.
struct Least {
  double error = 0;
  std::size_t path = 1;
};
template <class Error>
Least least(const SystemPoints& system, const Error& error_of) {
  Least out{error_of(1), 1};
  for (std::size_t p = 2; p < system.paths && !std::isnan(out.error); ++p)
    if (const double error = error_of(p); std::isnan(error) || error < out.error) out = {error, p};
  return out;
}

// The path of the most probable future, the first of several.
std::size_t most_probable(const PointSpan& object) {
  const std::vector<double>& p = object.object->probability;
  return 1 + static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
}

template <class Value>
void each_object(const SystemPoints& system, Sums& sums, const Value& value_of) {
  for (const PointSpan& object : system.objects) sums.add(value_of(object));
}
template <class Value>
void each_object_with_futures(const SystemPoints& system, Sums& sums, const Value& value_of) {
  if (system.paths > 1) each_object(system, sums, value_of);
}

void add_ade(const SystemPoints& system, Sums& sums) {
  each_object(system, sums, [](const PointSpan& object) { return average_distance(object, 0); });
}
void add_fde(const SystemPoints& system, Sums& sums) {
  each_object(system, sums, [](const PointSpan& object) { return final_distance(object, 0); });
}
void add_miss_rate(const SystemPoints& system, Sums& sums) {
  each_object(system, sums, [&](const PointSpan& object) { return is_miss(final_distance(object, 0), system); });
}

void add_min_ade_1(const SystemPoints& system, Sums& sums) {
  each_object_with_futures(system, sums,
                           [](const PointSpan& object) { return average_distance(object, most_probable(object)); });
}
void add_min_fde_1(const SystemPoints& system, Sums& sums) {
  each_object_with_futures(system, sums,
                           [](const PointSpan& object) { return final_distance(object, most_probable(object)); });
}

Least least_ade(const SystemPoints& system, const PointSpan& object) {
  return least(system, [&](std::size_t p) { return average_distance(object, p); });
}
Least least_fde(const SystemPoints& system, const PointSpan& object) {
  return least(system, [&](std::size_t p) { return final_distance(object, p); });
}

void add_min_ade(const SystemPoints& system, Sums& sums) {
  each_object_with_futures(system, sums, [&](const PointSpan& object) { return least_ade(system, object).error; });
}
void add_min_fde(const SystemPoints& system, Sums& sums) {
  each_object_with_futures(system, sums, [&](const PointSpan& object) { return least_fde(system, object).error; });
}
void add_min_miss_rate(const SystemPoints& system, Sums& sums) {
  each_object_with_futures(system, sums,
                           [&](const PointSpan& object) { return is_miss(least_fde(system, object).error, system); });
}
void add_brier_min_fde(const SystemPoints& system, Sums& sums) {
  each_object_with_futures(system, sums, [&](const PointSpan& object) {
    const Least best = least_fde(system, object);
    const double other = 1 - object.object->probability[best.path - 1];
    return best.error + other * other;
  });
}

// The smallest over futures of the mean over objects: one future for all objects of the system.
template <class Error>
void add_least_of_scene(const SystemPoints& system, Sums& sums, const Error& error_of) {
  if (system.paths < 2) return;
  sums.add(least(system, [&](std::size_t p) {
             Sums objects;
             each_object(system, objects, [&](const PointSpan& object) { return error_of(object, p); });
             return objects.mean();
           }).error);
}
void add_min_ade_scene(const SystemPoints& system, Sums& sums) { add_least_of_scene(system, sums, average_distance); }
void add_min_fde_scene(const SystemPoints& system, Sums& sums) { add_least_of_scene(system, sums, final_distance); }

// The logarithm of the density of the true point k: independent normals around path p.
double log_normal(const PointSpan& object, std::size_t k, std::size_t p, std::size_t dimensions) {
  const double *errors = object.errors(k, p), *deviations = object.deviations(k);
  double sum = 0;
  for (std::size_t q = 0; q < dimensions; ++q) {
    const double z = errors[q] / deviations[q];
    sum -= 0.5 * z * z + std::log(deviations[q]) + 0.5 * std::log(2 * std::numbers::pi);
  }
  return sum;
}

// The same around the mean path or, where there are futures, of their mixture.
double log_density(const SystemPoints& system, const PointSpan& object, std::size_t k) {
  if (system.paths == 1) return log_normal(object, k, 0, system.dimensions);
  std::vector<double> parts;
  for (std::size_t p = 1; p < system.paths; ++p)
    parts.push_back(std::log(object.object->probability[p - 1]) + log_normal(object, k, p, system.dimensions));
  const double most = *std::max_element(parts.begin(), parts.end());
  if (!std::isfinite(most)) return most;
  double sum = 0;
  for (const double part : parts) sum += std::exp(part - most);
  return most + std::log(sum);
}

void add_nll(const SystemPoints& system, Sums& sums) {
  for (const PointSpan& object : system.objects) {
    Sums points;
    for (std::size_t k = 0; k < object.size(); ++k)
      if (!std::isnan(object.deviations(k)[0])) points.add(-log_density(system, object, k));
    if (points.count > 0) sums.add(points.mean());
  }
}

// A predicted place of an object at a time.
struct Place {
  double time = 0;
  const double* at = nullptr;  // [Q]
  std::size_t object = 0;
};

// Marks the objects with places at one time that are nearer to another one than `limit`. `begin` to `end` are in the
// order of their first coordinate, so that those far off are not compared.
template <class It>
void mark_collisions(It begin, It end, std::size_t dimensions, double limit, std::vector<char>& collides) {
  for (It a = begin; a != end; ++a)
    for (It b = std::next(a); b != end && b->at[0] - a->at[0] < limit; ++b) {
      double square = 0;
      for (std::size_t q = 0; q < dimensions; ++q) square += (b->at[q] - a->at[q]) * (b->at[q] - a->at[q]);
      if (a->object != b->object && square < limit * limit) collides[a->object] = collides[b->object] = 1;
    }
}

// Objects that have a time in common with another one: 1 if they are too near to another one at any of these times.
template <class PathOf>
void add_collisions(const SystemPoints& system, Sums& sums, const PathOf& path_of) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < system.objects.size(); ++i) {
    const PointSpan& object = system.objects[i];
    const std::size_t p = path_of(object);
    for (std::size_t k = 0; k < object.size(); ++k) {
      const double* at = object.predicted(k, p);
      if (std::all_of(at, at + system.dimensions, [](double x) { return std::isfinite(x); }))
        places.push_back({object.time(k), at, i});
    }
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.time < b.time; });
  std::vector<char> meets(system.objects.size()), collides(system.objects.size());
  for (auto begin = places.begin(); begin != places.end();) {
    const double time = begin->time;
    const auto end = std::find_if(begin, places.end(), [&](const Place& p) { return p.time - time > kSameTime; });
    if (std::any_of(begin, end, [&](const Place& p) { return p.object != begin->object; })) {
      std::for_each(begin, end, [&](const Place& p) { meets[p.object] = 1; });
      std::sort(begin, end, [](const Place& a, const Place& b) { return a.at[0] < b.at[0]; });
      mark_collisions(begin, end, system.dimensions, system.limits.collision, collides);
    }
    begin = end;
  }
  for (std::size_t i = 0; i < meets.size(); ++i)
    if (meets[i] != 0) sums.add(collides[i]);
}

void add_collision_rate(const SystemPoints& system, Sums& sums) {
  add_collisions(system, sums, [](const PointSpan&) { return std::size_t{0}; });
}
void add_collision_rate_1(const SystemPoints& system, Sums& sums) {
  if (system.paths > 1) add_collisions(system, sums, most_probable);
}

using enum Metric::Unit;

// {k} in a name stands for the number of futures.
constexpr PointMetric kMetrics[] = {
    {"ade", "ADE", kOriginal, add_ade},
    {"fde", "FDE", kOriginal, add_fde},
    {"miss_rate", "miss rate", kShare, add_miss_rate},
    {"min_ade_1", "minADE_1", kOriginal, add_min_ade_1},
    {"min_fde_1", "minFDE_1", kOriginal, add_min_fde_1},
    {"min_ade", "minADE_{k}", kOriginal, add_min_ade},
    {"min_fde", "minFDE_{k}", kOriginal, add_min_fde},
    {"min_miss_rate", "miss rate of {k}", kShare, add_min_miss_rate},
    {"brier_min_fde", "brier-minFDE_{k}", kOriginal, add_brier_min_fde},
    {"min_ade_scene", "minADE_{k} of scenes", kOriginal, add_min_ade_scene},
    {"min_fde_scene", "minFDE_{k} of scenes", kOriginal, add_min_fde_scene},
    {"nll", "NLL", kNats, add_nll},
    {"collision_rate", "collision rate", kShare, add_collision_rate},
    {"collision_rate_1", "collision rate, most probable", kShare, add_collision_rate_1},
};

}  // namespace

std::span<const PointMetric> point_metrics() { return kMetrics; }

}  // namespace lgode::eval
