// Counts texts and numbers of each column in a sample of rows.
#include "table/csv/text_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "lgode/core/error.h"
#include "lgode/data/time_text.h"
#include "lgode/table/csv/cursor.h"
#include "table/import_context.h"

namespace lgode::table {
namespace {

constexpr int kSample = 1000;  // rows

struct Cells {
  int numbers = 0, texts = 0;
  std::string example;  // of a text

  void add_text(std::string_view field) {
    if (texts++ == 0) example = shown_text(field);
  }
  // A single text may be a slip.
  bool are_text() const { return texts > 1 && texts > numbers; }
};

bool is_number(std::string_view field, const Layout& layout) {
  return parse_number(field, layout.decimal_comma) || parse_number(field, true);
}

bool is_time(std::string_view field, const Layout& layout) {
  while (field.starts_with(' ')) field.remove_prefix(1);
  while (field.ends_with(' ')) field.remove_suffix(1);
  // A digit: a date in another notation, which the reader explains.
  return is_number(field, layout) || data::parse_iso8601(field) || data::parse_clock(field) ||
         (!field.empty() && field.front() >= '0' && field.front() <= '9');
}

std::vector<Cells> count(const std::string& block, const Layout& layout) {
  std::vector<Cells> cells(layout.width);
  CsvCursor cursor(block, layout.delimiter);
  for (int row = 0; row < kSample && cursor.next(); ++row) {
    const auto fields = cursor.fields();
    if (cursor.fault() || fields.size() != layout.width) continue;
    for (const std::size_t c : layout.roles.features) {
      if (is_number(fields[c], layout))
        ++cells[c].numbers;
      else if (!layout.missing(fields[c]))
        cells[c].add_text(fields[c]);
    }
    const std::string_view time = fields[layout.roles.time];
    if (is_time(time, layout))
      ++cells[layout.roles.time].numbers;
    else if (!time.empty())
      cells[layout.roles.time].add_text(time);
  }
  return cells;
}

}  // namespace

void check_text_columns(const std::string& where, const std::string& block, const Layout& layout) {
  const std::vector<Cells> cells = count(block, layout);
  if (const Cells& times = cells[layout.roles.time]; times.are_text())
    throw ConfigError(fmt::format(
        "{}: column '{}' holds text, such as '{}', not times: numbers, ISO 8601 or times of day; name the column of "
        "times with `time`",
        where, layout.column(layout.roles.time), times.example));
  TextColumns columns;
  for (const std::size_t c : layout.roles.features) {
    if (cells[c].are_text())
      columns.texts.emplace_back(layout.column(c), cells[c].example);
    else
      columns.others.push_back(layout.column(c));
  }
  columns.refuse(where);
}

}  // namespace lgode::table
