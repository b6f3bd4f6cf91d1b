// The classical methods that every model is compared with: their keys, names and order. Files, tables and pages take
// them from here; data/classical/classical.h computes them. No LibTorch, and no other module.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace lgode {

enum class Classical {
  kLinear,  // the line between the neighbouring observations; outside them the nearest value
  // Cubic Hermite from values and velocities; outside the observations as constant velocity. Where the data has no
  // velocity, the derivative of the parabola through three neighbouring observations, at the ends the difference of
  // two.
  kHermite,
  kHold,              // the latest observation (before the first one: the first)
  kConstantVelocity,  // the latest observation extrapolated with its velocity (a feature, or the latest difference)
  // The same with a velocity v that decays: x(t) = x + v (1 - exp(-c dt)) / c. A feature that is a velocity itself:
  // v exp(-c dt). Before the observation, constant velocity. For forecasts only; not used between observations.
  kDampedVelocity,
  kKalman,  // a Kalman smoother (data/classical/kalman.h)
};

struct ClassicalMethod {
  Classical kind;
  std::string_view key;   // in JSON: evaluations, records, calibrations, runs
  std::string_view name;  // in tables and pages
  const char* word;       // in options
  // The method with the same forecasts: after the last observation linear equals hold, and cubic Hermite equals
  // constant velocity. One column is enough for both. The method itself: its forecasts are its own.
  Classical forecasts_as;
  bool fitted = false;           // takes numbers from the training part; runs without these numbers skip the method
  bool only_forecasts = false;   // not used between observations
  bool in_paper_tables = false;  // has a row in the tables of `lgode reproduce`, whose records have it
};

// In the order of every table.
inline constexpr ClassicalMethod kClassicalMethods[] = {
    {.kind = Classical::kLinear,
     .key = "linear",
     .name = "linear",
     .word = "linear",
     .forecasts_as = Classical::kHold,
     .in_paper_tables = true},
    {.kind = Classical::kHermite,
     .key = "cubic_hermite",
     .name = "cubic Hermite",
     .word = "hermite",
     .forecasts_as = Classical::kConstantVelocity,
     .in_paper_tables = true},
    {.kind = Classical::kHold,
     .key = "hold",
     .name = "hold",
     .word = "hold",
     .forecasts_as = Classical::kHold,
     .in_paper_tables = true},
    {.kind = Classical::kConstantVelocity,
     .key = "constant_velocity",
     .name = "constant velocity",
     .word = "constant-velocity",
     .forecasts_as = Classical::kConstantVelocity,
     .in_paper_tables = true},
    {.kind = Classical::kDampedVelocity,
     .key = "damped_velocity",
     .name = "damped velocity",
     .word = "damped",
     .forecasts_as = Classical::kDampedVelocity,
     .fitted = true,
     .only_forecasts = true},
    {.kind = Classical::kKalman,
     .key = "kalman",
     .name = "Kalman smoother",
     .word = "kalman",
     .forecasts_as = Classical::kKalman,
     .fitted = true},
};

constexpr bool classical_methods_are_in_order() {
  for (std::size_t k = 0; k < std::size(kClassicalMethods); ++k)
    if (static_cast<std::size_t>(kClassicalMethods[k].kind) != k) return false;
  return true;
}
static_assert(classical_methods_are_in_order(), "one entry per Classical, in the order of the enumeration");

constexpr const ClassicalMethod& classical_method(Classical kind) {
  return kClassicalMethods[static_cast<std::size_t>(kind)];
}

// The keys as a list for FieldWriter and FieldReader (core/fields.h).
struct ClassicalKeys {
  std::pair<Classical, const char*> list[std::size(kClassicalMethods)] = {};
};
constexpr ClassicalKeys classical_keys() {
  ClassicalKeys keys;
  for (std::size_t k = 0; k < std::size(kClassicalMethods); ++k)
    keys.list[k].first = kClassicalMethods[k].kind, keys.list[k].second = kClassicalMethods[k].key.data();
  return keys;
}
inline constexpr ClassicalKeys kClassicalKeys = classical_keys();

// Null for a key that this version does not have.
constexpr const ClassicalMethod* find_classical_method(std::string_view key) {
  for (const ClassicalMethod& method : kClassicalMethods)
    if (method.key == key) return &method;
  return nullptr;
}

// The name for tables; of an unknown key, the key.
inline std::string classical_display_name(std::string_view key) {
  const ClassicalMethod* method = find_classical_method(key);
  return std::string(method != nullptr ? method->name : key);
}

// Whether a table of forecasts shows the method: another one has the same forecasts otherwise.
constexpr bool has_own_forecasts(std::string_view key) {
  const ClassicalMethod* method = find_classical_method(key);
  return method == nullptr || method->forecasts_as == method->kind;
}

}  // namespace lgode
