// Parses values of flags: lists and lengths of time.
#pragma once

#include <string>
#include <vector>

namespace lgode::use {

// "a,b,c"; an item with a comma is written in double quotes, as in CSV. ConfigError names `flag`.
std::vector<std::string> parse_list(const std::string& text, const std::string& flag);

// "12.5", or with a unit "30s", "5min", "2h", "1d", which is converted to seconds. ConfigError names `flag`.
double parse_length(const std::string& text, const std::string& flag);

}  // namespace lgode::use
