// Names and patterns of files, and what a set is called after them.
#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "lgode/core/error.h"
#include "lgode/table/options.h"

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

bool is_nameless(const fs::path& path) {
  const std::string folder = path.parent_path().string();
  if (folder == "/dev" || folder == "/dev/fd" || folder.starts_with("/proc/")) return true;
  std::error_code error;
  return fs::is_fifo(path, error);
}

std::string file_name(const fs::path& path) {
  if (is_nameless(path)) return "table";
  const auto lower_ending = [](const fs::path& file) {
    std::string ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending;
  };
  fs::path name = path.filename();
  const std::string ending = lower_ending(name);
  if (ending == ".gz" || ending == ".zst" || ending == ".gzip" || ending == ".zstd") name = name.stem();
  const std::string stem = name.stem().string();
  return stem.empty() ? "table" : stem;
}

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

void name_after_files(ImportOptions& options) {
  const std::vector<fs::path>& files = options.observations;
  if (options.name.empty()) {
    const fs::path folder = fs::absolute(files.front()).parent_path();
    const bool together = std::all_of(files.begin(), files.end(),
                                      [&](const fs::path& file) { return fs::absolute(file).parent_path() == folder; });
    const std::string name = folder.filename().string();
    options.name = files.size() == 1 || !together || name.empty() ? file_name(files.front()) : name;
  }
  if (!options.source.empty()) return;
  const auto shown = [](const fs::path& file) { return is_nameless(file) ? "a pipe" : file.filename().string(); };
  options.source = "imported from " + (files.size() == 1 ? shown(files.front())
                                                         : fmt::format("{} files, {} to {}", files.size(),
                                                                       shown(files.front()), shown(files.back())));
  if (options.relations.table) options.source += " and " + options.relations.table->filename().string();
}

}  // namespace lgode::table
