// The rows of one block of an observation table. Internal to the import and to streams of rows.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lgode/table/problem.h"
#include "table/csv/layout.h"

namespace lgode::table {

// Objects and lines are counted within the block.
struct BlockRows {
  std::string text;
  std::vector<std::pair<std::string, std::string>> keys;  // system and object
  std::vector<std::int64_t> key_lines;                    // where each appears first
  std::vector<std::uint32_t> object, line;
  std::vector<double> numbers;         // times, or
  std::vector<std::int64_t> instants;  // whole nanoseconds, where they are dates or times of day
  std::vector<double> values;
  std::vector<Problem> problems;
  std::unordered_set<std::string> bad_ids;
  bool compact_dates = true;  // every time is a number such as 20240301
  std::int64_t lines = 0;
  int digits = 0;        // most digits of a fraction of a second
  bool seconds = false;  // a time of day has seconds
  bool unclosed = false;
};

// Reads block.text; bad rows go to block.problems.
void parse_block(const Layout& layout, BlockRows& block);

}  // namespace lgode::table
