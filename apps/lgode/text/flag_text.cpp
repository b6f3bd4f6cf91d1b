// Finds keys between backquotes in a message and replaces them by flags.
#include "text/flag_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace lgode::app {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

bool is_key(std::string_view text) {
  return !text.empty() && is_lower(text.front()) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_lower(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::string flag_name(std::string_view key) {
  if (key == "method") return "--with";  // which is a word of Python
  std::string name = "--" + std::string(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string with_flags(std::string_view message) {
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t open = message.find('`', at);
    const std::size_t close = open == std::string_view::npos ? open : message.find('`', open + 1);
    if (close == std::string_view::npos) return text.append(message.substr(at));
    const std::string_view key = message.substr(open + 1, close - open - 1);
    text.append(message.substr(at, open - at));
    // A backquote that closes no key may open the next one.
    if (is_key(key))
      text += flag_name(key);
    else
      text.append(message.substr(open, close - open));
    at = is_key(key) ? close + 1 : close;
  }
  return text;
}

void print_messages(const use::Messages& messages, const std::string& about) {
  for (const use::Message& message : messages)
    fmt::print(stderr, "{}: {}{}\n", message.kind == use::Message::Kind::kNote ? "note" : "warning",
               about.empty() ? "" : about + ": ", with_flags(message.text));
}

}  // namespace lgode::app
