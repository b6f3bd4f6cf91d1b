// Assembles the page from the built viewer (viewer/dist), which is part of this program.
#include "lgode/report/page.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "lgode/core/methods.h"
#include "lgode/report/viewer_text.h"
#include "lgode/version.h"

namespace lgode::report {
namespace {

constexpr std::string_view kMark = "<!doctype html>\n<!-- report of lgode -->\n";

std::string assemble(const std::string& title, std::string_view data) {
  // The hashes cover the script and the style below, to the byte (viewer/build.mjs).
  return fmt::format(
      R"({}<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="lgode {}">
<link rel="icon" href="data:,">
<title>{}</title>
<style>{}</style>
</head>
<body>
<noscript>This page needs JavaScript to draw; nothing is loaded from the network.</noscript>
<main id="page"></main>
<script type="application/json" id="data">{}</script>
<script>{}</script>
</body>
</html>
)",
      kMark, kScriptHash, kStyleHash, LGODE_VERSION, escape_html(title), kStyle, data, kScript);
}

// Names and order of the classical methods, for the viewer.
nlohmann::ordered_json methods_json() {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const ClassicalMethod& method : kClassicalMethods)
    out.push_back({{"key", method.key}, {"name", method.name}, {"own_forecasts", has_own_forecasts(method.key)}});
  return out;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string script_json(const nlohmann::ordered_json& data) {
  const std::string text = data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (std::size_t i = 0; i < text.size(); ++i) {
    // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
    if (text.compare(i, 2, "\xE2\x80") == 0 && i + 2 < text.size() &&
        (text[i + 2] == '\xA8' || text[i + 2] == '\xA9')) {
      out += text[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
      continue;
    }
    switch (text[i]) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += text[i];
    }
  }
  return out;
}

std::string page(const std::string& title, const nlohmann::ordered_json& data) {
  nlohmann::ordered_json all = {{"format", kFormat},
                                {"made_by", {{"version", LGODE_VERSION}, {"commit", LGODE_COMMIT}}},
                                {"methods", methods_json()}};
  all.update(data);
  all["licences"] = kLicences;
  return assemble(title, script_json(all));
}

std::size_t empty_page_size() { return page("", nlohmann::ordered_json::object()).size(); }

bool is_page(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(kMark.size(), '\0');
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == kMark;
}

}  // namespace lgode::report
