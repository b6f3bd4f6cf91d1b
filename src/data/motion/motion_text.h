// Lines and words of ASF and AMC files, and errors that name them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/data/motion/skeleton.h"

namespace lgode::data {

// Iterates over the lines that have words. Blanks, commas and parentheses separate words; '#' starts a comment. All
// three kinds of line ends are accepted. Throws DataError if the file is not plain text.
class MotionLines {
 public:
  MotionLines(std::string_view text, std::string where);

  // The next line that has words; false at the end.
  bool next();
  // The words of the current line.
  const std::vector<std::string_view>& words() const { return words_; }
  std::int64_t line() const { return line_; }
  // The number of the last line.
  std::int64_t lines() const { return lines_; }

  // "35.asf, line 12: <message>".
  [[noreturn]] void fail(const std::string& message) const { fail_at(line_, message); }
  [[noreturn]] void fail_at(std::int64_t line, const std::string& message) const;

  // The word at `index`, which `what` describes; fails where there is none.
  std::string_view word(std::size_t index, std::string_view what) const;
  // The same as a finite number or a whole one.
  double number(std::size_t index, std::string_view what) const;
  std::int64_t whole(std::size_t index, std::string_view what) const;
  // Fails unless the line has this many words.
  void expect_words(std::size_t count, std::string_view what) const;

 private:
  std::string_view take_line();
  void split(std::string_view line);

  std::string_view rest_;
  std::string where_;
  std::int64_t line_ = 0;
  std::int64_t lines_ = 0;
  std::vector<std::string_view> words_;
};

// A word read as a number; false where it is not one. Infinity counts as one, NaN does not.
bool parse_number(std::string_view word, double& value);

std::string lower(std::string_view word);

// "tx" to "rz" in either case; false for anything else.
bool parse_channel(std::string_view word, Channel& channel);

}  // namespace lgode::data
