// Pads columns by the width of characters as displayed.
#include "lgode/use/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace lgode::use {
namespace {

// Displayed characters, not bytes: continuation bytes of UTF-8 have no width.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string result;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line = "  ";
    for (std::size_t i = 0; i < rows_[r].size(); ++i) {
      const std::string padding(widths[i] - width(rows_[r][i]), ' ');
      if (i > 0) line += "  ";
      line += i == 0 || left_ ? rows_[r][i] + padding : padding + rows_[r][i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + '\n';
    if (r > 0) continue;
    std::size_t rule = 2 * (widths.size() - 1);
    for (const std::size_t w : widths) rule += w;
    result += "  " + std::string(rule, '-') + '\n';
  }
  return result;
}

}  // namespace lgode::use
