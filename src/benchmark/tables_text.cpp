// The report as Markdown and as HTML.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lgode/benchmark/tables.h"
#include "lgode/report/page.h"
#include "lgode/reproduce/wrap.h"

namespace lgode::benchmark {
namespace {

using report::escape_html;
using reproduce::wrapped;

const char* const kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c2430;"
    "background:#fff}h1{font-size:1.6rem}h2{font-size:1.1rem;margin-top:2rem}.scroll{overflow-x:auto}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:.25rem .7rem;text-align:right;"
    "border-bottom:1px solid #d8dee8;white-space:nowrap}th:first-child,td:first-child{text-align:left}"
    ".ours{font-weight:600;background:#eef4ff}.classical{color:#3f4a5a}"
    "@media(prefers-color-scheme:dark){body{color:#e6eaf0;background:#14181f}th,td{border-color:#333c4a}"
    ".ours{background:#1d2a42}.classical{color:#b4bfce}a{color:#8db8ff}}";

const char* class_of(TableRow::Kind kind) {
  switch (kind) {
    case TableRow::Kind::kOurs:
      return "ours";
    case TableRow::Kind::kClassical:
      return "classical";
    case TableRow::Kind::kPublished:
      break;
  }
  return "published";
}

// Asterisks of Markdown that mean themselves.
std::string without_emphasis(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '*') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string html_table(const Table& table) {
  std::string text = fmt::format("<h2>{}</h2>\n<div class=\"scroll\"><table>\n<tr><th></th>", escape_html(table.title));
  for (const std::string& column : table.columns) text += fmt::format("<th>{}</th>", escape_html(column));
  text += "</tr>\n";
  for (const TableRow& row : table.rows) {
    text += fmt::format("<tr class=\"{}\"><td>{}</td>", class_of(row.kind), escape_html(row.name));
    for (const std::string& cell : row.cells) text += fmt::format("<td>{}</td>", escape_html(cell));
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

}  // namespace

std::string markdown(const Report& report) {
  std::string text = fmt::format("# {}\n", report.title);
  for (const Table& table : report.tables) {
    text += fmt::format("\n## {}\n\n| | {} |\n|---{}|\n", table.title, fmt::join(table.columns, " | "), [&] {
      std::string rule;
      for (std::size_t k = 0; k < table.columns.size(); ++k) rule += "|---:";
      return rule;
    }());
    for (const TableRow& row : table.rows) {
      const char* mark = row.kind == TableRow::Kind::kOurs ? "**" : row.kind == TableRow::Kind::kClassical ? "*" : "";
      text += fmt::format("| {}{}{} | {} |\n", mark, without_emphasis(row.name), mark, fmt::join(row.cells, " | "));
    }
  }
  if (!report.notes.empty()) text += "\n";
  for (const std::string& note : report.notes) text += wrapped("- " + without_emphasis(note), "  ");
  if (!report.sources.empty()) text += "\nSources of published figures:\n\n";
  for (std::size_t k = 0; k < report.sources.size(); ++k)
    text += wrapped(fmt::format("{}. {}: <{}>", k + 1, report.sources[k].what, report.sources[k].link), "   ");
  return text;
}

std::string page(const Report& report) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
      escape_html(report.title), kStyle);
  for (const Table& table : report.tables) text += html_table(table);
  if (!report.notes.empty()) {
    text += "<h2>Notes</h2>\n<ul>\n";
    for (const std::string& note : report.notes) text += fmt::format("<li>{}</li>\n", escape_html(note));
    text += "</ul>\n";
  }
  if (!report.sources.empty()) {
    text += "<h2>Sources of published figures</h2>\n<ol>\n";
    for (const Source& source : report.sources)
      text += fmt::format("<li>{}: <a href=\"{}\">{}</a></li>\n", escape_html(source.what), escape_html(source.link),
                          escape_html(source.link));
    text += "</ol>\n";
  }
  return text + "</body>\n</html>\n";
}

}  // namespace lgode::benchmark
