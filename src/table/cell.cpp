// Numbers and missing values as tables write them.
#include "lgode/table/cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace lgode::table {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

}  // namespace

std::optional<double> parse_number(std::string_view text, bool decimal_comma) {
  text = trimmed(text);
  std::string copy;
  if (decimal_comma && text.find(',') != std::string_view::npos) {
    if (text.find('.') != std::string_view::npos) return std::nullopt;
    copy = text;
    copy[copy.find(',')] = '.';
    text = copy;
  }
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_missing_text(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return true;
  if (text.size() > 4) return false;
  for (const std::string_view word : {"nan", "na", "n/a", "#n/a", "null", "none", "-nan", "-"})
    if (equal_ignoring_case(text, word)) return true;
  return false;
}

MissingWords::MissingWords(const std::vector<std::string>& own, bool decimal_comma) : decimal_comma_(decimal_comma) {
  for (const std::string& word : own) {
    words_.emplace_back(trimmed(word));
    for (char& c : words_.back()) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (const std::optional<double> number = parse_number(word, decimal_comma)) numbers_.push_back(*number);
  }
}

bool MissingWords::own(std::string_view text) const {
  if (words_.empty()) return false;
  text = trimmed(text);
  for (const std::string& word : words_)
    if (equal_ignoring_case(text, word)) return true;
  if (numbers_.empty()) return false;
  const std::optional<double> number = parse_number(text, decimal_comma_);
  return number && std::find(numbers_.begin(), numbers_.end(), *number) != numbers_.end();
}

bool runs_in_spreadsheet(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos &&
         !parse_number(text, false) && !parse_number(text, true);
}

std::string spreadsheet_safe(std::string_view text) {
  return runs_in_spreadsheet(text) ? fmt::format("'{}", text) : std::string(text);
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t more = lead < 0x80                    ? 0
                             : lead >= 0xC2 && lead < 0xE0  ? 1
                             : lead >= 0xE0 && lead < 0xF0  ? 2
                             : lead >= 0xF0 && lead <= 0xF4 ? 3
                                                            : text.size();
    if (i + more >= text.size()) return false;
    std::uint32_t code = more == 0 ? lead : lead & (0x3FU >> more);
    for (std::size_t k = 1; k <= more; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if ((byte & 0xC0U) != 0x80U) return false;
      code = code << 6U | (byte & 0x3FU);
    }
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if ((more == 2 && code < 0x800) || (more == 3 && (code < 0x10000 || code > 0x10FFFF)) || surrogate) return false;
    i += more + 1;
  }
  return true;
}

std::string shown_text(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out;
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  // Bytes that are not UTF-8 would garble the terminal.
  if (!is_utf8(out)) {
    for (std::size_t i = out.size(); i-- > 0;)
      if (static_cast<unsigned char>(out[i]) >= 0x80)
        out.replace(i, 1, fmt::format("\\x{:02x}", static_cast<unsigned char>(out[i])));
  }
  return text.size() > kMost ? out + "..." : out;
}

}  // namespace lgode::table
