// The command's words for options: keys in backquotes become flags, and the library itself names no flags.
#include "text/flag_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace lgode::app {
namespace {

TEST(FlagText, NamesTheFlagOfAKey) {
  EXPECT_EQ(flag_name("lr"), "--lr");
  EXPECT_EQ(flag_name("edge_columns"), "--edge-columns");
}

TEST(FlagText, ReplacesKeysInBackquotes) {
  EXPECT_EQ(with_flags("`edge_columns` source=a: absent; see `split` and `window`"),
            "--edge-columns source=a: absent; see --split and --window");
  EXPECT_EQ(with_flags("`window` 8: too long"), "--window 8: too long");
  EXPECT_EQ(with_flags("pass `skip_bad_rows`"), "pass --skip-bad-rows");
}

TEST(FlagText, LeavesOtherTextAlone) {
  for (const char* text : {"", "no key", "one ` alone", "``", "`two words`", "`Upper`", "`1st`", "`_note`", "`a-b`"})
    EXPECT_EQ(with_flags(text), text);
  EXPECT_EQ(with_flags("found '`', see `window`"), "found '`', see --window");
}

// Comment lines may mention flags; string literals may not, except in a whole command that a page or a verdict
// suggests. reproduce/ makes command lines from keys.
TEST(FlagText, TheLibraryNamesNoFlags) {
  namespace fs = std::filesystem;
  const std::regex flag("\"[^\"]*--[a-z]"), command("lgode [a-z]+ [^\"]*--[a-z]");
  const fs::path root = fs::path(LGODE_TESTS_FOLDER).parent_path();
  int files = 0;
  for (const char* folder : {"src", "include"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      ++files;
      std::ifstream file(entry.path());
      std::size_t number = 0;
      for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.find_first_not_of(' ') == line.find("//")) continue;
        if (std::regex_search(line, command)) continue;
        EXPECT_FALSE(std::regex_search(line, flag)) << entry.path().string() << ", line " << number << ": " << line;
      }
    }
  }
  EXPECT_GT(files, 150);
}

}  // namespace
}  // namespace lgode::app
