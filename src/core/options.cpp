// How options check, set and name their values, which option_values.h reads. JSON values and flag texts go through the
// same checks; the file does not depend on particular options or recipes.
#include "lgode/core/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/core/nearest.h"

namespace lgode {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& accepts) { throw ConfigError(accepts); }

json number_of(const std::string& text, const std::string& accepts) {
  std::optional<json> number = parse_number(text);
  if (!number) refuse(accepts);
  return *std::move(number);
}

template <class T>
std::string describe(const OptionSet::Range<T>& range, const char* noun) {
  const bool low = range.low != std::numeric_limits<T>::lowest();
  const bool high = range.high != std::numeric_limits<T>::max();
  if (low && high) return fmt::format("{} in {}{}, {}]", noun, range.open_low ? '(' : '[', range.low, range.high);
  if (low) return fmt::format("{} {} {}", noun, range.open_low ? ">" : ">=", range.low);
  if (high) return fmt::format("{} <= {}", noun, range.high);
  return noun;
}

template <class T>
bool within(T value, const OptionSet::Range<T>& range) {
  return value <= range.high && (range.open_low ? value > range.low : value >= range.low);
}

std::optional<double> read_as(const json& value, double /*tag*/) { return as_double(value); }
std::optional<std::int64_t> read_as(const json& value, std::int64_t /*tag*/) { return as_integer(value); }

template <class T>
T read_checked(const json& value, const OptionSet::Range<T>& range, const std::string& accepts) {
  const std::optional<T> number = read_as(value, T{});
  if (!number || !within(*number, range)) refuse(accepts);
  return *number;
}

template <class T>
Option number_option(T* field, const OptionSet::Range<T>& range, const char* noun) {
  Option option;
  option.type = noun;
  option.accepts = describe(range, noun);
  option.get = [field]() -> json { return *field; };
  option.set = [field, range, accepts = option.accepts](const json& value) {
    *field = read_checked(value, range, accepts);
  };
  option.parse = [accepts = option.accepts](const std::string& text) { return number_of(text, accepts); };
  return option;
}

template <class T>
Option automatic_option(std::optional<T>* field, const OptionSet::Range<T>& range, const char* noun) {
  Option option;
  option.type = noun;
  option.accepts = "auto or " + describe(range, noun);
  option.get = [field]() -> json { return *field ? json(**field) : json("auto"); };
  option.set = [field, range, accepts = option.accepts](const json& value) {
    if (value == "auto" || value.is_null())
      field->reset();
    else
      *field = read_checked(value, range, accepts);
  };
  option.parse = [accepts = option.accepts](const std::string& text) {
    return text == "auto" ? json(text) : number_of(text, accepts);
  };
  return option;
}

std::string canonical(std::string_view key) {
  std::string result(key);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

// "a number in (0, 1]" of "number in (0, 1]".
std::string with_article(std::string accepts) {
  for (const auto& [noun, article] : {std::pair{"number", "a "}, std::pair{"integer", "an "}})
    if (const std::size_t at = accepts.find(noun); at != std::string::npos) accepts.insert(at, article);
  return accepts;
}

// An option in a file is named as written there, an option that the caller set by its key in backquotes.
ConfigError bad_value(Source source, const std::string& where, const Option& option, const json& value) {
  const std::string expected = option.expected.empty() ? with_article(option.accepts) : option.expected;
  if (source != Source::kFlag)
    return ConfigError(
        fmt::format("{}: {}: expected {}, found {}", where, option.key, expected, lenient_json_text(value)));
  return ConfigError(fmt::format("`{}` {}: expected {}", option.key, plain_text(value), expected));
}

}  // namespace

Option& Option::show(std::string value_form, std::string default_words) {
  form = std::move(value_form);
  shown_default = std::move(default_words);
  return *this;
}

Option& Option::expect(std::string what) {
  expected = std::move(what);
  return *this;
}

std::string_view source_name(Source source) {
  switch (source) {
    case Source::kDefault:
      return "default";
    case Source::kRecipe:
      return "recipe";
    case Source::kFile:
      return "file";
    case Source::kFlag:
      return "flag";
  }
  return "default";
}

Option& OptionSet::push(Option option) {
  if (find(option.key) != nullptr) throw std::logic_error("option declared twice: " + option.key);
  option.group = group_;
  option.default_value = option.get();
  options_.push_back(std::move(option));
  return options_.back();
}

Option& OptionSet::push(std::string key, std::string help, Option option) {
  option.key = std::move(key);
  option.help = std::move(help);
  return push(std::move(option));
}

Option& OptionSet::add(std::string key, double* field, Range<double> range, std::string help) {
  return push(std::move(key), std::move(help), number_option(field, range, "number"));
}

Option& OptionSet::add(std::string key, std::int64_t* field, Range<std::int64_t> range, std::string help) {
  return push(std::move(key), std::move(help), number_option(field, range, "integer"));
}

