// Flags that look alike in every subcommand: what a flag takes stands behind its name, its default behind the
// explanation.
#pragma once

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace lgode::app {

// A flag with a value. `accepts` is shown as it stands ("N", "cpu|cuda"); no default is shown for an empty text.
template <class T>
CLI::Option* add_value(CLI::App& app, const std::string& name, T& field, const std::string& accepts,
                       const std::string& help, const std::string& shown_default = {}) {
  const std::string text = shown_default.empty() ? help : fmt::format("{} (default {})", help, shown_default);
  return app.add_option(name, field, text)->option_text(accepts);
}

// A whole number not smaller than `low`.
inline CLI::Validator at_least(std::int64_t low) {
  return {[low](std::string& text) -> std::string {
            std::int64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error == std::errc() && end == text.data() + text.size() && value >= low) return {};
            return fmt::format("expected an integer >= {}, found {}", low, text);
          },
          ""};
}

// A seed: a whole number that fits 64 bits.
inline CLI::Validator seed_number() {
  return {[](std::string& text) -> std::string {
            std::uint64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error == std::errc() && end == text.data() + text.size()) return {};
            return fmt::format("expected an integer from 0 to 18446744073709551615, found {}", text);
          },
          ""};
}

// Examples at the end of a subcommand's help.
inline std::string examples(std::initializer_list<const char*> lines) {
  std::string text = "Examples:";
  for (const char* line : lines) text += fmt::format("\n  {}", line);
  return text;
}

}  // namespace lgode::app
