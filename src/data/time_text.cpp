// Reads and writes dates through std::chrono's calendar. Instants are whole nanoseconds, so both are exact.
#include "lgode/data/time_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "lgode/core/error.h"

namespace lgode::data {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::array<std::int64_t, 10> kPowers = {1,      10,      100,      1000,      10000,
                                                  100000, 1000000, 10000000, 100000000, 1000000000};
// Years whose every instant fits 64 bits of nanoseconds.
constexpr int kFirstYear = 1678;
constexpr int kLastYear = 2261;
// Of times of day: predictions may continue after midnight.
constexpr int kLastHour = 99;

// Takes characters off the front of a text.
struct Scanner {
  std::string_view rest;

  bool take(char c) {
    if (rest.empty() || rest.front() != c) return false;
    rest.remove_prefix(1);
    return true;
  }
  // Exactly `count` digits, as a number up to `most`.
  bool number(std::size_t count, int most, int& value) {
    if (rest.size() < count) return false;
    value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (rest[i] < '0' || rest[i] > '9') return false;
      value = 10 * value + (rest[i] - '0');
    }
    rest.remove_prefix(count);
    return value <= most;
  }
};

// The fraction of a second in nanoseconds. Digits beyond the ninth must be zeros.
bool scan_fraction(Scanner& s, int& digits, std::int64_t& fraction) {
  while (!s.rest.empty() && s.rest.front() >= '0' && s.rest.front() <= '9') {
    const int digit = s.rest.front() - '0';
    s.rest.remove_prefix(1);
    if (digits == 9) {
      if (digit != 0) return false;
      continue;
    }
    fraction = 10 * fraction + digit;
    ++digits;
  }
  fraction *= kPowers[static_cast<std::size_t>(9 - digits)];
  return digits > 0;
}

bool scan_clock(Scanner& s, int last_hour, TimeStyle& style, std::int64_t& nanoseconds) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::int64_t fraction = 0;
  if (!s.number(2, last_hour, hour) || !s.take(':') || !s.number(2, 59, minute)) return false;
  style.seconds = s.take(':');
  if (style.seconds) {
    if (!s.number(2, 59, second)) return false;
    if ((s.take('.') || s.take(',')) && !scan_fraction(s, style.digits, fraction)) return false;
  }
  nanoseconds = (hour * 3600LL + minute * 60LL + second) * kSecond + fraction;
  return true;
}

// Minutes east of Greenwich.
std::optional<int> scan_zone(Scanner& s, std::string& zone) {
  if (s.rest.empty()) return 0;
  if (s.take('Z') || s.take('z')) {
    zone.assign(1, 'Z');
    return 0;
  }
  const bool west = s.rest.front() == '-';
  int hours = 0;
  int minutes = 0;
  if ((!s.take('+') && !s.take('-')) || !s.number(2, 23, hours)) return std::nullopt;
  if (!s.rest.empty()) {
    s.take(':');
    if (!s.number(2, 59, minutes)) return std::nullopt;
  }
  zone = fmt::format("{}{:02}:{:02}", west ? '-' : '+', hours, minutes);
  return (west ? -1 : 1) * (60 * hours + minutes);
}

// Minutes east of Greenwich of a zone as scan_zone writes it.
int zone_minutes(const std::string& zone) {
  Scanner s{zone};
  std::string ignored;
  return scan_zone(s, ignored).value_or(0);
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// hh:mm[:ss[.fraction]]
std::string clock_text(std::int64_t nanoseconds, const TimeStyle& style) {
  const std::int64_t seconds = nanoseconds / kSecond;
  std::string text = fmt::format("{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
  if (style.seconds || style.digits > 0) text += fmt::format(":{:02}", seconds % 60);
  if (style.digits > 0)
    text += fmt::format(".{:0{}}", nanoseconds % kSecond / kPowers[static_cast<std::size_t>(9 - style.digits)],
                        style.digits);
  return text;
}

}  // namespace

std::optional<Instant> parse_iso8601(std::string_view text) {
  Scanner s{text};
  int year = 0;
  int month = 0;
  int day = 0;
  if (!s.number(4, kLastYear, year) || !s.take('-') || !s.number(2, 12, month) || !s.take('-') || !s.number(2, 31, day))
    return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || year < kFirstYear) return std::nullopt;
  Instant instant;
  std::int64_t clock = 0;
  instant.style.separator = 0;
  if (!s.rest.empty()) {
    instant.style.separator = s.rest.front() == ' ' ? ' ' : 'T';
    if (!s.take('T') && !s.take('t') && !s.take(' ')) return std::nullopt;
    if (!scan_clock(s, 23, instant.style, clock)) return std::nullopt;
  }
  const std::optional<int> zone = scan_zone(s, instant.style.zone);
  if (!zone || !s.rest.empty()) return std::nullopt;
  const std::int64_t days = sys_days(date).time_since_epoch().count();
  instant.nanoseconds = days * 86400 * kSecond + clock - *zone * 60 * kSecond;
  return instant;
}

std::optional<Instant> parse_clock(std::string_view text) {
  Scanner s{text};
  Instant instant;
  instant.style.date = false;
  if (!scan_clock(s, kLastHour, instant.style, instant.nanoseconds) || !s.rest.empty()) return std::nullopt;
  return instant;
}

// A double would round the nanoseconds of more than about a hundred days.
double seconds_of(std::int64_t nanoseconds) {
  const std::int64_t whole = nanoseconds / kSecond;
  return static_cast<double>(whole) + static_cast<double>(nanoseconds % kSecond) / 1e9;
}

