// Dates become seconds since the earliest one, counts are divided by their rate.
#include "table/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lgode/core/error.h"
#include "table/import_context.h"

namespace lgode::table {
namespace {

// The instant of time 0 of a table with dates: the earliest one, or the origin of the restored set. 0 where every row
// is bad, which is reported later.
std::int64_t find_origin(const ImportOptions& options, const ObservationTable& table) {
  if (options.known) {
    const data::Description& known = options.known->description;
    const auto instant = data::parse_iso8601(known.time_origin);
    const bool clock = !known.time_format.empty() && known.time_origin.empty();
    if (options.known->seconds || clock == table.time.instants->date || (!clock && !instant))
      throw DataError(
          fmt::format("{}: found dates or times of day, expected times as dataset.json says", table_name(options)));
    return clock ? 0 : instant->nanoseconds;
  }
  if (!table.time.instants->date) return 0;
  std::optional<std::int64_t> origin;
  for (std::size_t i = 0; i < table.rows(); ++i)
    if (table.object[i] != kNoObject) origin = std::min(origin.value_or(table.time.instant(i)), table.time.instant(i));
  return origin.value_or(0);
}

// Nanoseconds since the origin must fit 64 bits.
void check_distances(const ImportOptions& options, const ObservationTable& table, std::int64_t origin) {
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::int64_t since = 0;
    if (table.object[i] == kNoObject || !__builtin_sub_overflow(table.time.instant(i), origin, &since)) continue;
    data::TimeStyle day = *table.time.instants;
    day.seconds = false;
    throw DataError(fmt::format(
        "{}: dates from {} to {} are more than 292 years apart; cut the table into shorter ones, or give "
        "times as numbers",
        table_name(options), data::format_iso8601(origin, day), data::format_iso8601(table.time.instant(i), day)));
  }
}

// Puts the origin of dates and their style into the description.
void settle_dates(const ImportOptions& options, ObservationTable& table, data::Description& description) {
  const data::TimeStyle& style = *table.time.instants;
  table.clock.origin = find_origin(options, table);
  check_distances(options, table, table.clock.origin);
  description.time_format = data::style_pattern(style);
  description.time_unit.assign(1, 's');
  if (!style.date) return;
  data::TimeStyle exact = style;
  exact.seconds = true;
  exact.separator = exact.separator == 0 ? 'T' : exact.separator;
  description.time_origin = data::format_iso8601(table.clock.origin, exact);
}

}  // namespace

void settle_times(const ImportOptions& options, ObservationTable& table, data::Description& description) {
  const double rate = options.roles.rate;
  description.time_unit = options.roles.time_unit;
  if (table.dates() && rate > 0)
    throw ConfigError(fmt::format("`rate` {}: is for times that are counts, but {} has dates or times of day", rate,
                                  table_name(options)));
  if (table.dates()) settle_dates(options, table, description);
  if (rate <= 0) return;
  table.clock.rate = rate;
  description.rate = rate;
  description.time_unit.assign(1, 's');
}

}  // namespace lgode::table
