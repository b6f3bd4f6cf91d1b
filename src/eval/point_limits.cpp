// Default distances of misses and collisions, for positions in metres and in other units.
#include <fmt/format.h>

#include "lgode/eval/points.h"

namespace lgode::eval {
namespace {

// How many of the unit make a metre; none for a unit that is not known as a length.
std::optional<double> per_metre(std::string_view unit) {
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"m", 1},     {"metre", 1},  {"metres", 1},      {"meter", 1},         {"meters", 1},       {"cm", 100},
      {"mm", 1000}, {"km", 0.001}, {"ft", 1 / 0.3048}, {"foot", 1 / 0.3048}, {"feet", 1 / 0.3048}};
  for (const auto& [name, number] : kUnits)
    if (name == unit) return number;
  return {};
}

}  // namespace

PointLimits point_limits(std::string_view unit, std::optional<double> miss, std::optional<double> collision,
                         std::string& note) {
  const PointLimits metres;
  const std::optional<double> factor = per_metre(unit);
  const PointLimits out{.miss = miss.value_or(metres.miss * factor.value_or(1)),
                        .collision = collision.value_or(metres.collision * factor.value_or(1))};
  if (factor || (miss && collision)) return out;
  note = fmt::format("{}; set {} to what fits your data",
                     unit.empty() ? "positions have no unit"
                                  : fmt::format("the unit of the positions, {}, is not known as a length", unit),
                     miss        ? "`collision_distance`"
                     : collision ? "`miss_distance`"
                                 : "`miss_distance` and `collision_distance`");
  return out;
}

}  // namespace lgode::eval
