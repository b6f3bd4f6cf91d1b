// The edge table: system, source, target, type and weight by name.
#include "table/edge_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "lgode/core/error.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/cursor.h"
#include "table/csv/layout.h"

namespace lgode::table {

EdgeRows::EdgeRows(const std::filesystem::path& path, const EdgeFormat& format, Problems& problems)
    : format_(format), problems_(problems) {
  file_.emplace(path, format.delimiter);
  columns_ = names_of(*file_);
  find_columns();
}

EdgeRows::EdgeRows(const TextTable& table, const EdgeFormat& format, Problems& problems)
    : format_(format), problems_(problems), table_(&table), columns_{table.where, table.columns} {
  find_columns();
}

void EdgeRows::find_columns() {
  constexpr std::array kNames = {"system", "source", "target", "type", "weight"};
  for (const auto& [what, name] : format_.columns)
    if (std::find(kNames.begin(), kNames.end(), what) == kNames.end())
      throw ConfigError(
          fmt::format("`edge_columns` {}={}: expected one of system, source, target, type, weight "
                      "before the =",
                      what, name));
  system_ = find("system", false);
  source_ = find("source", true);
  target_ = find("target", true);
  type_ = find("type", false);
  weight_ = find("weight", false);
}

std::size_t EdgeRows::find(const std::string& what, bool needed) const {
  const auto given = format_.columns.find(what);
  if (given != format_.columns.end())
    return find_column(columns_, given->second, fmt::format("`edge_columns` {}=", what));
  const auto& header = columns_.names;
  const auto found = std::find(header.begin(), header.end(), what);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  if (!needed) return kNoColumn;
  if (format_.usual_names)
    throw ConfigError(
        fmt::format("{}: has no column '{}', expected source, target and, if needed, system, type and "
                    "weight; its columns are {}",
                    columns_.where, what, fmt::join(header, ", ")));
  throw ConfigError(
      fmt::format("{}: has no column '{}'; name the one to take with `edge_columns` {}=NAME; its "
                  "columns are {}",
                  columns_.where, what, what, fmt::join(header, ", ")));
}

void EdgeRows::refuse(Column column, std::string_view found, std::string expected) {
  refuse_at(column == Column::kSystem   ? system_
            : column == Column::kSource ? source_
            : column == Column::kTarget ? target_
            : column == Column::kType   ? type_
            : column == Column::kWeight ? weight_
                                        : kNoColumn,
            found, std::move(expected));
}

void EdgeRows::refuse_at(std::size_t column, std::string_view found, std::string expected) {
  problems_.add({.line = line_,
                 .column = column == kNoColumn ? "" : columns_.names[column],
                 .found = std::string(found),
                 .expected = std::move(expected),
                 .is_row = table_ != nullptr});
}

void EdgeRows::read(const std::function<void(const EdgeTexts&)>& row, const StopFlag* stop) {
  if (file_) return read_file(row, stop);
  for (const std::vector<std::string>& texts : table_->rows) {
    if (const auto edge = check(std::vector<std::string_view>(texts.begin(), texts.end()))) row(*edge);
    ++line_;
  }
}

void EdgeRows::read_file(const std::function<void(const EdgeTexts&)>& row, const StopFlag* stop) {
  std::int64_t line = file_->header_lines() + 1;
  for (std::string block; file_->next(block);) {
    if (stop != nullptr && stop->requested()) throw Interrupted();
    CsvCursor cursor(block, file_->delimiter());
    while (cursor.next()) {
      line_ = line + cursor.line();
      if (cursor.fault()) {
        refuse(Column::kRow, cursor.fault()->found, cursor.fault()->expected);
        if (cursor.fault()->unclosed) problems_.throw_if_any("close the quote");
      } else if (const auto edge = check(cursor.fields())) {
        row(*edge);
      }
    }
    line += cursor.lines();
  }
}

std::optional<EdgeTexts> EdgeRows::check(std::span<const std::string_view> fields) {
  if (fields.size() != columns_.names.size()) {
    refuse(Column::kRow, fmt::format("{} fields", fields.size()),
           fmt::format("{} as in the header", columns_.names.size()));
    return std::nullopt;
  }
  EdgeTexts edge{.source = fields[source_], .target = fields[target_]};
  if (system_ != kNoColumn) edge.system = fields[system_];
  if (type_ != kNoColumn) edge.type = fields[type_];
  if (edge.source == edge.target) {
    refuse(Column::kTarget, edge.target, "another object than the source; an object does not act on itself");
    return std::nullopt;
  }
  if (weight_ != kNoColumn && !parse_weight(fields[weight_], edge.weight)) return std::nullopt;
  return edge;
}

bool EdgeRows::parse_weight(std::string_view field, float& weight) {
  if (field.empty()) return true;
  if (format_.float_weights) {
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), weight);
    if (error == std::errc() && end == field.data() + field.size() && weight > 0) return true;
  } else if (const auto number = parse_number(field, format_.decimal_comma)) {
    weight = static_cast<float>(*number);
    if (weight > 0 && std::isfinite(weight)) return true;
  }
  refuse(Column::kWeight, field, "a weight above 0; remove edges that do not act");
  return false;
}

}  // namespace lgode::table