std::string format_iso8601(std::int64_t nanoseconds, const TimeStyle& style) {
  using namespace std::chrono;
  const std::int64_t local = nanoseconds + zone_minutes(style.zone) * 60 * kSecond;
  const auto day = floor<days>(sys_time<std::chrono::nanoseconds>(std::chrono::nanoseconds(local)));
  const year_month_day date(day);
  const std::int64_t clock = local - day.time_since_epoch().count() * 86400 * kSecond;
  std::string text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (style.separator == 0) return text + style.zone;
  return text + style.separator + clock_text(clock, style) + style.zone;
}

std::string style_pattern(const TimeStyle& style) {
  std::string text = style.date ? "YYYY-MM-DD" : "";
  if (style.date && style.separator != 0) text += style.separator;
  if (!style.date || style.separator != 0) text += style.seconds ? "hh:mm:ss" : "hh:mm";
  if (style.digits > 0) text += fmt::format(".{:s<{}}", "", style.digits);
  return text + style.zone;
}

TimeStyle style_of_pattern(const std::string& pattern) {
  std::string_view rest = pattern;
  const auto take = [&rest](std::string_view part) {
    if (!rest.starts_with(part)) return false;
    rest.remove_prefix(part.size());
    return true;
  };
  TimeStyle style;
  style.date = take("YYYY-MM-DD");
  const bool known = style.date || take("hh:mm");
  if (style.date) style.separator = take("Thh:mm") ? 'T' : (take(" hh:mm") ? ' ' : '\0');
  style.seconds = take(":ss");
  if (style.seconds && take("."))
    while (take("s")) ++style.digits;
  style.zone = rest;
  Scanner zone{rest};
  std::string as_written;
  if (!known || style.digits > 9 || (!style.date && !rest.empty()) || !scan_zone(zone, as_written) ||
      !zone.rest.empty() || as_written != style.zone)
    throw DataError(fmt::format("'{}' is not a format of times such as YYYY-MM-DDThh:mm:ssZ", pattern));
  return style;
}

double time_shift(const Description& from, const Description& to) {
  const auto first = parse_iso8601(from.time_origin), second = parse_iso8601(to.time_origin);
  return first && second ? seconds_of(first->nanoseconds - second->nanoseconds) : 0;
}

std::string count_text(double time, double rate) {
  if (!(rate > 0)) return fmt::format("{}", time);
  // A time since another one has the rounding errors of both.
  constexpr double kRounding = 1e-9, kRelative = 1e-13;
  const double count = time * rate;
  for (const double candidate : {std::round(count), std::round(count * 1e3) / 1e3, std::round(count * 1e6) / 1e6})
    if (candidate / rate == time || std::abs(candidate - count) <= kRounding + kRelative * std::abs(count))
      return fmt::format("{}", candidate);
  return fmt::format("{}", count);
}

TimeText::TimeText(const Description& description) : dates_(!description.time_format.empty()) {
  if (!dates_) return;
  style_ = style_of_pattern(description.time_format);
  if (!style_.date) return;
  const std::optional<Instant> origin = parse_iso8601(description.time_origin);
  if (!origin) throw DataError(fmt::format("the time origin '{}' is not an ISO 8601 time", description.time_origin));
  origin_ = origin->nanoseconds;
}

// The nearest instant that has no more digits.
std::int64_t TimeText::nanoseconds(double time, int digits) const {
  const double limit = 9.2e9 - std::abs(static_cast<double>(origin_)) / 1e9;
  const double since = std::clamp(time, -limit, limit);
  const double whole = std::floor(since);
  const std::int64_t unit = kPowers[static_cast<std::size_t>(9 - digits)];
  const std::int64_t at = origin_ + static_cast<std::int64_t>(whole) * kSecond + std::llround((since - whole) * 1e9);
  const std::int64_t below = (at >= 0 ? at : at - unit + 1) / unit * unit;
  return at - below < unit - (at - below) ? below : below + unit;
}

std::string TimeText::operator()(double time) const {
  if (!dates_ || (clock() && !(time >= 0 && time < (kLastHour + 1) * 3600.0))) return fmt::format("{}", time);
  TimeStyle style = style_;
  // A time between two times of the file takes more digits than they have.
  for (const int digits : {style_.digits, 3, 6, 9}) {
    if (digits < style_.digits) continue;
    const std::int64_t at = nanoseconds(time, digits);
    const bool whole = seconds_of(at - origin_) == time;
    if (clock()) {
      if (digits < 9 && !whole) continue;
      style.digits = digits;
      style.seconds = style.seconds || at % (60 * kSecond) != 0;
      return clock_text(at, style);
    }
    const bool fits = style_.separator != 0 ? style_.seconds || at % (60 * kSecond) == 0 : at % (86400 * kSecond) == 0;
    if (digits < 9 && !whole) continue;
    style.digits = digits;
    if (!fits) {
      style.separator = style.separator == 0 ? 'T' : style.separator;
      style.seconds = true;
    }
    return format_iso8601(at, style);
  }
  return {};
}

bool TimeText::exact(double time) const { return parse((*this)(time)) == time; }

std::optional<double> TimeText::parse(std::string_view text) const {
  if (const std::optional<double> number = parse_number(text)) return number;
  if (!dates_) return std::nullopt;
  const std::optional<Instant> instant = clock() ? parse_clock(text) : parse_iso8601(text);
  std::int64_t since = 0;
  if (!instant || __builtin_sub_overflow(instant->nanoseconds, origin_, &since)) return std::nullopt;
  return seconds_of(since);
}

}  // namespace lgode::data
