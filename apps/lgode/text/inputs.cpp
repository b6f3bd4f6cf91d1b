// Checks of named files, with the advice to import a table first.
#include "text/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "lgode/core/error.h"
#include "lgode/table/cell.h"
#include "lgode/table/csv/export.h"
#include "lgode/table/options.h"
#include "lgode/use/format.h"

namespace lgode::app {

bool is_table(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::error_code error;
  if (ending == ".gz" || ending == ".zst" || ending == ".parquet") return std::filesystem::is_regular_file(path, error);
  return (ending == ".csv" || ending == ".tsv" || ending == ".txt") && std::filesystem::is_regular_file(path, error);
}

std::string import_advice(const std::string& path, const std::string& next, const std::string& more) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string made = use::format_word((folder / (table::file_name(path) + ".safetensors")).string());
  return fmt::format(
      "lgode import csv --observations {} --out {}, and then: {} {}{}; lgode import --help lists other "
      "formats",
      use::format_word(path), made, next, made, more);
}

void refuse_table(const std::string& path, const std::string& command, const std::string& next, const std::string& more,
                  const std::string& also) {
  if (!is_table(path)) return;
  throw DataError(fmt::format(
      "{}: is not a data set; {} reads .safetensors files that lgode wrote{}, not CSV or other tables. Make one "
      "of a table first: {}",
      path, command, also, import_advice(path, next, more)));
}

// Compares files, not names: links and relative paths are followed.
void check_not_input(const std::string& out, const std::vector<std::filesystem::path>& inputs, const char* what) {
  for (const std::filesystem::path& input : inputs) {
    std::error_code error;
    if (std::filesystem::equivalent(out, input, error))
      throw ConfigError(fmt::format("--out {}: is what {} is made from; choose another file", out, what));
  }
}

void add_spreadsheet_safe(Flags app, bool& safe) {
  app.add_switch("--spreadsheet-safe", safe,
                 "a single quote before ids that a spreadsheet would run as formulas, such as =cmd");
}

data::Dataset safe_for_spreadsheets(const data::Dataset& dataset, bool safe) {
  const std::vector<std::string> ids = table::formula_ids(dataset);
  if (ids.empty()) return dataset;
  if (safe) return table::with_safe_ids(dataset);
  fmt::print(stderr,
             "note: {}, such as '{}', would run as a formula in a spreadsheet; --spreadsheet-safe puts a quote "
             "before such ids\n",
             use::format_plural(static_cast<std::int64_t>(ids.size()), "id"), table::shown_text(ids.front()));
  return dataset;
}

}  // namespace lgode::app
