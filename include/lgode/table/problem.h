// Bad rows of a table, wherever it comes from, as messages report them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lgode::table {

// "a.csv", or "a.csv and 7 more files".
std::string files_text(const std::vector<std::string>& files);

// A bad field or row of a table, as it is reported.
struct Problem {
  std::int64_t line = 0;  // counted from 1
  std::string column;     // its name; may be empty
  std::string found, expected;
  std::size_t file = 0;   // of several
  bool is_row = false;    // of a table in memory: `line` is a row, counted from 0
  bool is_value = false;  // `found` stands where a value of a feature is expected

  std::string text(const std::string& path) const;
};

// Bad rows: all are counted, the first `limit` (0: all) are kept.
class Problems {
 public:
  // Of one table, which may be in several files.
  Problems(std::vector<std::string> files, std::int64_t limit)
      : files_(std::move(files)), limit_(limit > 0 ? limit : std::numeric_limits<std::int64_t>::max()) {}

  void add(Problem problem);
  std::int64_t count() const { return count_; }
  // One line per problem, by file and line number, and how many more there are.
  std::vector<std::string> lines() const;
  // The text that most of them found in place of a value, where it is found several times: likely a word for a missing
  // value. Empty: there is none.
  std::string repeated() const;
  // DataError with the lines of this table and of `other`, if there are any.
  void throw_if_any(const std::string& advice, const Problems* other = nullptr) const;

 private:
  std::vector<std::string> files_;
  std::int64_t limit_;
  std::int64_t count_ = 0;
  std::vector<Problem> kept_;
  std::map<std::string, std::int64_t> found_;  // in place of values, the first few
};

}  // namespace lgode::table
