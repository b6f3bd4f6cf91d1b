// Appends fields to the text of a table.
#include "lgode/table/csv/write.h"

#include <algorithm>

namespace lgode::table {
namespace {

void points_to_commas(std::string& text, std::size_t begin) {
  std::replace(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), '.', ',');
}

}  // namespace

std::string csv_field(std::string_view text, char delimiter) {
  if (text.find_first_of(std::string{delimiter, '"', '\r', '\n'}) == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

CsvStyle style_of(const data::Description& description) {
  return {.delimiter = description.delimiter.empty() ? ',' : description.delimiter.front(),
          .decimal_comma = description.decimal_comma};
}

std::string time_field(const data::TimeText& times, double time, double rate, const CsvStyle& style) {
  if (times.dates()) return times(time);
  std::string text = data::count_text(time, rate);
  if (style.decimal_comma) points_to_commas(text, 0);
  return text;
}

CsvText& CsvText::field(std::string_view text) {
  separate();
  text_ += csv_field(text, style_.delimiter);
  return *this;
}

CsvText& CsvText::raw(std::string_view fields) {
  separate();
  text_ += fields;
  return *this;
}

CsvText& CsvText::empty() {
  separate();
  return *this;
}

CsvText& CsvText::time(const data::TimeText& times, double time, double rate) {
  separate();
  text_ += time_field(times, time, rate, style_);
  return *this;
}

void CsvText::end_row() {
  text_ += style_.line_end;
  within_row_ = false;
}

void CsvText::write_comma(std::size_t begin) { points_to_commas(text_, begin); }

void CsvText::flush(FileSink& file, std::size_t least) {
  if (text_.size() < least) return;
  file.write(std::string_view(text_));
  text_.clear();
}

}  // namespace lgode::table
