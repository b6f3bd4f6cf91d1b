// Numbers formatted for people, and words quoted for a shell.
#pragma once

#include <cstdint>
#include <string>

namespace lgode::use {

std::string format_count(std::int64_t number);                            // 20,000
std::string format_plural(std::int64_t number, const std::string& noun);  // "1 system", "20,000 systems"
std::string format_number(double number);                                 // four significant digits; "-" for NaN
std::string format_percent(double share);                                 // "60 %"
std::string format_duration(double seconds);                              // "12 s", "3 min 05 s", "2 h 10 min"
// A mean squared error in units of 10^-2, as in the paper's tables; "-" for NaN.
std::string format_error(double mse);
// A word of a shell command, quoted if needed.
std::string format_word(const std::string& word);

}  // namespace lgode::use
