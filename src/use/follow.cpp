// Decisions on streams of rows.
#include "lgode/use/follow.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "lgode/core/error.h"

namespace lgode::use {

std::vector<double> steps_ahead(const eval::RunInfo& info, std::optional<double> horizon, std::int64_t times) {
  const double reach = horizon.value_or(eval::trained_reach(info));
  std::vector<double> ahead;
  for (std::int64_t k = 1; k <= times; ++k)
    ahead.push_back(reach * static_cast<double>(k) / static_cast<double>(times));
  return ahead;
}

void check_stream(const eval::RunInfo& info, bool has_relations) {
  if (info.table.edges.kind != data::EdgeRule::Kind::kListed || has_relations || info.table.features.empty()) return;
  throw ConfigError(
      "the run's data lists its relations; pass the relations of the stream with `edges` FILE, a table with the "
      "columns source and target");
}

Pace::Pace(const eval::RunInfo& info, double rate)
    : gap_(rate > 0 || !info.table.time_format.empty() ? 0 : info.typical_gap) {}

void Pace::take(const std::string& scene, double time) {
  constexpr double kFar = 5;       // times the usual gap
  constexpr double kFrames = 0.5;  // data with longer gaps is not of a camera
  if (gap_ <= 0 || gap_ > kFrames) return;
  if (!first_) scene_ = scene, first_ = time;
  if (scene != scene_ || time == *first_) return;
  const bool whole = *first_ == std::floor(*first_) && time == std::floor(time);
  const double step = std::abs(time - *first_), gap = std::exchange(gap_, 0);
  if (!whole || step <= kFar * gap) return;
  throw ConfigError(fmt::format(
      "the times {:g} and {:g} look like frames: the run's data has a row every {:.4g}; give the number of frames per "
      "second with `rate`, such as {:.4g}, or `rate` 1 if these times are right",
      *first_, time, gap, step / gap));
}

std::optional<table::Problem> refused_row(const eval::RunInfo& info, std::span<const double> values,
                                          std::int64_t line) {
  if (eval::takes_missing(info)) return {};
  for (std::size_t f = 0; f < values.size(); ++f)
    if (std::isnan(values[f]) && !info.features[f].derived)
      return table::Problem{line, info.features[f].name, "",
                            "a value: the run was trained without missing ones (`hide_values` 0.2 trains for them)"};
  return {};
}

}  // namespace lgode::use
