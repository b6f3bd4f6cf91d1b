// The texts of a table's cells: numbers, missing values and encoding.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lgode::table {

// A number as tables write it: blanks around it, a leading +, and with decimal_comma a comma for the point. Nothing if
// it is not a number or too large for a double. Infinities and NaN are numbers here.
std::optional<double> parse_number(std::string_view text, bool decimal_comma);
// Empty, NaN, NA, N/A, #N/A, null, None or -, in any case.
bool is_missing_text(std::string_view text);

// Texts that mean a missing value: the usual ones (is_missing_text) and the user's own words, compared without case
// and, where they are numbers, by value.
class MissingWords {
 public:
  MissingWords() = default;
  MissingWords(const std::vector<std::string>& own, bool decimal_comma);

  bool own(std::string_view text) const;
  bool operator()(std::string_view text) const { return is_missing_text(text) || own(text); }

 private:
  bool decimal_comma_ = false;
  std::vector<std::string> words_;  // in lower case
  std::vector<double> numbers_;
};

// Whether a spreadsheet would run a field with this text as a formula: it begins with = + - @ or a tab, and is not a
// number. A single quote before it makes it text; that is what spreadsheet_safe() returns for such a field, and else
// the text itself.
bool runs_in_spreadsheet(std::string_view text);
std::string spreadsheet_safe(std::string_view text);

bool is_utf8(std::string_view text);

// A cell as messages show it: at most 60 bytes, control characters and bytes that are not UTF-8 as \x1b.
std::string shown_text(std::string_view text);

}  // namespace lgode::table
