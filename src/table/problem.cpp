// Counts bad rows and writes their messages.
#include "lgode/table/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgode/core/error.h"
#include "lgode/table/cell.h"

namespace lgode::table {

std::string files_text(const std::vector<std::string>& files) {
  if (files.size() < 2) return files.empty() ? std::string() : files.front();
  return fmt::format("{} and {} more file{}", files.front(), files.size() - 1, files.size() == 2 ? "" : "s");
}

std::string Problem::text(const std::string& path) const {
  std::string where = fmt::format("{}, {} {}", path, is_row ? "row" : "line", line);
  if (!column.empty()) where += fmt::format(", column '{}'", column);
  return fmt::format("{}: found {}, expected {}", where,
                     found.empty() ? "nothing" : fmt::format("'{}'", shown_text(found)), expected);
}

void Problems::add(Problem problem) {
  constexpr std::size_t kMostTexts = 20;
  ++count_;
  if (problem.is_value && (found_.size() < kMostTexts || found_.contains(problem.found))) ++found_[problem.found];
  if (static_cast<std::int64_t>(kept_.size()) < limit_) kept_.push_back(std::move(problem));
}

std::string Problems::repeated() const {
  constexpr std::int64_t kSeveral = 3;
  for (const auto& [text, times] : found_)
    if (times >= kSeveral && 2 * times > count_) return text;
  return {};
}

std::vector<std::string> Problems::lines() const {
  std::vector<Problem> sorted = kept_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
    return std::pair(a.file, a.line) < std::pair(b.file, b.line);
  });
  std::vector<std::string> out;
  out.reserve(sorted.size() + 1);
  for (const Problem& problem : sorted) out.push_back(problem.text(files_[problem.file]));
  const std::int64_t more = count_ - static_cast<std::int64_t>(kept_.size());
  if (more > 0) out.push_back(fmt::format("and {} more; `max_errors` 0 reports all of them", more));
  return out;
}

void Problems::throw_if_any(const std::string& advice, const Problems* other) const {
  std::string text;
  for (const Problems* table : {this, other}) {
    if (table == nullptr || table->count_ == 0) continue;
    text += fmt::format("{}{}: {} bad row{}{}", text.empty() ? "" : "\n", files_text(table->files_), table->count_,
                        table->count_ == 1 ? "" : "s", text.empty() ? "; nothing was written" : "");
    for (const std::string& line : table->lines()) text += "\n  " + line;
  }
  if (!text.empty()) throw DataError(text + "\n" + advice);
}

}  // namespace lgode::table
