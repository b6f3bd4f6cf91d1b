// Flags with the same look in every subcommand: the accepted value follows the name, the default follows the help. A
// thin wrapper around CLI11, whose headers cost seconds of compile time in every file that includes them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
class Option;
}  // namespace CLI

namespace lgode::app {

class Flag {
 public:
  Flag() = default;
  explicit Flag(CLI::Option* option) : option_(option) {}

  const Flag& required() const;
  const Flag& one_of(std::initializer_list<const char*> words) const;
  const Flag& between(double low, double high) const;
  const Flag& at_least(std::int64_t low) const;  // a whole number
  const Flag& seed() const;                      // a whole number that fits 64 bits
  const Flag& excludes(const Flag& other) const;
  // Takes several values, and adds to them if it is given again; `commas` also separates values at commas.
  const Flag& many(bool commas = false) const;
  // A text that is a list with commas: given again, it adds to the list.
  const Flag& list() const;
  const Flag& group(const std::string& heading) const;
  bool given() const;  // once the command line was read

 private:
  CLI::Option* option_ = nullptr;
};

// The flags of a subcommand, or the command itself; a handle, to be passed by value.
class Flags {
 public:
  Flags() = default;
  explicit Flags(CLI::App* app) : app_(app) {}

  Flags add_command(const std::string& name, const std::string& help) const;
  void require_command() const;  // the user must choose one of the subcommands

  // A flag with a value, which may be given once unless it is many() or a list(). `accepts` is shown as it is ("N",
  // "cpu|cuda"); no default is shown for an empty text. Field: std::string, std::int64_t, std::uint64_t, int, double,
  // one of these as an optional, or a list of strings.
  template <class Field>
  Flag add_value(const std::string& name, Field& field, const std::string& accepts, const std::string& help,
                 const std::string& shown_default = {}) const;
  // A flag without one.
  void add_switch(const std::string& name, bool& field, const std::string& help) const;
  void footer(const std::string& text) const;

  bool parsed() const;  // whether the command line chose this one

 private:
  CLI::App* app_ = nullptr;
};

// Examples at the end of a subcommand's help.
std::string examples(std::initializer_list<const char*> lines);

}  // namespace lgode::app
