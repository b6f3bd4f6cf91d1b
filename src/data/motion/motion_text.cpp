// Splits the text of ASF and AMC files into lines and words, and parses numbers.
#include "motion_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "lgode/core/error.h"

namespace lgode::data {
namespace {

constexpr std::string_view kSeparators = " \t\v\f,()";
constexpr std::array<std::string_view, 6> kChannelNames = {"tx", "ty", "tz", "rx", "ry", "rz"};

// A word as a message may show it: short.
std::string shown(std::string_view word) {
  constexpr std::size_t kMost = 40;
  return word.size() <= kMost ? std::string(word) : fmt::format("{}...", word.substr(0, kMost));
}

}  // namespace

std::string_view channel_name(Channel channel) { return kChannelNames[static_cast<std::size_t>(channel)]; }

bool parse_channel(std::string_view word, Channel& channel) {
  const auto found = std::find(kChannelNames.begin(), kChannelNames.end(), lower(word));
  if (found == kChannelNames.end()) return false;
  channel = static_cast<Channel>(found - kChannelNames.begin());
  return true;
}

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool parse_number(std::string_view word, double& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && !std::isnan(value);
}

MotionLines::MotionLines(std::string_view text, std::string where) : rest_(text), where_(std::move(where)) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // the byte order mark of UTF-8 is harmless
  if (rest_.starts_with("\xFF\xFE") || rest_.starts_with("\xFE\xFF"))
    throw DataError(fmt::format("{}: is UTF-16, expected plain text; save it as ASCII or UTF-8", where_));
}

std::string_view MotionLines::take_line() {
  const std::size_t end = rest_.find_first_of("\r\n");
  const std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(line.size());
  if (rest_.starts_with("\r\n"))
    rest_.remove_prefix(2);
  else if (!rest_.empty())
    rest_.remove_prefix(1);
  ++lines_;
  return line;
}

void MotionLines::split(std::string_view line) {
  words_.clear();
  line = line.substr(0, line.find('#'));
  while (true) {
    const std::size_t begin = line.find_first_not_of(kSeparators);
    if (begin == std::string_view::npos) return;
    line.remove_prefix(begin);
    const std::string_view word = line.substr(0, line.find_first_of(kSeparators));
    const auto odd = std::find_if(word.begin(), word.end(), [](char c) { return c <= ' ' || c > '~'; });
    if (odd != word.end()) {
      line_ = lines_;
      fail(fmt::format("byte 0x{:02X} is not plain text; expected an ASCII file, unpacked",
                       static_cast<unsigned char>(*odd)));
    }
    words_.push_back(word);
    line.remove_prefix(word.size());
  }
}

bool MotionLines::next() {
  while (!rest_.empty()) {
    split(take_line());
    if (words_.empty()) continue;
    line_ = lines_;
    return true;
  }
  words_.clear();
  return false;
}

void MotionLines::fail_at(std::int64_t line, const std::string& message) const {
  throw DataError(fmt::format("{}, line {}: {}", where_, line, message));
}

std::string_view MotionLines::word(std::size_t index, std::string_view what) const {
  if (index >= words_.size()) fail(fmt::format("'{}' ends where {} was expected", shown(words_.back()), what));
  return words_[index];
}

double MotionLines::number(std::size_t index, std::string_view what) const {
  const std::string_view text = word(index, what);
  double value = 0.0;
  if (!parse_number(text, value) || !std::isfinite(value))
    fail(fmt::format("'{}' is not a number, expected {}", shown(text), what));
  return value;
}

std::int64_t MotionLines::whole(std::size_t index, std::string_view what) const {
  const std::string_view text = word(index, what);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail(fmt::format("'{}' is not a whole number, expected {}", shown(text), what));
  return value;
}

void MotionLines::expect_words(std::size_t count, std::string_view what) const {
  if (words_.size() == count) return;
  fail(fmt::format("'{}' has {} words after it, expected {}", shown(words_.front()), words_.size() - 1, what));
}

}  // namespace lgode::data
