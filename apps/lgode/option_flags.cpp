// Binds each option to a text, which is parsed when the command line is complete.
#include "option_flags.h"

#include "flag_text.h"
#include "lgode/core/json_text.h"

namespace lgode::app {

void OptionFlags::add(Flags app, OptionSet& options) {
  options_ = &options;
  for (const Option& option : options.options()) {
    Entry& entry = entries_.emplace_back();
    entry.key = option.key;
    entry.is_switch = option.type == "bool";
    const std::string help = with_flags(option.help);
    if (entry.is_switch) {
      app.add_switch(flag_name(option.key), entry.on, help);
      continue;
    }
    entry.flag = app.add_value(flag_name(option.key), entry.text, option.form.empty() ? option.accepts : option.form,
                               help, option.form.empty() ? plain_text(option.default_value) : option.shown_default);
    if (option.type == "names" || option.type == "pairs") entry.flag.list();
  }
}

void OptionFlags::apply() {
  for (const Entry& entry : entries_)
    if (entry.given())
      options_->set_text(entry.key, entry.is_switch ? "true" : entry.text, Source::kFlag, "command line");
}

std::vector<std::string> OptionFlags::given() const {
  std::vector<std::string> keys;
  for (const Entry& entry : entries_)
    if (entry.given()) keys.push_back(entry.key);
  return keys;
}

}  // namespace lgode::app
