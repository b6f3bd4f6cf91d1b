// Reads the rows of a block: fields become times, values and the numbers of objects.
#include "table/csv/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <set>
#include <unordered_map>

#include "lgode/table/csv/cursor.h"

namespace lgode::table {
namespace {

constexpr const char* kNumberOrDate = "a time: a number, ISO 8601 such as 2024-03-01T12:30:00Z, or a time of day";
constexpr const char* kDate = "an ISO 8601 time such as 2024-03-01 or 2024-03-01T12:30:00Z, in the years 1678 to 2261";
constexpr const char* kClock = "a time of day such as 12:30 or 12:30:05.25, as in the first row";
constexpr const char* kOneKind = "one table has numbers, dates or times of day, not several kinds";

struct KeyHash {
  std::size_t operator()(const std::pair<std::string_view, std::string_view>& key) const {
    const std::hash<std::string_view> hash;
    return hash(key.first) * 0x9E3779B97F4A7C15ULL ^ hash(key.second);
  }
};

class BlockParser {
 public:
  BlockParser(const Layout& layout, BlockRows& out)
      : layout_(layout), out_(out), dates_(layout.kind == TimeKind::kDate || layout.kind == TimeKind::kClock) {}

  void parse() {
    CsvCursor cursor(out_.text, layout_.delimiter);
    const std::size_t guess = out_.text.size() / (8 * layout_.width) + 1;
    out_.object.reserve(guess), out_.line.reserve(guess);
    if (dates_)
      out_.instants.reserve(guess);
    else
      out_.numbers.reserve(guess);
    out_.values.reserve(guess * layout_.roles.features.size());
    while (cursor.next()) {
      line_ = cursor.line();
      if (parse_row(cursor)) continue;
      out_.values.resize(out_.object.size() * layout_.roles.features.size());
      if (cursor.fault() || cursor.fields().size() != layout_.width) continue;
      out_.bad_ids.emplace(object_of(cursor.fields()));
      if (!layout_.roles.system.empty()) out_.bad_ids.emplace(system_of(cursor.fields()));
    }
    out_.lines = cursor.lines();
  }

 private:
  bool refuse(std::size_t column, std::string_view found, std::string expected) {
    out_.problems.push_back({.line = line_,
                             .column = column == kNoColumn ? "" : layout_.column(column),
                             .found = std::string(found),
                             .expected = std::move(expected)});
    return false;
  }

  bool parse_row(const CsvCursor& cursor) {
    const auto fields = cursor.fields();
    if (cursor.fault()) {
      out_.unclosed |= cursor.fault()->unclosed;
      return refuse(std::min(cursor.fault()->field, layout_.width - 1), cursor.fault()->found,
                    cursor.fault()->expected);
    }
    if (fields.size() != layout_.width) return refuse_width(fields.size());
    if (!parse_time(fields[layout_.roles.time])) return false;
    for (const std::size_t column : layout_.roles.features) {
      double value = 0;
      if (!parse_value(column, fields[column], value)) return false;
      out_.values.push_back(value);
    }
    std::uint32_t object = 0;
    if (!find_object(fields, object)) return false;
    out_.object.push_back(object);
    out_.line.push_back(static_cast<std::uint32_t>(line_));
    if (dates_)
      out_.instants.push_back(instant_);
    else
      out_.numbers.push_back(number_);
    return true;
  }

  bool refuse_width(std::size_t count) {
    const bool comma = layout_.delimiter == ',' && count > layout_.width;
    return refuse(kNoColumn, fmt::format("{} field{}", count, count == 1 ? "" : "s"),
                  fmt::format("{} as in the header{}", layout_.width,
                              !comma ? ""
                              : layout_.like_set
                                  ? "; fields with commas need quotes"
                                  : "; decimal commas need another `delimiter`, and fields with commas need quotes"));
  }

  // Sets instant_ or number_.
  bool parse_time(std::string_view field) {
    if (layout_.kind == TimeKind::kDate) return parse_date(field);
    if (layout_.kind == TimeKind::kClock) return parse_time_of_day(field);
    const std::optional<double> number = parse_number(field, layout_.decimal_comma);
    if (number && std::abs(*number) <= layout_.largest_time) {
      number_ = *number;
      out_.compact_dates = out_.compact_dates && is_compact_date(*number);
      return true;
    }
    if (data::parse_iso8601(trim(field)) || data::parse_clock(trim(field)))
      return refuse(layout_.roles.time, field, fmt::format("a number, as in the first row; {}", kOneKind));
    if (number)
      return refuse(
          layout_.roles.time, field,
          fmt::format("a time in the range from {0:g} to {1:g}", -layout_.largest_time, layout_.largest_time));
    if (looks_like_date(trim(field))) return refuse(layout_.roles.time, field, kDate);
    return refuse(layout_.roles.time, field, number_expected(field, kNumberOrDate));
  }

  bool parse_date(std::string_view field) {
    const std::optional<data::Instant> instant = data::parse_iso8601(trim(field));
    if (!instant) return refuse(layout_.roles.time, field, kDate);
    if (instant->style.zone.empty() == layout_.zoned)
      return refuse(
          layout_.roles.time, field,
          layout_.zoned ? "a time with its zone, as in the first row" : "a time without zone, as in the first row");
    out_.digits = std::max(out_.digits, instant->style.digits);
    instant_ = instant->nanoseconds;
    return true;
  }