Option& OptionSet::add(std::string key, std::optional<double>* field, Range<double> range, std::string help) {
  return push(std::move(key), std::move(help), automatic_option(field, range, "number"));
}

Option& OptionSet::add(std::string key, std::optional<std::int64_t>* field, Range<std::int64_t> range,
                       std::string help) {
  return push(std::move(key), std::move(help), automatic_option(field, range, "integer"));
}

Option& OptionSet::add(std::string key, std::uint64_t* field, std::string help) {
  Option option;
  option.type = "integer";
  option.accepts = "integer >= 0";
  option.get = [field]() -> json { return *field; };
  option.set = [field, accepts = option.accepts](const json& value) {
    const std::optional<std::uint64_t> number = as_unsigned(value);
    if (!number) refuse(accepts);
    *field = *number;
  };
  option.parse = [accepts = option.accepts](const std::string& text) { return number_of(text, accepts); };
  return push(std::move(key), std::move(help), std::move(option));
}

Option& OptionSet::add(std::string key, bool* field, std::string help) {
  Option option;
  option.type = "bool";
  option.accepts = "true|false";
  option.get = [field]() -> json { return *field; };
  option.set = [field, accepts = option.accepts](const json& value) {
    if (!value.is_boolean()) refuse(accepts);
    *field = value.get<bool>();
  };
  option.parse = [accepts = option.accepts](const std::string& text) -> json {
    if (text != "true" && text != "false") refuse(accepts);
    return text == "true";
  };
  return push(std::move(key), std::move(help), std::move(option));
}

Option& OptionSet::add(std::string key, std::string* field, std::string help) {
  Option option;
  option.type = "text";
  option.accepts = "text";
  option.get = [field]() -> json { return *field; };
  option.set = [field, accepts = option.accepts](const json& value) {
    if (!value.is_string()) refuse(accepts);
    *field = value.get<std::string>();
  };
  option.parse = [](const std::string& text) -> json { return text; };
  return push(std::move(key), std::move(help), std::move(option));
}

Option& OptionSet::add(std::string key, int* field, Range<std::int64_t> range, std::string help) {
  Option option;
  option.type = "integer";
  option.accepts = describe(range, "integer");
  range.high = std::min<std::int64_t>(range.high, std::numeric_limits<int>::max());
  option.get = [field]() -> json { return *field; };
  option.set = [field, range, accepts = option.accepts](const json& value) {
    *field = static_cast<int>(read_checked(value, range, accepts));
  };
  option.parse = [accepts = option.accepts](const std::string& text) { return number_of(text, accepts); };
  return push(std::move(key), std::move(help), std::move(option));
}

Option& OptionSet::add(std::string key, std::vector<std::string>* field, std::string help) {
  Option option;
  option.type = "names";
  option.accepts = "names with commas between them, such as a,b,c";
  option.get = [field]() -> json { return *field; };
  option.set = [field, accepts = option.accepts](const json& value) {
    if (value.is_string()) {
      *field = {value.get<std::string>()};
      return;
    }
    const bool texts =
        value.is_null() || (value.is_array() &&
                            std::all_of(value.begin(), value.end(), [](const json& item) { return item.is_string(); }));
    if (!texts) refuse(accepts);
    *field = value.is_null() ? std::vector<std::string>() : value.get<std::vector<std::string>>();
  };
  option.parse = [accepts = option.accepts](const std::string& text) -> json {
    const auto names = parse_names(text);
    if (!names) refuse(accepts);
    return *names;
  };
  return push(std::move(key), std::move(help), std::move(option));
}

Option& OptionSet::add(std::string key, std::map<std::string, std::string>* field, std::string help) {
  Option option;
  option.type = "pairs";
  option.accepts = "pairs such as a=b,c=d";
  option.get = [field]() -> json { return *field; };
  option.set = [field, accepts = option.accepts](const json& value) {
    const bool texts =
        value.is_null() || (value.is_object() &&
                            std::all_of(value.begin(), value.end(), [](const json& item) { return item.is_string(); }));
    if (!texts) refuse(accepts);
    field->clear();
    if (!value.is_null()) *field = value.get<std::map<std::string, std::string>>();
  };
  option.parse = [accepts = option.accepts](const std::string& text) {
    json pairs = json::object();
    for (const std::string& item : parse_names(text).value_or(std::vector<std::string>{""})) {
      const std::size_t at = item.find('=');
      if (at == std::string::npos || at == 0 || at + 1 == item.size()) refuse(accepts);
      pairs[item.substr(0, at)] = item.substr(at + 1);
    }
    return pairs;
  };
  return push(std::move(key), std::move(help), std::move(option));
}

