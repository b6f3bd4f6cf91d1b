// Options, declared once with key, field, accepted values and help. Flags, help texts, config files and saved runs all
// use this declaration. A value keeps its source, so that a recipe changes only values that are not set.
//
// Messages name an option by its key in backquotes, `kl_warmup`; the command prints its flag instead.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/option_values.h"

namespace lgode {

// Source of a value; a later source wins over an earlier one.
enum class Source { kDefault, kRecipe, kFile, kFlag };
std::string_view source_name(Source source);

struct Option {
  std::string key;                 // "kl_warmup"
  std::string help;                // one line
  std::string group;               // heading in the help
  std::string accepts;             // "number > 0", "adam|adamw", ...
  std::string type;                // number, integer, bool, text, choice, names, pairs or length
  std::string form = {};           // of the value in the help of a command, "A,B,..."; empty: as `accepts` says
  std::string shown_default = {};  // the default in the help, in words; empty: default_value
  nlohmann::json default_value;
  Source source = Source::kDefault;
  std::function<nlohmann::json()> get;
  std::function<void(const nlohmann::json&)> set;           // throws ConfigError(accepts ...) without the option's name
  std::function<nlohmann::json(const std::string&)> parse;  // text of a flag to a value; throws like `set`

  Option& show(std::string value_form, std::string default_words = {});
  Option& expect(std::string what);  // in place of `accepts` in messages
  std::string expected = {};
};

// The options of one command, bound to fields that outlive the set.
class OptionSet {
 public:
  template <class T>
  struct Range {
    T low = std::numeric_limits<T>::lowest();
    T high = std::numeric_limits<T>::max();
    bool open_low = false;  // low itself is excluded
  };

  void group(std::string name) { group_ = std::move(name); }
  Option& add(std::string key, double* field, Range<double> range, std::string help);
  Option& add(std::string key, std::int64_t* field, Range<std::int64_t> range, std::string help);
  Option& add(std::string key, std::uint64_t* field, std::string help);
  Option& add(std::string key, bool* field, std::string help);
  Option& add(std::string key, std::string* field, std::string help);
  // "auto" or a number.
  Option& add(std::string key, std::optional<double>* field, Range<double> range, std::string help);
  Option& add(std::string key, std::optional<std::int64_t>* field, Range<std::int64_t> range, std::string help);
  Option& add(std::string key, int* field, Range<std::int64_t> range, std::string help);
  // Names with commas between them; as JSON a list, or one name as text.
  Option& add(std::string key, std::vector<std::string>* field, std::string help);
  // Pairs such as a=b,c=d; as JSON an object.
  Option& add(std::string key, std::map<std::string, std::string>* field, std::string help);
  // A number or a text such as 5min; null is unset.
  Option& add(std::string key, std::optional<Length>* field, std::string help);
  // A number; null is unset.
  Option& add_unset(std::string key, std::optional<double>* field, Range<double> range, std::string help);
  // Any other: complete but for the group.
  Option& add(Option option) { return push(std::move(option)); }
  // One of several words.
  template <class Enum>
  Option& add_choice(std::string key, Enum* field, std::initializer_list<std::pair<const char*, Enum>> choices,
                     std::string help) {
    std::vector<std::string> names;
    std::vector<Enum> values;
    for (const auto& [name, value] : choices) {
      names.emplace_back(name);
      values.push_back(value);
    }
    auto get = [field, names, values]() -> std::size_t {
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] == *field) return i;
      return 0;
    };
    return add_words(
        std::move(key), names, get, [field, values](std::size_t i) { *field = values[i]; }, std::move(help));
  }

  // The key of an option in older config files: read, never written.
  void add_former_key(std::string former, std::string key) {
    former_keys_.emplace_back(std::move(former), std::move(key));
  }

  // An option that only older config files have: skipped where its value is `without`; any other value is a ConfigError
  // that ends with `advice`.
  void add_retired_key(std::string key, nlohmann::json without, std::string advice) {
    retired_.push_back({std::move(key), std::move(without), std::move(advice)});
  }

  const std::vector<Option>& options() const { return options_; }
  Option* find(std::string_view key);  // '-' and '_' count as the same; nullptr if absent
  const Option* find(std::string_view key) const;

  // Sets one option unless a stronger source has set it already. ConfigError names option, value, accepted values and,
  // for a file, `where`. For an unknown key it suggests the most similar one.
  void set(std::string_view key, const nlohmann::json& value, Source source, const std::string& where);
  void set_text(std::string_view key, const std::string& text, Source source, const std::string& where);
  // Sets all entries of a JSON object. Keys that start with '_' are notes and are skipped; with `lenient`, unknown keys
  // are skipped as well.
  void set_all(const nlohmann::json& object, Source source, const std::string& where, bool lenient = false);

  nlohmann::json to_json() const;  // key -> value, every option; numbers exact to the last digit

 private:
  struct Retired {
    std::string key;
    nlohmann::json without;
    std::string advice;
  };
  const Retired* find_retired(std::string_view key) const;
  Option& add_words(std::string key, std::vector<std::string> names, std::function<std::size_t()> get,
                    std::function<void(std::size_t)> set, std::string help);
  Option& push(Option option);
  Option& push(std::string key, std::string help, Option option);

  std::string group_;
  std::vector<Option> options_;
  std::vector<std::pair<std::string, std::string>> former_keys_;
  std::vector<Retired> retired_;
};

// A JSON file with comments allowed. DataError names the file, and for a syntax error line and column.
nlohmann::json read_json_file(const std::string& path);

}  // namespace lgode
