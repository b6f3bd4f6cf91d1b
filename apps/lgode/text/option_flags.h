// The flags of declared options: name, accepted value, help and default follow from the declaration.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/options.h"
#include "text/flags.h"

namespace lgode::app {

// A flag with a value that its option refuses; the help of the command explains the flag.
class FlagError : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

class OptionFlags {
 public:
  // Both outlive this object.
  OptionFlags(Flags app, OptionSet& options) : app_(app), options_(options) {}

  // `before` and `after` the help of the option: what holds for the command alone. The others, unless empty, replace
  // the declared default (a blank: none is shown), the name made of the key, and the form of the value.
  struct Words {
    std::string before = {}, after = {}, shown_default = {}, name = {}, form = {};
  };
  // Adds the flag of one option: a switch for one that is true or false.
  Flag add(const std::string& key, const Words& words);
  Flag add(const std::string& key) { return add(key, {}); }
  // Adds a flag with a value, also for an option that is true or false.
  Flag add_value(const std::string& key, const Words& words);
  // Adds the flags of all options, in their order.
  void add_all();

  // Sets the options whose flags were given. FlagError names the flag.
  void read();
  std::vector<std::string> given() const;  // keys of the flags that were given
  // Key and text of the flags with a value that were given.
  std::vector<std::pair<std::string, std::string>> given_texts() const;
  bool given(const std::string& key) const { return options_.find(key)->source == Source::kFlag; }  // after read()

 private:
  Flags app_;
  OptionSet& options_;
  // Values as they were given; they must not move.
  std::deque<std::pair<std::string, bool>> switches_;
  std::deque<std::pair<std::string, std::string>> texts_;
  std::vector<Flag> flags_;  // of `texts_`
};

}  // namespace lgode::app
