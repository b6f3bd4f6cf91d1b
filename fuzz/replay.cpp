// Runs a target once on files and on those of folders, for ordinary tests and for coverage:
//   replay_x [--valid PATH...] [--any PATH...]
// Valid ones, the seeds, must be accepted; any others may be refused. Fails where a folder holds nothing.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/core/file.h"
#include "target.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  return files;
}

bool replay(const fs::path& path, bool valid) {
  const std::string content = lgode::read_text(path);
  if (!valid) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
    return true;
  }
  try {
    lgode::fuzz::run(content);
    return true;
  } catch (const std::exception& error) {
    std::printf("%s is refused: %s\n", path.c_str(), error.what());
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool valid = false;
  bool good = true;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--valid" || argument == "--any") {
      valid = argument == "--valid";
      continue;
    }
    const std::vector<fs::path> files = files_of(argument);
    for (const fs::path& file : files) good = replay(file, valid) && good;
    std::printf("%s: %zu files\n", argv[i], files.size());
    good = good && !files.empty();
  }
  return good ? 0 : 1;
}
