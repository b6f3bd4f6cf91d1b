// Finds units in brackets, or after the last underscores of a name.
#include "lgode/table/unit_names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <utility>

namespace lgode::table {
namespace {

constexpr std::string_view kUnits[] = {"m",
                                       "cm",
                                       "mm",
                                       "km",
                                       "dm",
                                       "um",
                                       "\xC2\xB5m",
                                       "\xCE\xBCm",
                                       "nm",
                                       "in",
                                       "inch",
                                       "ft",
                                       "yd",
                                       "mi",
                                       "px",
                                       "pix",
                                       "pixel",
                                       "pixels",
                                       "deg",
                                       "degrees",
                                       "\xC2\xB0",
                                       "rad",
                                       "grad",
                                       "turn",
                                       "s",
                                       "sec",
                                       "secs",
                                       "second",
                                       "seconds",
                                       "ms",
                                       "us",
                                       "\xC2\xB5s",
                                       "ns",
                                       "min",
                                       "h",
                                       "hr",
                                       "day",
                                       "days",
                                       "Hz",
                                       "kHz",
                                       "fps",
                                       "rpm",
                                       "N",
                                       "kN",
                                       "mN",
                                       "g",
                                       "kg",
                                       "mg",
                                       "Pa",
                                       "kPa",
                                       "bar",
                                       "V",
                                       "mV",
                                       "A",
                                       "mA",
                                       "W",
                                       "kW",
                                       "J",
                                       "K",
                                       "C",
                                       "\xC2\xB0"
                                       "C",
                                       "F",
                                       "%",
                                       "mol",
                                       "l",
                                       "ml",
                                       "BL",
                                       "kmh",
                                       "mps",
                                       "mph",
                                       "kn"};

// Of names such as x_cm: those that are hardly ever the end of another name.
constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
    {"cm", "cm"},           {"mm", "mm"},           {"km", "km"},         {"m", "m"},
    {"um", "um"},           {"px", "px"},           {"pixel", "px"},      {"pixels", "px"},
    {"ft", "ft"},           {"deg", "deg"},         {"rad", "rad"},       {"ms", "ms"},
    {"sec", "s"},           {"mps", "m/s"},         {"kmh", "km/h"},      {"m_s", "m/s"},
    {"cm_s", "cm/s"},       {"mm_s", "mm/s"},       {"px_s", "px/s"},     {"km_h", "km/h"},
    {"deg_s", "deg/s"},     {"rad_s", "rad/s"},     {"m_s2", "m/s2"},     {"m_per_s", "m/s"},
    {"cm_per_s", "cm/s"},   {"mm_per_s", "mm/s"},   {"px_per_s", "px/s"}, {"km_per_h", "km/h"},
    {"deg_per_s", "deg/s"}, {"rad_per_s", "rad/s"},
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool starts_any(std::string_view text, std::string_view& found, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (text.starts_with(word)) return found = word, true;
  return false;
}

// "s2", "s^-2", "s²": a known unit and, if there is one, its power.
bool is_power(std::string_view text) {
  for (const std::string_view mark : {"\xC2\xB2", "\xC2\xB3"})
    if (text.ends_with(mark)) text.remove_suffix(mark.size());
  const std::size_t digits = text.find_last_not_of("0123456789");
  if (digits == std::string_view::npos) return false;
  text = text.substr(0, digits + 1);
  if (text.ends_with('-')) text.remove_suffix(1);
  if (text.ends_with('^')) text.remove_suffix(1);
  return std::find(std::begin(kUnits), std::end(kUnits), text) != std::end(kUnits);
}

// Units with / * . · or blanks between them.
bool is_unit(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  if (text.empty() || text.size() > kLongest) return false;
  std::string_view found;
  for (std::size_t begin = 0, at = 0; at <= text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    const bool end = rest.empty();
    if (!end && !starts_any(rest, found, {"/", "*", "\xC2\xB7", ".", " per ", " "})) continue;
    if (!is_power(trimmed(text.substr(begin, at - begin)))) return false;
    if (end) return true;
    at += found.size() - 1;
    begin = at + 1;
  }
  return true;
}

// `X` was written with a unit, so it stands for x.
std::string lowered(std::string_view name) {
  std::string out(name);
  const bool capitals = std::all_of(out.begin(), out.end(), [](unsigned char c) { return std::islower(c) == 0; });
  if (capitals)
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

UnitName split_brackets(std::string_view column) {
  for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
    if (!column.ends_with(close)) continue;
    const std::size_t at = column.rfind(open);
    if (at == std::string_view::npos) continue;
    const std::string_view unit = trimmed(column.substr(at + 1, column.size() - at - 2));
    std::string_view name = trimmed(column.substr(0, at));
    while (name.ends_with('_')) name.remove_suffix(1);
    if (!name.empty() && is_unit(unit)) return {lowered(name), std::string(unit)};
  }
  return {std::string(column), ""};
}

}  // namespace

UnitName split_unit(std::string_view column) {
  UnitName found = split_brackets(column);
  if (!found.unit.empty()) return found;
  const std::pair<std::string_view, std::string_view>* best = nullptr;
  for (const auto& ending : kEndings) {
    const std::string_view end = ending.first;
    const bool here =
        column.size() > end.size() + 1 && column.ends_with(end) && column[column.size() - end.size() - 1] == '_';
    if (here && (best == nullptr || end.size() > best->first.size())) best = &ending;
  }
  // Of times a second, too: t_s, time_s.
  constexpr std::pair<std::string_view, std::string_view> kSeconds{"s", "s"};
  if (best == nullptr && (column == "t_s" || column == "time_s")) best = &kSeconds;
  if (best == nullptr) return found;
  return {lowered(column.substr(0, column.size() - best->first.size() - 1)), std::string(best->second)};
}

std::optional<std::size_t> column_named(const std::vector<std::string>& names, const std::vector<std::string>& units,
                                        const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const UnitName split = split_unit(name);
  for (std::size_t c = 0; c < units.size() && c < names.size(); ++c)
    if (!units[c].empty() && (names[c] == split.name || names[c] == lowered(name))) return c;
  // The unit is no longer in the table, or it is missing in the request.
  if (split.unit.empty()) return std::nullopt;
  const auto bare = std::find(names.begin(), names.end(), split.name);
  return bare == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(bare - names.begin()));
}

std::vector<UnitName> split_units(const std::vector<std::string>& columns) {
  std::vector<UnitName> names;
  std::map<std::string, int> count;
  for (const std::string& column : columns) {
    names.push_back(split_unit(column));
    ++count[names.back().name];
  }
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (!names[c].unit.empty() && count[names[c].name] > 1) names[c] = {columns[c], ""};
  return names;
}

}  // namespace lgode::table
