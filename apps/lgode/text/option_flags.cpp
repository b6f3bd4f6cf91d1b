// Makes flags of options, and sets the options that were given.
#include "text/option_flags.h"

#include "lgode/core/json_text.h"
#include "text/flag_text.h"

namespace lgode::app {

Flag OptionFlags::add(const std::string& key, const Words& words) {
  const Option& option = *options_.find(key);
  if (!option.default_value.is_boolean()) return add_value(key, words);
  auto& value = switches_.emplace_back(key, false);
  app_.add_switch(words.name.empty() ? flag_name(key) : words.name, value.second,
                  with_flags(words.before + option.help + words.after));
  return {};
}

Flag OptionFlags::add_value(const std::string& key, const Words& words) {
  const Option& option = *options_.find(key);
  const std::string name = words.name.empty() ? flag_name(key) : words.name;
  const std::string help = with_flags(words.before + option.help + words.after);
  const std::string form = !words.form.empty() ? words.form : option.form.empty() ? option.accepts : option.form;
  auto& text = texts_.emplace_back(key, "");
  std::string shown = words.shown_default.empty() ? option.shown_default : words.shown_default;
  if (shown.empty() && !option.default_value.is_null()) shown = plain_text(option.default_value);
  if (shown == " ") shown.clear();
  flags_.push_back(app_.add_value(name, text.second, form, help, shown));
  if (option.type == "names" || option.type == "pairs") flags_.back().list();
  return flags_.back();
}

void OptionFlags::add_all() {
  for (const Option& option : options_.options()) {
    // An option with a form of its own, such as N or A,B,..., shows a default only if it declares one.
    const bool none = !option.form.empty() && option.shown_default.empty();
    add(option.key, {.shown_default = none ? " " : option.shown_default});
  }
}

std::vector<std::string> OptionFlags::given() const {
  std::vector<std::string> keys;
  for (const auto& [key, on] : switches_)
    if (on) keys.push_back(key);
  for (std::size_t i = 0; i < flags_.size(); ++i)
    if (flags_[i].given()) keys.push_back(texts_[i].first);
  return keys;
}

std::vector<std::pair<std::string, std::string>> OptionFlags::given_texts() const {
  std::vector<std::pair<std::string, std::string>> given;
  for (std::size_t i = 0; i < flags_.size(); ++i)
    if (flags_[i].given()) given.push_back(texts_[i]);
  return given;
}

void OptionFlags::read() {
  try {
    for (const auto& [key, on] : switches_)
      if (on) options_.set(key, true, Source::kFlag, flag_name(key));
    for (const auto& [key, text] : given_texts()) options_.set_text(key, text, Source::kFlag, flag_name(key));
  } catch (const ConfigError& error) {
    throw FlagError(error.what());
  }
}

}  // namespace lgode::app
