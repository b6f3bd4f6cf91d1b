// Tables as CSV text: fields are quoted where they need it, a number is the shortest text that reads back as the same,
// a missing value is an empty field. The text is collected in memory; its owner writes it to the file.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "lgode/core/file.h"
#include "lgode/data/time_text.h"

namespace lgode::table {

// The text of one field: quoted where it holds the delimiter, a quote or a line break.
std::string csv_field(std::string_view text, char delimiter = ',');

// How a table is written.
struct CsvStyle {
  char delimiter = ',';
  bool decimal_comma = false;        // of numbers; dates and names keep their points
  std::string_view line_end = "\n";  // must outlive the writer
};
// The style of the table that a set was imported from.
CsvStyle style_of(const data::Description& description);

class CsvText {
 public:
  explicit CsvText(CsvStyle style = {}) : style_(style) {}

  // Each call appends one field to the row that is being written.
  CsvText& field(std::string_view text);
  // One or more fields exactly as they appear in the file: csv_field, or the beginning of a row that many rows share.
  CsvText& raw(std::string_view fields);
  CsvText& empty();
  // The shortest text that reads back as the same float, double or whole number.
  template <class Number>
  CsvText& number(Number value) {
    separate();
    const std::size_t begin = text_.size();
    fmt::format_to(std::back_inserter(text_), "{}", value);
    if (style_.decimal_comma) write_comma(begin);
    return *this;
  }
  // As number(); an empty field where it is NaN.
  template <class Real>
  CsvText& value(Real value) {
    return std::isnan(value) ? empty() : number(value);
  }
  // As dates or times of day where the times are such, else a number: of counts where `rate`, per second, is above 0.
  CsvText& time(const data::TimeText& times, double time, double rate = 0);
  void end_row();

  // A row of names.
  template <class Names>
  void header(const Names& names) {
    for (const auto& name : names) field(name);
    end_row();
  }

  const CsvStyle& style() const { return style_; }
  const std::string& text() const { return text_; }
  std::size_t size() const { return text_.size(); }
  void clear() { text_.clear(); }
  // Writes and forgets the text, if there are at least `least` bytes of it.
  void flush(FileSink& file, std::size_t least = 0);

 private:
  void separate() {
    if (within_row_) text_ += style_.delimiter;
    within_row_ = true;
  }
  void write_comma(std::size_t begin);

  CsvStyle style_;
  std::string text_;
  bool within_row_ = false;
};

// A physical time as CsvText::time writes it, not quoted.
std::string time_field(const data::TimeText& times, double time, double rate, const CsvStyle& style);

}  // namespace lgode::table
