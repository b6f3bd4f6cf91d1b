// Splits CSV text into rows and fields.
#include "lgode/table/csv/cursor.h"

#include <algorithm>
#include <cstring>

#include "lgode/table/cell.h"

namespace lgode::table {

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
      // The carriage return of CRLF does not belong to the last field.
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
        fault_ = Fault{fields_.size(), shown_text(from.substr(0, from.find('\n'))),
                       "a closing quote for the one that opens", true};
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
    fault_ = Fault{fields_.size(), shown_text(from.substr(0, at + end)),
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

}  // namespace lgode::table
