// Times of a table as times of a data set.
#include "lgode/table/clock.h"

#include "lgode/table/cell.h"

namespace lgode::table {

TableClock TableClock::from(const data::Description& description) {
  TableClock clock;
  clock.rate = description.rate;
  if (description.time_format.empty() || !data::style_of_pattern(description.time_format).date) return clock;
  if (const auto origin = data::parse_iso8601(description.time_origin)) clock.origin = origin->nanoseconds;
  return clock;
}

TableTimes::TableTimes(const data::Description& description)
    : clock_(TableClock::from(description)), text_(description), decimal_comma_(description.decimal_comma) {}

std::optional<double> TableTimes::operator()(std::string_view text) const {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text_.dates()) return text_.parse(text);
  const std::optional<double> count = parse_number(text, decimal_comma_);
  return count ? std::optional(clock_.number(*count)) : std::nullopt;
}

}  // namespace lgode::table
