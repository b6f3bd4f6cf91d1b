// The self-contained HTML page: one file with the data as JSON, the viewer's script and its style; a browser has
// nothing else to load. docs/report-format.md describes the JSON.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace lgode::report {

// The form of the JSON; the viewer refuses others.
inline constexpr int kFormat = 1;

// Text from data can be anything. These make it safe in its context.
std::string escape_html(std::string_view text);
// JSON for a script element: <, >, & and the line separators U+2028 and U+2029 are written as \u escapes, so that no
// text can end the element. Bytes that are not UTF-8 are replaced.
std::string script_json(const nlohmann::ordered_json& data);

// A content security policy in the page allows this script and this style alone, and no request.
std::string page(const std::string& title, const nlohmann::ordered_json& data);

// Bytes of a page without data.
std::size_t empty_page_size();

// Whether the file is a page of ours, which may be replaced by a newer one. False if it is absent.
bool is_page(const std::filesystem::path& path);

}  // namespace lgode::report
