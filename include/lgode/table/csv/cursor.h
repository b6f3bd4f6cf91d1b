// CSV after RFC 4180: a delimiter separates fields, a line end (LF or CRLF) separates rows. A quoted field may contain
// both, and a quote written twice. A quote within a field that does not begin with one is an ordinary character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lgode::table {

// Iterates over the rows of a text. Fields are views of the text or of the cursor, valid until the next row.
class CsvCursor {
 public:
  CsvCursor(std::string_view text, char delimiter) : rest_(text), delimiter_(delimiter) {}

  // The fault of a row.
  struct Fault {
    std::size_t field = 0;
    std::string found, expected;
    bool unclosed = false;  // a quote that is still open at the end of the text
  };

  // The next row that is not blank; false at the end.
  bool next();
  std::span<const std::string_view> fields() const { return fields_; }
  const std::optional<Fault>& fault() const { return fault_; }
  // Line where the row begins, counted from 0; and how many line ends have been passed.
  std::int64_t line() const { return line_; }
  std::int64_t lines() const { return lines_; }
  std::string_view rest() const { return rest_; }

 private:
  void read_row();
  std::string_view quoted_field();

  std::string_view rest_;
  char delimiter_;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unescaped_;
  std::optional<Fault> fault_;
  std::int64_t line_ = 0;
  std::int64_t lines_ = 0;
};

// Where the last whole row of `text` ends (after its line end), 0 if there is none.
std::size_t last_row_end(std::string_view text, char delimiter);

}  // namespace lgode::table
