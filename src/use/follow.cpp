// Decisions on streams of rows.
#include "lgode/use/follow.h"

#include <cmath>

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
