// Flags for the options that a library part declares: names, forms, defaults and help follow from the declaration.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "flags.h"
#include "lgode/core/options.h"

namespace lgode::app {

class OptionFlags {
 public:
  // One flag for each option; true|false is a switch. The set must outlive this, and this the parsing.
  void add(Flags app, OptionSet& options);
  // Sets the options that were given. ConfigError.
  void apply();
  // Keys of the options that were given.
  std::vector<std::string> given() const;

 private:
  struct Entry {
    std::string key;
    Flag flag;
    std::string text;
    bool on = false;
    bool is_switch = false;

    bool given() const { return is_switch ? on : flag.given(); }
  };

  OptionSet* options_ = nullptr;
  std::deque<Entry> entries_;  // which flags point into
};

}  // namespace lgode::app
