// Reads a CSV file block by block; its first bytes give encoding, delimiter and column names.
#include "lgode/table/csv/file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lgode/core/error.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/cursor.h"
#include "lgode/table/problem.h"
#include "lgode/table/unit_names.h"
#include "table/csv/source.h"

namespace lgode::table {
namespace {

constexpr std::size_t kBlock = std::size_t{4} << 20;
// A row longer than this must be an unclosed quote.
constexpr std::size_t kLongestRecord = std::size_t{64} << 20;

// The candidate that is found most often outside quotes in the first line that is not blank; a comma where there is
// none. Where the number of columns is known, one that is found as often as it takes; a comma last, because numbers may
// have one.
char detect_delimiter(std::string_view text, std::size_t columns) {
  constexpr std::array<char, 4> kCandidates = {',', ';', '\t', '|'};
  std::array<int, 4> counts{};
  bool quoted = false, blank = true;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == '\n' && !quoted && !blank) break;
    blank = blank && (c == '\n' || c == '\r');
    for (std::size_t i = 0; i < kCandidates.size() && !quoted; ++i) counts[i] += c == kCandidates[i] ? 1 : 0;
  }
  for (std::size_t i = kCandidates.size(); i-- > 0 && columns > 1;)
    if (counts[i] == static_cast<int>(columns) - 1) return kCandidates[i];
  return kCandidates[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin())];
}

// Whether the text holds a whole line that is not blank.
bool has_line(std::string_view text) {
  const std::size_t first = text.find_first_not_of("\r\n");
  return first != std::string_view::npos && text.find('\n', first) != std::string_view::npos;
}

std::string without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

}  // namespace

CsvFile::CsvFile(std::filesystem::path path, char delimiter, bool exact_names, std::vector<std::string> names,
                 std::optional<Live> live)
    : path_(std::move(path)), delimiter_(delimiter), live_(live) {
  OpenFile file = open_source(path_, {.watched = live_.has_value(), .stop = live_ ? live_->stop : nullptr});
  source_ = std::move(file.bytes);
  packing_ = file.packing;
  size_ = file.size;
  read_header(exact_names, std::move(names));
}

CsvFile::~CsvFile() = default;

void CsvFile::check_kind(std::string_view text) const {
  const auto refuse = [&](const char* what) { throw DataError(fmt::format("{}: {}", path_.string(), what)); };
  if (text.empty()) refuse("is empty, expected a table with a line of column names");
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    refuse("is text in UTF-16; save it as UTF-8 (in a spreadsheet: \"CSV UTF-8\")");
  if (text.starts_with("PK\x03\x04")) refuse("is a spreadsheet or a zip archive; save the table as CSV");
  if (text.find('\0') != std::string_view::npos)
    refuse("holds zero bytes, so it is not text in UTF-8; save it as CSV in UTF-8");
}

void CsvFile::read_header(bool exact_names, std::vector<std::string> names) {
  const auto enough = [&] { return live_ ? has_line(carry_) : carry_.size() >= kBlock; };
  while (!enough() && fill(carry_)) {
  }
  check_kind(carry_);
  if (carry_.starts_with("\xEF\xBB\xBF")) carry_.erase(0, 3);
  if (carry_.find('\r') != std::string::npos && carry_.find('\n') == std::string::npos)
    throw DataError(
        fmt::format("{}: has lines that end in CR alone; save it with line ends LF or CRLF", path_.string()));
  if (delimiter_ == 0) delimiter_ = detect_delimiter(carry_, names.size());
  CsvCursor cursor(carry_, delimiter_);
  if (!cursor.next()) throw DataError(fmt::format("{}: holds blank lines only", path_.string()));
  const std::int64_t line = cursor.line() + 1;
  if (cursor.fault())
    throw DataError(Problem{line, "", cursor.fault()->found, cursor.fault()->expected}.text(path_.string()));
  if (!names.empty()) {
    for (const std::string_view field : cursor.fields()) first_row_.push_back(without_blanks(field));
    first_line_ = line;
    return take_names(std::move(names));
  }
  bool numbers = true;
  names.clear();
  for (const std::string_view field : cursor.fields()) {
    names.push_back(exact_names ? std::string(field) : without_blanks(field));
    numbers = numbers && !names.back().empty() && parse_number(field, true).has_value();
  }
  set_names(std::move(names), exact_names);
  for (const std::string& name : header_) {
    if (!is_utf8(name))
      throw DataError(Problem{line, "", name, "names in UTF-8; save the file in this encoding"}.text(path_.string()));
  }
  if (numbers && live_)
    throw DataError(
        fmt::format("{}, line {}: found numbers, expected the names of the columns, as in the imported table",
                    path_.string(), line));
  if (numbers)
    throw DataError(fmt::format(
        "{}, line {}: found numbers, expected the names of the columns; if the table has no line of names, give "
        "them with `columns`, such as time,object,x,y",
        path_.string(), line));
  header_lines_ = cursor.lines();
  carry_.erase(0, carry_.size() - cursor.rest().size());
}