Option& OptionSet::add(std::string key, std::optional<Length>* field, std::string help) {
  Option option;
  option.type = "length";
  option.accepts = kLengthAccepts;
  option.get = [field]() -> json {
    if (!*field) return nullptr;
    return (*field)->text.empty() ? json((*field)->value) : json((*field)->text);
  };
  option.set = [field, accepts = option.accepts](const json& value) {
    std::optional<Length> length;
    if (const auto number = as_double(value)) length = *number;
    if (value.is_string()) length = parse_length(value.get<std::string>());
    if (!length && !value.is_null()) refuse(accepts);
    *field = std::move(length);
  };
  option.parse = [](const std::string& text) -> json { return text; };
  return push(std::move(key), std::move(help), std::move(option));
}

Option& OptionSet::add_unset(std::string key, std::optional<double>* field, Range<double> range, std::string help) {
  Option option = automatic_option(field, range, "number");
  option.accepts = describe(range, "number");
  option.get = [field]() -> json { return *field ? json(**field) : json(nullptr); };
  option.set = [field, range, accepts = option.accepts](const json& value) {
    if (value.is_null())
      field->reset();
    else
      *field = read_checked(value, range, accepts);
  };
  option.parse = [accepts = option.accepts](const std::string& text) { return number_of(text, accepts); };
  return push(std::move(key), std::move(help), std::move(option));
}

Option& OptionSet::add_words(std::string key, std::vector<std::string> names, std::function<std::size_t()> get,
                             std::function<void(std::size_t)> set, std::string help) {
  Option option;
  option.type = "choice";
  option.accepts = fmt::format("{}", fmt::join(names, "|"));
  option.get = [names, get = std::move(get)]() -> json { return names[get()]; };
  option.set = [names, set = std::move(set), accepts = option.accepts](const json& value) {
    const auto name = std::find_if(names.begin(), names.end(), [&](const std::string& word) { return value == word; });
    if (name == names.end()) refuse(accepts);
    set(static_cast<std::size_t>(name - names.begin()));
  };
  option.parse = [](const std::string& text) -> json { return text; };
  return push(std::move(key), std::move(help), std::move(option));
}

const Option* OptionSet::find(std::string_view key) const {
  std::string name = canonical(key);
  for (const auto& [former, now] : former_keys_)
    if (canonical(former) == name) name = canonical(now);
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const Option& option) { return canonical(option.key) == name; });
  return found == options_.end() ? nullptr : &*found;
}

Option* OptionSet::find(std::string_view key) { return const_cast<Option*>(std::as_const(*this).find(key)); }

const OptionSet::Retired* OptionSet::find_retired(std::string_view key) const {
  const auto found = std::find_if(retired_.begin(), retired_.end(),
                                  [&](const Retired& r) { return canonical(r.key) == canonical(key); });
  return found == retired_.end() ? nullptr : &*found;
}

void OptionSet::set(std::string_view key, const json& value, Source source, const std::string& where) {
  if (const Retired* retired = find_retired(key)) {
    if (value == retired->without) return;
    throw ConfigError(
        fmt::format("{}: {}: found {}; {}", where, retired->key, lenient_json_text(value), retired->advice));
  }
  Option* option = find(key);
  if (option == nullptr) {
    std::vector<std::string> keys;
    for (const Option& o : options_) keys.push_back(o.key);
    const std::string near = nearest(canonical(key), keys);
    throw ConfigError(fmt::format("{}: there is no option \"{}\"{}", where, key,
                                  near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  }
  // A value that a stronger source overrides is checked, too.
  const json old = option->get();
  try {
    option->set(value);
  } catch (const ConfigError& error) {
    // A message that names the option is complete.
    if (std::string_view(error.what()).starts_with('`')) throw;
    throw bad_value(source, where, *option, value);
  }
  if (option->source > source)
    option->set(old);
  else
    option->source = source;
}

void OptionSet::set_text(std::string_view key, const std::string& text, Source source, const std::string& where) {
  const Option* option = find(key);
  json value = text;
  if (option != nullptr) {
    try {
      value = option->parse(text);
    } catch (const ConfigError&) {
      throw bad_value(source, where, *option, text);
    }
  }
  set(key, value, source, where);
}

void OptionSet::set_all(const json& object, Source source, const std::string& where, bool lenient) {
  if (!object.is_object())
    throw ConfigError(fmt::format("{}: expected an object of options, found {}", where, object.type_name()));
  for (const auto& [key, value] : object.items()) {
    if (key.starts_with('_')) continue;
    if (lenient && find(key) == nullptr && find_retired(key) == nullptr) continue;
    set(key, value, source, where);
  }
}

json OptionSet::to_json() const {
  json object = json::object();
  for (const Option& option : options_) object[option.key] = option.get();
  return object;
}

json read_json_file(const std::string& path) {
  const std::string text = read_text(path);
  try {
    return parse_json_with_comments(text);
  } catch (const json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 2, column 3: ..." without its bracket. A number that no
    // double can hold is an error of another type.
    const std::string_view what = error.what();
    const std::size_t bracket = what.find("] ");
    throw DataError(fmt::format("{}: {}", path, bracket == std::string_view::npos ? what : what.substr(bracket + 2)));
  }
}

}  // namespace lgode
