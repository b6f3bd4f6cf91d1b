// Lists the trials that the paper trains and tests on.
#include <fmt/format.h>

#include "reproduction/reproduction.h"

namespace lgode::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSkeleton = "35.asf";

std::vector<std::string> trials(int first, int last) {
  std::vector<std::string> names;
  for (int i = first; i <= last; ++i) names.push_back(fmt::format("35_{:02}.amc", i));
  return names;
}

// 01 is excluded: it is the shortest, and the paper has 15 of these.
std::vector<std::string> training_trials() { return trials(2, 16); }
std::vector<std::string> test_trials() { return trials(28, 34); }

}  // namespace

std::string missing_motion_file(const fs::path& folder) {
  std::vector<std::string> names = {kSkeleton};
  for (const std::string& name : training_trials()) names.push_back(name);
  for (const std::string& name : test_trials()) names.push_back(name);
  for (const std::string& name : names)
    if (!fs::is_regular_file(folder / name)) return name;
  return {};
}

std::vector<std::string> motion_words(const fs::path& folder) {
  std::vector<std::string> words = {"--asf", (folder / kSkeleton).string(), "--train"};
  for (const std::string& name : training_trials()) words.push_back((folder / name).string());
  words.emplace_back("--test");
  for (const std::string& name : test_trials()) words.push_back((folder / name).string());
  return words;
}

}  // namespace lgode::app
