// Measures the gaps of a table, read as whole recordings.
#include "lgode/use/table_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgode/core/error.h"
#include "lgode/core/median.h"
#include "lgode/data/observed_rows.h"
#include "lgode/table/import.h"
#include "lgode/table/options.h"
#include "lgode/use/format.h"

namespace lgode::use {
namespace {

constexpr double kUsual = 1.5;        // of the median: a longer time between two values is a gap
constexpr std::size_t kLengths = 15;  // that are kept

// Times between neighbouring values of every object and measured feature.
std::vector<double> distances(const data::Dataset& set) {
  std::vector<double> found;
  const std::vector<data::Feature>& features = set.description().features;
  const auto width = static_cast<std::size_t>(set.features());
  for (std::int64_t s = 0; s < set.systems(); ++s)
    for (std::int64_t i = set.first_object(s); i < set.first_object(s) + set.objects_of(s); ++i)
      for (std::size_t f = 0; f < width; ++f) {
        if (features[f].derived) continue;
        const std::span<const double> values = set.values_of(i);
        data::for_each_gap(
            set.times_of(i), [&](std::size_t k) { return std::isnan(values[k * width + f]); },
            [&](double gap) { found.push_back(gap); });
      }
  return found;
}

}  // namespace

std::vector<std::string> table_gaps(const std::filesystem::path& table, const data::Dataset& dataset,
                                    const std::filesystem::path& scratch_folder, const StopFlag* stop) {
  table::ImportOptions import = table::table_import(dataset.description());
  import.observations = {table};
  import.relations.rule = data::EdgeRule::Kind::kListed;
  import.arrangement.split = 1.0;
  import.skip_bad_rows = true;
  import.scratch_folder = scratch_folder;
  table::ImportReport report;
  std::vector<double> gaps = distances(table::import_csv(import, report, {}, stop));
  const double usual = gaps.empty() ? 0.0 : kUsual * median(gaps);
  std::erase_if(gaps, [&](double gap) { return gap <= usual; });
  if (gaps.empty())
    throw DataError(fmt::format(
        "{}: has no gaps: neighbouring values of an object are nowhere farther apart than {}; name lengths with `gaps`",
        table.string(), format_number(usual)));
  std::sort(gaps.begin(), gaps.end());
  std::vector<std::string> lengths;
  const std::size_t count = std::min(kLengths, gaps.size());
  for (std::size_t i = 0; i < count; ++i)
    lengths.push_back(format_number(gaps[(2 * i + 1) * gaps.size() / (2 * count)]));
  return lengths;
}

train::RunConfig settle_gaps(train::RunConfig config, const data::Dataset& dataset, const StopFlag* stop) {
  if (config.train.gaps_from.empty() || !config.task.gaps.empty()) return config;
  config.task.gaps = table_gaps(config.train.gaps_from, dataset, ".", stop);
  return config;
}

}  // namespace lgode::use
