// Parses times and system indices given on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgode/data/time_text.h"

namespace lgode::app {

// "START:STEP:STOP" with STEP > 0; STOP is included if it is a whole number of steps away, up to rounding. Or
// "1,2.5,7": these, sorted, each once.
// With dates also "DATE,DATE" and "DATE/STEP/DATE", STEP as for parse_length. ConfigError names `flag`.
std::vector<double> parse_times(const std::string& text, const std::string& flag, const data::TimeText& time_text);

// A text file of times, one or more per line, separated by blanks or commas; # starts a comment. Sorted, each once.
// DataError names file and line.
std::vector<double> read_times(const std::string& path, const data::TimeText& time_text);

// "0,3,5-9": indices below `count`, in ascending order, each once. ConfigError names `flag`.
std::vector<std::int64_t> parse_indices(const std::string& text, std::int64_t count, const std::string& flag);

}  // namespace lgode::app
