// Names and patterns of files; and the options that read a table like that of an existing set.
#include <fmt/format.h>
#include <glob.h>

#include <map>

#include "lgode/core/error.h"
#include "lgode/table/import.h"
#include "table/csv/layout.h"

namespace lgode::table {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> matching(const std::string& pattern) {
  glob_t found{};
  const int result = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<fs::path> paths;
  for (std::size_t i = 0; result == 0 && i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (paths.empty())
    throw ConfigError(
        fmt::format("`observations` {}: no file matches this pattern; check the folder and the ending", pattern));
  return paths;
}

void check_different(const std::vector<fs::path>& files) {
  std::map<fs::path, fs::path> seen;
  for (const fs::path& file : files) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(file, error);
    const auto [before, fresh] = seen.try_emplace(error ? file : real, file);
    if (fresh) continue;
    throw ConfigError(fmt::format("`observations`: {} is named twice{}", before->second.string(),
                                  before->second == file ? "" : fmt::format(", the second time as {}", file.string())));
  }
}

}  // namespace

std::vector<fs::path> find_files(const std::vector<std::string>& names) {
  std::vector<fs::path> files;
  for (const std::string& name : names) {
    std::error_code error;
    if (name.find_first_of("*?[") == std::string::npos || fs::exists(name, error)) {
      files.emplace_back(name);
      continue;
    }
    const std::vector<fs::path> found = matching(name);
    files.insert(files.end(), found.begin(), found.end());
  }
  check_different(files);
  return files;
}

ImportOptions table_import(const data::Description& description) {
  ImportOptions options;
  const std::vector<std::string>& columns = description.columns;
  options.system = columns.empty() ? "system" : columns[0];
  options.object = columns.empty() ? "object" : columns[1];
  options.time = columns.empty() ? "time" : columns[2];
  // Systems that no column names are files.
  const auto& names = description.recordings.empty() ? description.system_ids : description.recordings;
  options.file_systems = options.system.empty() && !names.empty() && !names.front().empty();
  options.columns = description.header;
  options.missing = description.missing;
  options.rate = description.rate;
  options.keep_columns = true;
  options.delimiter = description.delimiter.empty() ? '\0' : description.delimiter.front();
  options.decimal_comma = description.decimal_comma;
  options.same_features = description.features;
  for (const data::Feature& feature : description.features)
    if (!feature.derived) options.features.push_back(feature.name);
  return options;
}

SystemOfRow::SystemOfRow(const CsvFile& file, const ImportOptions& options) {
  const Layout layout = make_layout(file, options, options.file_systems);
  columns_ = layout.system;
  file_system_ = layout.file_system;
}

std::string SystemOfRow::operator()(std::span<const std::string_view> fields) const {
  if (columns_.empty()) return file_system_;
  std::string id;
  join_system(fields, columns_, id);
  return id;
}

}  // namespace lgode::table
