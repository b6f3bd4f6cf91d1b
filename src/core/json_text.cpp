// The only file that instantiates nlohmann-json's parser and writer.
#include "lgode/core/json_text.h"

namespace lgode {
namespace {

template <class Json>
std::string plain(const Json& value) {
  return value.is_string() ? value.template get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string json_text(const nlohmann::json& value, int indent) { return value.dump(indent); }
std::string json_text(const nlohmann::ordered_json& value, int indent) { return value.dump(indent); }
std::string lenient_json_text(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string plain_text(const nlohmann::json& value) { return plain(value); }
std::string plain_text(const nlohmann::ordered_json& value) { return plain(value); }

nlohmann::json parse_json(const std::string& text) {
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}
nlohmann::ordered_json parse_ordered_json(const std::string& text) {
  return nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
}
nlohmann::json parse_json_with_comments(const std::string& text) {
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/true, /*ignore_comments=*/true);
}

}  // namespace lgode
