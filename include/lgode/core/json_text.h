// JSON to text and back, compiled once: the parser and the writer of nlohmann-json are templates that take the compiler
// seconds in every file that calls them.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace lgode {

// One line, or indented by `indent` blanks per level. Throws nlohmann::json::type_error where a string is not UTF-8.
std::string json_text(const nlohmann::json& value, int indent = -1);
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

// The same for messages and for text from outside: bytes that are not UTF-8 are replaced.
std::string lenient_json_text(const nlohmann::json& value, int indent = -1);

// A string unchanged, anything else as JSON in one line; for messages and tables.
std::string plain_text(const nlohmann::json& value);
std::string plain_text(const nlohmann::ordered_json& value);

// A value for which is_discarded() holds where the text is not JSON.
nlohmann::json parse_json(const std::string& text);
nlohmann::ordered_json parse_ordered_json(const std::string& text);

// The same with comments allowed; throws nlohmann::json::parse_error.
nlohmann::json parse_json_with_comments(const std::string& text);

// A number, or null where it is not finite: JSON has neither NaN nor infinity.
template <class Json = nlohmann::json>
Json json_number(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

}  // namespace lgode
