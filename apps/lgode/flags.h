// Flags that look alike in every subcommand: what a flag takes stands behind its name, its default behind the
// explanation.
#pragma once

#include <fmt/format.h>

#include <CLI/App.hpp>
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

// Examples at the end of a subcommand's help.
inline std::string examples(std::initializer_list<const char*> lines) {
  std::string text = "Examples:";
  for (const char* line : lines) text += fmt::format("\n  {}", line);
  return text;
}

}  // namespace lgode::app
