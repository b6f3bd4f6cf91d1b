// Parses values of flags: lists, pairs, lengths of time and delimiters.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lgode::use {

// "a,b,c"; an item with a comma is written in double quotes, as in CSV. ConfigError names `flag`.
std::vector<std::string> parse_list(const std::string& text, const std::string& flag);

// "a=b,c=d". ConfigError names `flag`.
std::vector<std::pair<std::string, std::string>> parse_pairs(const std::string& text, const std::string& flag);

// "12.5", or with a unit "30s", "5min", "2h", "1d", which is converted to seconds. ConfigError names `flag`.
double parse_length(const std::string& text, const std::string& flag);

// "," ";" "|" or "tab". ConfigError names `flag`.
char parse_delimiter(const std::string& text, const std::string& flag);

}  // namespace lgode::use
