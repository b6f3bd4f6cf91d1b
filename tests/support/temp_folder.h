// For tests of files: a temporary folder per test, removed at its end, and checks of error messages.
#pragma once

#include <ftw.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace lgode::testing {

// Removes a folder and its content. Not std::filesystem::remove_all: some builds of LibTorch contain one that fails.
inline void remove_tree(const std::filesystem::path& folder) {
  ::nftw(
      folder.c_str(), [](const char* path, const struct stat*, int, struct FTW*) { return ::remove(path); }, 16,
      FTW_DEPTH | FTW_PHYS);
}

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lgode-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
  }
  ~TempFolder() { remove_tree(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

// Expects `action` to throw an Error whose message contains all of `parts`.
template <class Error, class Action>
void expect_error(Action&& action, const std::vector<std::string>& parts) {
  try {
    action();
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const std::string& part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
    return;
  }
  ADD_FAILURE() << "no error; expected one with: " << (parts.empty() ? "" : parts.front());
}

}  // namespace lgode::testing
