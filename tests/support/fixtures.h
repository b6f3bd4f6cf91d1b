// Files that tests read: small ones in tests/fixtures, and recorded data that is not part of the project.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace lgode::testing {

inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(LGODE_TESTS_FOLDER) / "fixtures" / name;
}

inline std::string fixture_text(const std::string& name) {
  std::ifstream file(fixture(name), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Folder of recorded data: LGODE_TEST_DATA, or shared/data next to the project.
inline std::filesystem::path recorded_data() {
  const char* folder = std::getenv("LGODE_TEST_DATA");
  return folder != nullptr ? std::filesystem::path(folder)
                           : std::filesystem::path(LGODE_TESTS_FOLDER) / ".." / ".." / "shared" / "data";
}

// `text` with `what` replaced. Throws unless it occurs exactly once: the test would check nothing.
inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos || text.find(what, at + 1) != std::string::npos)
    throw std::logic_error("not exactly once in the fixture: " + what);
  return text.replace(at, what.size(), with);
}

}  // namespace lgode::testing