void CsvFile::take_names(std::vector<std::string> names) {
  if (names.size() != first_row_.size() && live_)
    throw ConfigError(fmt::format("{}, line {}: has {} {}, expected {} as in the imported table: {}, separated by {}",
                                  path_.string(), first_line_, first_row_.size(),
                                  first_row_.size() == 1 ? "field" : "fields", names.size(), fmt::join(names, " "),
                                  delimiter_ == '\t' ? std::string("tabs") : fmt::format("'{}'", delimiter_)));
  if (names.size() != first_row_.size())
    throw ConfigError(
        fmt::format("`columns` {}: names {} columns, but line {} of {} has {}: {}; name all of them, `_` where one is "
                    "to be skipped",
                    fmt::join(names, ","), names.size(), first_line_, path_.string(), first_row_.size(),
                    fmt::join(first_row_, " ")));
  for (std::string& name : names)
    if (name == "_") name.clear();
  set_names(std::move(names), /*exact=*/false);
}

void CsvFile::set_names(std::vector<std::string> names, bool exact) {
  units_.resize(names.size());
  header_ = std::move(names);
  if (exact) return;
  const std::vector<UnitName> split = split_units(header_);
  for (std::size_t c = 0; c < split.size(); ++c) header_[c] = split[c].name, units_[c] = split[c].unit;
}

std::optional<std::size_t> CsvFile::column(const std::string& name) const {
  return column_named(header_, units_, name);
}

// One read; false at the end of the file.
bool CsvFile::fill(std::string& block) {
  if (ended_) return false;
  const std::size_t before = block.size();
  // A small file needs little room; a byte more than is left, for files that grow.
  const std::size_t room =
      size_ && !packed() ? static_cast<std::size_t>(std::clamp<std::int64_t>(*size_ - bytes_read() + 1, 1, kBlock))
                         : kBlock;
  block.resize(before + room);
  std::size_t count = 0;
  try {
    count = source_->read(block.data() + before, room);
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}{}: {}", path_.string(), lines_ > 0 ? fmt::format(", after line {}", lines_) : "",
                                error.what()));
  }
  block.resize(before + count);
  if (packed()) lines_ += std::count(block.begin() + static_cast<std::ptrdiff_t>(before), block.end(), '\n');
  ended_ = count == 0;
  return count > 0;
}

bool CsvFile::packed() const { return packing_ != Packing::kNone; }

std::int64_t CsvFile::bytes_read() const { return source_->file_bytes(); }

bool CsvFile::next(std::string& block) {
  block.clear();
  block.swap(carry_);
  while (live_) {
    const std::size_t end = last_row_end(block, delimiter_);
    if (end > 0) {
      carry_.assign(block, end);
      block.resize(end);
      return true;
    }
    if (!fill(block) || block.size() > kLongestRecord) return !block.empty();
  }
  for (;;) {
    const bool more = block.size() >= kBlock || fill(block);
    // A pipe returns little per read.
    if (more && block.size() < kBlock) continue;
    if (!more) return !block.empty();
    const std::size_t end = last_row_end(block, delimiter_);
    if (end > 0) {
      carry_.assign(block, end);
      block.resize(end);
      return true;
    }
    if (block.size() > kLongestRecord) return true;
    if (!fill(block)) return !block.empty();
  }
}

}  // namespace lgode::table
