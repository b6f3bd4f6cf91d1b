// Splits CSV text into rows and fields, parses numbers, and collects problems for the error message.
#include "lgode/data/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

#include "lgode/core/error.h"

namespace lgode::data {
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

// A field as messages show it.
std::string shown(std::string_view text) {
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

}  // namespace

std::string csv_field(std::string_view text, char delimiter) {
  if (text.find_first_of(std::string{delimiter, '"', '\r', '\n'}) == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

bool CsvCursor::next() {
  while (!rest_.empty()) {
    line_ = lines_;
    read_row();
    const bool blank = fields_.size() == 1 && fields_[0].empty() && !fault_;
    if (!blank) return true;
  }
  return false;
}

void CsvCursor::read_row() {
  fields_.clear();
  unescaped_.clear();
  fault_.reset();
  for (;;) {
    if (!rest_.empty() && rest_.front() == '"') {
      fields_.push_back(quoted_field());
    } else {
      const char* begin = rest_.data();
      const char* end = begin + rest_.size();
      const char* at = begin;
      while (at != end && *at != delimiter_ && *at != '\n') ++at;
      fields_.emplace_back(begin, static_cast<std::size_t>(at - begin));
      rest_.remove_prefix(static_cast<std::size_t>(at - begin));
      // The carriage return of CRLF is no part of the last field.
      std::string_view& field = fields_.back();
      if ((at == end || *at == '\n') && field.ends_with('\r')) field.remove_suffix(1);
    }
    if (rest_.empty()) return;
    const char separator = rest_.front();
    rest_.remove_prefix(1);
    if (separator == '\n') {
      ++lines_;
      return;
    }
  }
}

// Ends at the delimiter, the line end or the end of the text.
std::string_view CsvCursor::quoted_field() {
  const std::string_view from = rest_;
  std::size_t at = 1;
  std::string* copy = nullptr;
  std::string_view field;
  for (std::size_t begin = 1;;) {
    const std::size_t quote = from.find('"', at);
    if (quote == std::string_view::npos) {
      if (!fault_)
        fault_ = Fault{fields_.size(), shown(from.substr(0, from.find('\n'))), "a closing quote for the one that opens",
                       true};
      lines_ += std::count(from.begin(), from.end(), '\n');
      rest_ = {};
      return {};
    }
    const bool twice = quote + 1 < from.size() && from[quote + 1] == '"';
    if (!twice) {
      field = from.substr(begin, quote - begin);
      if (copy != nullptr) {
        copy->append(field);
        field = *copy;
      }
      at = quote + 1;
      break;
    }
    if (copy == nullptr) copy = &unescaped_.emplace_back();
    copy->append(from.substr(begin, quote + 1 - begin));
    at = begin = quote + 2;
  }
  lines_ += std::count(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  rest_.remove_prefix(at);
  if (rest_.starts_with("\r\n") || rest_ == "\r") rest_.remove_prefix(1);
  if (rest_.empty() || rest_.front() == delimiter_ || rest_.front() == '\n') return field;
  const std::size_t end = std::min(rest_.find_first_of(std::string{delimiter_, '\n'}), rest_.size());
  if (!fault_)
    fault_ = Fault{fields_.size(), shown(from.substr(0, at + end)),
                   "nothing between a closing quote and the delimiter; a quote within a quoted field is written twice",
                   false};
  rest_.remove_prefix(end);
  return field;
}

std::size_t last_row_end(std::string_view text, char delimiter) {
  std::size_t end = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t quote = text.find('"', at);
    // A quote opens a field only where a field begins.
    const bool opens =
        quote != std::string_view::npos && (quote == 0 || text[quote - 1] == delimiter || text[quote - 1] == '\n');
    const std::size_t stop = std::min(quote, text.size());
    const void* newline = ::memrchr(text.data() + at, '\n', stop - at);
    if (newline != nullptr) end = static_cast<std::size_t>(static_cast<const char*>(newline) - text.data()) + 1;
    if (quote == std::string_view::npos) return end;
    at = quote + 1;
    while (opens) {
      quote = text.find('"', at);
      // A quote at the very end may be the first of two.
      if (quote == std::string_view::npos || quote + 1 == text.size()) return end;
      at = quote + 1;
      if (text[at] != '"') break;
      ++at;
    }
  }
  return end;
}

std::optional<double> parse_csv_number(std::string_view text, bool decimal_comma) {
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
    if (const std::optional<double> number = parse_csv_number(word, decimal_comma)) numbers_.push_back(*number);
  }
}

bool MissingWords::own(std::string_view text) const {
  if (words_.empty()) return false;
  text = trimmed(text);
  for (const std::string& word : words_)
    if (equal_ignoring_case(text, word)) return true;
  if (numbers_.empty()) return false;
  const std::optional<double> number = parse_csv_number(text, decimal_comma_);
  return number && std::find(numbers_.begin(), numbers_.end(), *number) != numbers_.end();
}

std::string files_text(const std::vector<std::string>& files) {
  if (files.size() < 2) return files.empty() ? std::string() : files.front();
  return fmt::format("{} and {} more file{}", files.front(), files.size() - 1, files.size() == 2 ? "" : "s");
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

std::string CsvProblem::text(const std::string& path) const {
  std::string where = fmt::format("{}, {} {}", path, is_row ? "row" : "line", line);
  if (!column.empty()) where += fmt::format(", column '{}'", column);
  return fmt::format("{}: found {}, expected {}", where, found.empty() ? "nothing" : fmt::format("'{}'", shown(found)),
                     expected);
}

void CsvProblems::add(CsvProblem problem) {
  ++count_;
  if (static_cast<std::int64_t>(kept_.size()) < limit_) kept_.push_back(std::move(problem));
}

std::vector<std::string> CsvProblems::lines() const {
  std::vector<CsvProblem> sorted = kept_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const CsvProblem& a, const CsvProblem& b) {
    return std::pair(a.file, a.line) < std::pair(b.file, b.line);
  });
  std::vector<std::string> out;
  out.reserve(sorted.size() + 1);
  for (const CsvProblem& problem : sorted) out.push_back(problem.text(files_[problem.file]));
  const std::int64_t more = count_ - static_cast<std::int64_t>(kept_.size());
  if (more > 0) out.push_back(fmt::format("and {} more; `max_errors` 0 reports all of them", more));
  return out;
}

void CsvProblems::throw_if_any(const std::string& advice, const CsvProblems* other) const {
  std::string text;
  for (const CsvProblems* table : {this, other}) {
    if (table == nullptr || table->count_ == 0) continue;
    text += fmt::format("{}{}: {} bad row{}{}", text.empty() ? "" : "\n", files_text(table->files_), table->count_,
                        table->count_ == 1 ? "" : "s", text.empty() ? "; nothing was written" : "");
    for (const std::string& line : table->lines()) text += "\n  " + line;
  }
  if (!text.empty()) throw DataError(text + "\n" + advice);
}

}  // namespace lgode::data
