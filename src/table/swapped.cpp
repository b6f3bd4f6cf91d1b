// A trajectory is smooth: the positions of one object at neighbouring times are close. Where object and time are
// exchanged, one "object" has the rows of all objects at one time, which may be anywhere.
#include "table/swapped.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "lgode/core/error.h"
#include "lgode/core/median.h"
#include "lgode/table/cell.h"
#include "lgode/table/problem.h"

namespace lgode::table {
namespace {

constexpr std::size_t kMostRows = 50'000;  // from the first on: neighbours stay together
constexpr std::size_t kFewestSteps = 50;
constexpr double kSmoother = 5;

struct Row {
  std::uint32_t system = 0;
  double object = 0, time = 0;
  std::size_t index = 0;
};

// The table's first rows; nothing where an object is not a number or a time not a whole one.
std::vector<Row> first_rows(const ObservationTable& table) {
  std::vector<Row> rows;
  std::map<std::uint32_t, double> number_of;
  for (std::size_t i = 0; i < std::min(kMostRows, table.rows()); ++i) {
    const std::uint32_t object = table.object[i];
    if (object == kNoObject) continue;
    const ObjectIndex::Object& about = table.index.objects()[object];
    const auto [number, fresh] = number_of.try_emplace(object, 0);
    if (fresh) {
      const std::optional<double> id = parse_number(about.id, false);
      if (!id || !std::isfinite(*id)) return {};
      number->second = *id;
    }
    const double time = table.time_of(i);
    if (time != std::floor(time)) return {};
    rows.push_back({about.system, number->second, time, i});
  }
  return rows;
}

// Standard deviation of each position, 0 where it has no values.
std::vector<double> spread(const ObservationTable& table, const std::vector<Row>& rows,
                           const std::vector<std::size_t>& positions) {
  std::vector<double> out;
  for (const std::size_t f : positions) {
    double sum = 0, squares = 0, count = 0;
    for (const Row& row : rows) {
      const double x = table.value(row.index, f);
      if (std::isnan(x)) continue;
      sum += x, squares += x * x, ++count;
    }
    out.push_back(count > 0 ? std::sqrt(std::max(0.0, squares / count - sum / count * sum / count)) : 0);
  }
  return out;
}

// Median jump from row to row of an object, in units of the spread; nothing where there are too few.
std::optional<double> roughness(const ObservationTable& table, std::vector<Row> rows,
                                const std::vector<std::size_t>& positions, const std::vector<double>& scale) {
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tie(a.system, a.object, a.time) < std::tie(b.system, b.object, b.time);
  });
  std::vector<double> jumps;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].system != rows[i - 1].system || rows[i].object != rows[i - 1].object) continue;
    double square = 0;
    for (std::size_t p = 0; p < positions.size(); ++p) {
      if (scale[p] == 0) continue;
      const auto value = [&](const Row& row) { return table.value(row.index, positions[p]); };
      square += std::pow((value(rows[i]) - value(rows[i - 1])) / scale[p], 2);
    }
    if (!std::isnan(square)) jumps.push_back(std::sqrt(square));
  }
  if (jumps.size() < kFewestSteps) return std::nullopt;
  return median(std::move(jumps));
}

// The options that read the columns the other way round.
std::string corrected(const ImportOptions& options, const ObservationTable& table) {
  const std::string &object = table.columns[1], &time = table.columns[2];
  if (options.format.columns.empty()) return fmt::format("`object` {} `time` {}", time, object);
  std::vector<std::string> names = options.format.columns;
  for (std::string& name : names) name = name == object ? time : name == time ? object : name;
  return fmt::format("`columns` {}", fmt::join(names, ","));
}

}  // namespace

void check_not_swapped(const ImportOptions& options, const ObservationTable& table,
                       const std::vector<std::size_t>& positions) {
  if (table.dates()) return;
  const std::vector<Row> rows = first_rows(table);
  if (rows.empty()) return;
  const std::vector<double> scale = spread(table, rows, positions);
  std::vector<Row> exchanged = rows;
  for (Row& row : exchanged) std::swap(row.object, row.time);
  const auto given = roughness(table, rows, positions, scale);
  const auto other = roughness(table, std::move(exchanged), positions, scale);
  // No jump at all is a value that all objects share.
  if (!given || !other || *other == 0 || *given < kSmoother * *other) return;
  throw ConfigError(
      fmt::format("{}: the columns of objects ('{}') and times ('{}') seem to be exchanged: read the other way round, "
                  "trajectories are {:.0f} times smoother; pass {}, or `keep_columns` if the columns are right",
                  files_text({table.files.front().path}), table.columns[1], table.columns[2], *given / *other,
                  corrected(options, table)));
}

}  // namespace lgode::table
