// Selecting cells, reading recipes, and turning settings into flags of `lgode train`.
#include "lgode/reproduce/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/nearest.h"
#include "lgode/reproduce/paper_tables.h"
#include "lgode/reproduce/recipes_text.h"

namespace lgode::reproduce {
namespace {

using nlohmann::json;

// As in the paper: coordinates of the world, systems as they are, and every object takes part. Records of earlier
// versions lack these options, because there was nothing else.
const json& paper_settings() {
  static const json settings = {{"centre", "none"}, {"turn", "none"}, {"unseen", "predict"}, {"schedule", "cosine"}};
  return settings;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  if (text.empty()) return words;
  std::istringstream stream(text + ",");  // so that a comma at the end leaves an empty word
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

// Same number or same text; 1 and 1.0 are the same.
bool same(const json& a, const json& b) {
  if (a.is_number() && b.is_number()) {
    const auto x = a.get<double>(), y = b.get<double>();
    return std::abs(x - y) <= 1e-12 * std::max(std::abs(x), std::abs(y));
  }
  return a == b;
}

// Checks a name in a recipes file; the error lists the valid names.
void check_name(const std::string& where, const std::string& name, const std::vector<std::string>& valid) {
  if (std::find(valid.begin(), valid.end(), name) != valid.end()) return;
  throw DataError(
      fmt::format("{}: '{}' is not among {}{}", where, name, fmt::join(valid, ", "), did_you_mean(name, valid)));
}

template <class List>
std::vector<std::string> texts(const List& list) {
  return {list.begin(), list.end()};
}

void check_options(const std::string& where, const json& options) {
  if (!options.is_object())
    throw DataError(fmt::format("{}: is {}, expected an object of training options", where, json_text(options)));
  for (const char* key : {"task", "observed", "protocol", "seed", "model", "variant", "data", "threads", "device"})
    if (options.contains(key))
      throw DataError(fmt::format("{}: {} is set by the cell or the command line, not by a recipe", where, key));
}

void check_entry(const std::string& where, const json& entry) {
  if (!entry.is_object()) throw DataError(where + ": expected an object");
  for (const auto& [key, value] : entry.items()) {
    const std::string here = fmt::format("{}.{}", where, key);
    check_name(where, key, {"train_systems", "test_systems", "both", "interpolate", "extrapolate", "rows"});
    if (key == "train_systems" || key == "test_systems") {
      if (!value.is_number_integer() || value < 1)
        throw DataError(fmt::format("{}: is {}, expected a number of systems", here, json_text(value)));
    } else if (key == "rows") {
      if (!value.is_object()) throw DataError(fmt::format("{}: is {}, expected an object", here, json_text(value)));
      std::vector<std::string> rows(kRows.size());
      std::transform(kRows.begin(), kRows.end(), rows.begin(), [](const PaperRow& row) { return row.name; });
      for (const auto& [row, options] : value.items()) {
        check_name(here, row, rows);
        check_options(fmt::format("{}.{}", here, row), options);
        for (const char* task : {"interpolate", "extrapolate"})
          if (options.contains(task)) check_options(fmt::format("{}.{}.{}", here, row, task), options[task]);
      }
    } else {
      check_options(here, value);
    }
  }
}

}  // namespace

std::string Cell::name() const {
  return fmt::format("{}-{}-{}-{}-{}-{}", dataset, observed, task, row, protocol, seed);
}

std::vector<std::string> choose(const std::string& flag, const std::string& text,
                                const std::vector<std::string>& valid) {
  if (text == "all") return valid;
  const std::vector<std::string> words = split(text);
  for (const std::string& word : words) {
    if (std::find(valid.begin(), valid.end(), word) != valid.end()) continue;
    const bool number = !word.empty() && word[0] >= '0' && word[0] <= '9';
    throw ConfigError(fmt::format("{} {}: '{}' is not among {} (or all){}", flag, text, word, fmt::join(valid, ", "),
                                  number ? "" : did_you_mean(word, valid)));
  }
  if (words.empty())
    throw ConfigError(fmt::format("{}: empty; expected some of {}, or all", flag, fmt::join(valid, ", ")));
  std::vector<std::string> chosen;
  std::copy_if(valid.begin(), valid.end(), std::back_inserter(chosen),
               [&](const std::string& name) { return std::find(words.begin(), words.end(), name) != words.end(); });
  return chosen;
}

std::vector<Cell> plan(const Selection& s) {
  std::vector<std::string> rows = s.rows;
  // The paper's model first. Rows whose steps are many small kernels come last and together: on a GPU these kernels
  // would wait for the long ones of other rows.
  const auto rank = [](const std::string& row) {
    return row == "lg-ode" ? 0 : row == "latent-ode" || row == "rnn-nri" ? 2 : 1;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  std::vector<Cell> cells;
  for (std::int64_t seed = 1; seed <= s.seeds; ++seed)
    for (const std::string& protocol : s.protocols)
      for (const std::string& row : rows)
        for (const std::string& dataset : s.datasets)
          for (const std::string& task : s.tasks)
            for (const int observed : s.observed)
              cells.push_back({dataset, task, observed, row, protocol, static_cast<std::uint64_t>(seed)});
  return cells;
}

Recipes Recipes::builtin() { return parse(kRecipesText, "the built-in recipes"); }

Recipes Recipes::parse(const std::string& text, const std::string& where) {
  Recipes recipes;
  recipes.where_ = where;
  try {
    recipes.json_ = parse_json_with_comments(text);
  } catch (const json::exception& e) {
    throw DataError(fmt::format("{}: is not valid JSON ({})", where, e.what()));
  }
  if (!recipes.json_.is_object()) throw DataError(where + ": expected an object with one entry per scale");
  for (const auto& [scale, datasets] : recipes.json_.items()) {
    check_name(where, scale, {"small", "paper"});
    if (!datasets.is_object()) throw DataError(fmt::format("{}: {}: expected an object", where, scale));
    for (const auto& [dataset, entry] : datasets.items()) {
      check_name(fmt::format("{}: {}", where, scale), dataset, texts(kDatasets));
      check_entry(fmt::format("{}: {}.{}", where, scale, dataset), entry);
    }
  }
  return recipes;
}

const json& Recipes::entry(const std::string& scale, const std::string& dataset) const {
  const auto at_scale = json_.find(scale);
  if (at_scale == json_.end() || !at_scale->is_object() || !at_scale->contains(dataset) ||
      !at_scale->at(dataset).is_object())
    throw DataError(fmt::format("{}: has no object {}.{}; see experiments/recipes.json", where_, scale, dataset));
  return at_scale->at(dataset);
}

Recipes::Size Recipes::size(const std::string& scale, const std::string& dataset) const {
  const json& e = entry(scale, dataset);
  const auto number = [&](const char* key) { return e.value(key, std::int64_t{0}); };
  return {number("train_systems"), number("test_systems")};
}

json Recipes::settings(const std::string& scale, const Cell& cell) const {
  const json& e = entry(scale, cell.dataset);
  json settings = paper_settings();
  const auto take = [&](const json& from, const std::string& key) {
    if (!from.contains(key)) return;
    for (const auto& [option, value] : from[key].items())
      if (!value.is_object()) settings[option] = value;
  };
  take(e, "both");
  take(e, cell.task);
  if (e.contains("rows")) {
    take(e["rows"], cell.row);
    if (e["rows"].contains(cell.row)) take(e["rows"][cell.row], cell.task);
  }
  settings["task"] = cell.task;
  settings["observed"] = cell.observed / 100.0;
  settings["protocol"] = cell.protocol;
  settings["seed"] = cell.seed;
  const PaperRow* row = find_row(cell.row);
  if (row != nullptr) settings["model"] = row->model;
  if (row != nullptr && row->variant != "full") settings["variant"] = row->variant;
  return settings;
}

std::vector<std::string> setting_flags(const json& settings) {
  std::vector<std::string> words;
  for (const auto& [key, value] : settings.items()) {
    std::string flag = "--" + key;
    std::replace(flag.begin(), flag.end(), '_', '-');
    words.push_back(flag);
    words.push_back(plain_text(value));
  }
  return words;
}

std::vector<Cell> shard_of(const std::vector<Cell>& cells, std::int64_t number, std::int64_t count) {
  std::vector<Cell> own;
  for (auto k = static_cast<std::size_t>(number - 1); k < cells.size(); k += static_cast<std::size_t>(count))
    own.push_back(cells[k]);
  return own;
}

bool is_of_machine(const std::string& option) {
  return option == "data" || option == "threads" || option == "device" || option == "checkpoint_seconds" ||
         option == "capture_steps" || option == "record_steps";
}

std::string departure(const json& settings, const json& config) {
  json asked = settings;
  if (!asked.contains("model")) asked["model"] = "lg-ode";
  if (!asked.contains("variant")) asked["variant"] = "full";
  std::string text;
  for (const auto& [key, value] : asked.items()) {
    json found = config.contains(key) ? config[key] : paper_settings().value(key, json(nullptr));
    if (found.is_null() && key == "model") found = "lg-ode";
    if (found.is_null() && key == "variant") found = "full";
    if (!same(value, found))
      text += fmt::format("{}{} is {}, asked for is {}", text.empty() ? "" : "; ", key, plain_text(found),
                          plain_text(value));
  }
  return text;
}

}  // namespace lgode::reproduce
