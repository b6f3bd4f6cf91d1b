// Flags on CLI11: the only file apart from command_main.cpp that includes its headers.
#include "text/flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <type_traits>

namespace lgode::app {
namespace {

// Whether the text is a number of this type and nothing else.
template <class Number>
bool read_number(const std::string& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

const Flag& Flag::required() const {
  option_->required();
  return *this;
}

const Flag& Flag::one_of(std::initializer_list<const char*> words) const {
  option_->check(CLI::IsMember(std::vector<std::string>(words.begin(), words.end())));
  return *this;
}

const Flag& Flag::between(double low, double high) const {
  option_->check(CLI::Range(low, high));
  return *this;
}

const Flag& Flag::at_least(std::int64_t low) const {
  const auto check = [low](std::string& text) -> std::string {
    std::int64_t value = 0;
    if (read_number(text, value) && value >= low) return {};
    return fmt::format("expected an integer >= {}, found {}", low, text);
  };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

const Flag& Flag::seed() const {
  const auto check = [](std::string& text) -> std::string {
    std::uint64_t value = 0;
    if (read_number(text, value)) return {};
    return fmt::format("expected an integer from 0 to 18446744073709551615, found {}", text);
  };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

const Flag& Flag::excludes(const Flag& other) const {
  option_->excludes(other.option_);
  return *this;
}

const Flag& Flag::many(bool commas) const {
  if (commas) option_->delimiter(',');
  option_->expected(1, CLI::detail::expected_max_vector_size)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

const Flag& Flag::list() const {
  option_->multi_option_policy(CLI::MultiOptionPolicy::Join)->delimiter(',');
  return *this;
}

const Flag& Flag::group(const std::string& heading) const {
  option_->group(heading);
  return *this;
}

bool Flag::given() const { return option_->count() > 0; }

Flags Flags::add_command(const std::string& name, const std::string& help) const {
  return Flags(app_->add_subcommand(name, help));
}

void Flags::require_command() const { app_->require_subcommand(1); }

template <class Field>
Flag Flags::add_value(const std::string& name, Field& field, const std::string& accepts, const std::string& help,
                      const std::string& shown_default) const {
  const std::string text = shown_default.empty() ? help : fmt::format("{} (default {})", help, shown_default);
  CLI::Option* option = app_->add_option(name, field, text)->option_text(accepts);
  if constexpr (!std::is_same_v<Field, std::vector<std::string>>)
    option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  return Flag(option);
}
// NOLINTBEGIN(bugprone-macro-parentheses): a type
#define LGODE_FIELD(Type)                                                                           \
  template Flag Flags::add_value(const std::string&, Type&, const std::string&, const std::string&, \
                                 const std::string&) const;
// NOLINTEND(bugprone-macro-parentheses)
LGODE_FIELD(std::string)
LGODE_FIELD(std::int64_t)
LGODE_FIELD(std::uint64_t)
LGODE_FIELD(int)
LGODE_FIELD(double)
LGODE_FIELD(std::optional<std::int64_t>)
LGODE_FIELD(std::optional<double>)
LGODE_FIELD(std::optional<std::string>)
LGODE_FIELD(std::vector<std::string>)
#undef LGODE_FIELD

void Flags::add_switch(const std::string& name, bool& field, const std::string& help) const {
  app_->add_flag(name, field, help);
}

void Flags::footer(const std::string& text) const { app_->footer(text); }

bool Flags::parsed() const { return app_->parsed(); }

std::string examples(std::initializer_list<const char*> lines) {
  std::string text = "Examples:";
  for (const char* line : lines) text += fmt::format("\n  {}", line);
  return text;
}

}  // namespace lgode::app
