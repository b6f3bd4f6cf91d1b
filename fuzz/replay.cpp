// Runs a target once on each file of the folders that are named, for ordinary tests and for coverage. Fails where a
// folder holds nothing.
#include <cstdio>
#include <filesystem>
#include <string>

#include "lgode/core/file.h"
#include "target.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  for (int i = 1; i < argc; ++i) {
    int files = 0;
    for (const auto& entry : fs::directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      const std::string content = lgode::read_text(entry.path());
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
      ++files;
    }
    std::printf("%s: %d files\n", argv[i], files);
    if (files == 0) return 1;
  }
  return 0;
}
