// Copies rows as raw text; only replaced fields and the new column are formatted.
#include "lgode/table/csv/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "lgode/core/error.h"
#include "lgode/table/csv/cursor.h"
#include "lgode/table/csv/write.h"
#include "table/csv/source.h"

namespace lgode::table {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";

// The fields of a valid row as raw text, with their quotes.
std::vector<std::string_view> raw_fields(std::string_view row, char delimiter) {
  std::vector<std::string_view> fields;
  std::size_t begin = 0;
  bool quoted = row.starts_with('"');
  for (std::size_t at = quoted ? 1 : 0; at < row.size(); ++at) {
    if (quoted) {
      // Two quotes within a quoted field close it and open it again, which has the same effect.
      at = std::min(row.find('"', at), row.size());
      quoted = at + 1 < row.size() && row[at + 1] == '"';
      at += quoted ? 1 : 0;
      continue;
    }
    if (row[at] != delimiter) continue;
    fields.push_back(row.substr(begin, at - begin));
    begin = at + 1;
    quoted = begin < row.size() && row[begin] == '"';
    at += quoted ? 1 : 0;
  }
  fields.push_back(row.substr(begin));
  return fields;
}

// The whole text of a table: the mapped file, or once in memory where it is packed.
class TableText {
 public:
  explicit TableText(const std::filesystem::path& path) {
    if (!is_packed(path)) {
      file_ = std::make_unique<MappedFile>(path);
      return;
    }
    const OpenFile packed = open_source(path);
    constexpr std::size_t kTogether = std::size_t{1} << 20U;
    try {
      for (std::size_t count = 1; count > 0;) {
        const std::size_t before = unpacked_.size();
        unpacked_.resize(before + kTogether);
        count = packed.bytes->read(unpacked_.data() + before, kTogether);
        unpacked_.resize(before + count);
      }
    } catch (const DataError& error) {
      throw DataError(fmt::format("{}: {}", path.string(), error.what()));
    }
  }

  std::string_view view() const {
    if (!file_) return unpacked_;
    return {reinterpret_cast<const char*>(file_->bytes().data()), file_->bytes().size()};
  }

 private:
  std::unique_ptr<MappedFile> file_;
  std::string unpacked_;
};

class Rewriter {
 public:
  Rewriter(const CsvRewrite& rewrite, FileSink& out)
      : rewrite_(rewrite), out_(out), table_(rewrite.table), cursor_(body(), rewrite.delimiter) {}

  std::int64_t run() {
    if (body().size() < table_.view().size()) out_.write(kMark);
    if (!next()) throw DataError(fmt::format("{}: holds no table", rewrite_.table.string()));
    style_ = line_end_.empty() ? "\n" : line_end_;
    width_ = rewrite_.no_header;
    bool row = width_ > 0;
    if (!row) {
      write_header();
      row = next();
    }
    std::int64_t rows = 0;
    for (; row; row = next()) {
      ++rows;
      write_row();
      if (text_.size() > std::size_t{1} << 20) flush();
    }
    text_ += blank_;
    write_more();
    flush();
    return rows;
  }

 private:
  std::string_view body() const {
    std::string_view text = table_.view();
    if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
    return text;
  }

  // The next row: blank lines before it, the row itself, and its line end.
  bool next() {
    const std::string_view before = cursor_.rest();
    const std::int64_t lines = cursor_.lines();
    const bool found = cursor_.next();
    std::string_view taken = before.substr(0, before.size() - cursor_.rest().size());
    std::size_t start = 0;
    if (found)
      for (std::int64_t skipped = lines; skipped < cursor_.line(); ++skipped) start = taken.find('\n', start) + 1;
    else
      start = taken.size();
    blank_ = taken.substr(0, start);
    taken.remove_prefix(start);
    const std::size_t end = taken.ends_with("\r\n") ? 2 : taken.ends_with('\n') || taken.ends_with('\r') ? 1 : 0;
    row_ = taken.substr(0, taken.size() - end);
    line_end_ = taken.substr(taken.size() - end);
    return found;
  }

  void write_header() {
    for (const std::string_view name : cursor_.fields())
      if (name == rewrite_.column)
        throw ConfigError(fmt::format("{}: has a column '{}' already; rename it", rewrite_.table.string(), name));
    width_ = cursor_.fields().size();
    text_ += fmt::format("{}{}{}{}{}", blank_, row_, rewrite_.delimiter, field(rewrite_.column), line_end_);
  }

  std::string field(std::string_view text) const { return csv_field(text, rewrite_.delimiter); }

  void write_row() {
    text_ += blank_;
    if (cursor_.fault() || cursor_.fields().size() != width_) {
      text_ += row_;
      text_ += line_end_;
      return;
    }
    std::vector<std::optional<std::string>> replace(width_);
    const std::string last = rewrite_.change(cursor_.fields(), replace);
    if (std::none_of(replace.begin(), replace.end(), [](const auto& text) { return text.has_value(); })) {
      text_ += row_;
    } else {
      const std::vector<std::string_view> raw = raw_fields(row_, rewrite_.delimiter);
      for (std::size_t i = 0; i < width_; ++i) {
        if (i > 0) text_ += rewrite_.delimiter;
        text_ += replace[i] ? field(*replace[i]) : std::string(raw[i]);
      }
    }
    text_ += rewrite_.delimiter;
    text_ += field(last);
    text_ += line_end_;
  }

  void write_more() {
    if (!rewrite_.more) return;
    const std::vector<std::vector<std::string>> rows = rewrite_.more();
    // The last line of a file may lack its end.
    if (!rows.empty() && body().back() != '\n') text_ += style_;
    for (const std::vector<std::string>& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) text_ += rewrite_.delimiter;
        text_ += field(row[i]);
      }
      text_ += style_;
    }
  }

  void flush() {
    out_.write(std::string_view(text_));
    text_.clear();
  }

  const CsvRewrite& rewrite_;
  FileSink& out_;
  TableText table_;
  CsvCursor cursor_;
  std::size_t width_ = 0;
  std::string_view blank_, row_, line_end_, style_;
  std::string text_;
};

}  // namespace

std::int64_t rewrite_csv(const CsvRewrite& rewrite, FileSink& out) { return Rewriter(rewrite, out).run(); }

}  // namespace lgode::table
