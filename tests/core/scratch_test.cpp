// Scratch arrays: the same in memory and in a file, and nothing left of either.
#include "lgode/core/scratch.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "lgode/core/error.h"
#include "support/temp_folder.h"

namespace lgode {
namespace {

using lgode::testing::TempFolder;

TEST(Scratch, GrowsAndKeepsItsContent) {
  const TempFolder folder;
  for (const bool in_file : {false, true}) {
    ScratchArray<std::int64_t> array({.in_file = in_file, .folder = folder.path()});
    EXPECT_EQ(array.size(), 0U);
    EXPECT_TRUE(array.extend(0).empty());
    for (std::int64_t i = 0; i < 100000; ++i) {
      const auto place = array.extend(1);
      ASSERT_EQ(place[0], 0);
      place[0] = i;
    }
    for (std::int64_t i = 0; i < 100000; ++i) ASSERT_EQ(array[static_cast<std::size_t>(i)], i);
    const ScratchArray<std::int64_t> moved = std::move(array);
    EXPECT_EQ(moved[99999], 99999);
    EXPECT_EQ(folder.entries(), 0U);
  }
}

TEST(Scratch, SaysWhenAFolderIsAbsent) {
  const TempFolder folder;
  ScratchArray<double> array({.in_file = true, .folder = folder / "absent"});
  lgode::testing::expect_error<DataError>([&] { array.resize(1); }, {"absent", "temporary file"});
}

TEST(Scratch, KnowsTheMemory) { EXPECT_GT(physical_memory(), std::uint64_t{1} << 24); }

}  // namespace
}  // namespace lgode