  bool parse_time_of_day(std::string_view field) {
    const std::optional<data::Instant> instant = data::parse_clock(trim(field));
    if (!instant) return refuse(layout_.roles.time, field, kClock);
    out_.digits = std::max(out_.digits, instant->style.digits);
    out_.seconds |= instant->style.seconds;
    instant_ = instant->nanoseconds;
    return true;
  }

  static std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? text : text.substr(first, text.find_last_not_of(' ') - first + 1);
  }

  // A year and a dash: 1600-01-01, 2024-03, 2024-W10-5; or the form without dashes, with a time of day.
  static bool looks_like_date(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == text.size()) return false;
    return (digits == 4 && text[4] == '-') || (digits == 8 && (text[8] == 'T' || text[8] == 't'));
  }

  // YYYYMMDD, and as such a date of the last or this century.
  static bool is_compact_date(double number) {
    if (!(number >= 19000101 && number <= 20991231) || number != std::floor(number)) return false;
    const auto digits = static_cast<std::int64_t>(number);
    const std::int64_t month = digits / 100 % 100, day = digits % 100;
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
  }

  bool parse_value(std::size_t column, std::string_view field, double& value) {
    if (field.empty() || layout_.missing.own(field)) {
      value = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    const std::optional<double> number = parse_number(field, layout_.decimal_comma);
    if (number && std::abs(*number) <= data::kLargestValue) {
      value = *number;
      return true;
    }
    if (is_missing_text(field)) {
      value = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    if (number && std::isfinite(*number))
      return refuse(column, field,
                    fmt::format("a number from {:g} to {:g}", -data::kLargestValue, data::kLargestValue));
    if (number) return refuse(column, field, "a finite number; leave the field empty where the value is missing");
    const std::string usual = "a number, or an empty field where it is missing";
    std::string expected = number_expected(field, usual);
    const bool number_like = expected != usual;
    if (layout_.all_features && advised_.insert(column).second)
      expected += "; if this column is not a feature, name the features with `features`";
    refuse(column, field, std::move(expected));
    out_.problems.back().is_value = !number_like;
    return false;
  }

  // Adds advice if the field is a number in another notation.
  std::string number_expected(std::string_view field, std::string expected) const {
    const bool comma =
        !layout_.decimal_comma && field.find(',') != std::string_view::npos && parse_number(field, true).has_value();
    if (comma && layout_.like_set) return expected + ", with a decimal point as in the imported table";
    if (comma) return expected + "; numbers with decimal commas are read with `decimal_comma`";
    const bool digits = !field.empty() && field.find_first_not_of(" +-.0123456789eE") == std::string_view::npos &&
                        field.find_first_of("eE") != std::string_view::npos;
    return digits ? expected + ", from -1.8e308 to 1.8e308" : expected;
  }

  // The object of the row, often the same as in the row before.
  bool find_object(std::span<const std::string_view> fields, std::uint32_t& object) {
    const std::string_view system = system_of(fields);
    const std::string_view id = object_of(fields);
    if (last_ < out_.keys.size() && out_.keys[last_].first == system && out_.keys[last_].second == id) {
      object = last_;
      return true;
    }
    const auto found = known_.find({system, id});
    if (found != known_.end()) {
      object = last_ = found->second;
      return true;
    }
    for (const std::size_t column : layout_.roles.system)
      if (!check_id(column, fields[column], "system")) return false;
    if (layout_.roles.object != kNoColumn && !check_id(layout_.roles.object, id, "object")) return false;
    object = last_ = static_cast<std::uint32_t>(out_.keys.size());
    out_.keys.emplace_back(system, id);
    out_.key_lines.push_back(line_);
    // Fields may live in the cursor, for this row only.
    names_.emplace_back(system);
    const std::string_view kept_system = names_.back();
    names_.emplace_back(id);
    known_.emplace(std::pair{kept_system, std::string_view(names_.back())}, object);
    return true;
  }

  std::string_view object_of(std::span<const std::string_view> fields) const {
    return layout_.roles.object == kNoColumn ? std::string_view(layout_.file_object) : fields[layout_.roles.object];
  }

  // Valid until the next row.
  std::string_view system_of(std::span<const std::string_view> fields) {
    if (layout_.roles.system.empty()) return layout_.file_system;
    if (layout_.roles.system.size() == 1) return fields[layout_.roles.system.front()];
    join_system(fields, layout_.roles.system, joined_);
    return joined_;
  }

  bool check_id(std::size_t column, std::string_view id, const char* what) {
    if (id.empty()) return refuse(column, id, fmt::format("the id of the {}", what));
    if (!is_utf8(id))
      return refuse(column, id, fmt::format("the id of the {} in UTF-8; save the file in this encoding", what));
    return true;
  }

  const Layout& layout_;
  BlockRows& out_;
  bool dates_;
  double number_ = 0;         // the row's time, or
  std::int64_t instant_ = 0;  // nanoseconds
  std::int64_t line_ = 0;
  std::uint32_t last_ = std::numeric_limits<std::uint32_t>::max();
  std::set<std::size_t> advised_;  // columns about which advice was given
  std::string joined_;
  std::deque<std::string> names_;
  std::unordered_map<std::pair<std::string_view, std::string_view>, std::uint32_t, KeyHash> known_;
};

}  // namespace

void parse_block(const Layout& layout, BlockRows& block) { BlockParser(layout, block).parse(); }

}  // namespace lgode::table
