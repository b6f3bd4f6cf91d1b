// Locks of one process exclude each other like locks of several processes: they belong to the open file.
#include "lgode/core/file_lock.h"

#include <gtest/gtest.h>

#include "lgode/core/file.h"
#include "support/temp_folder.h"

namespace lgode {
namespace {

using Kind = FileLock::Kind;
using Outcome = FileLock::Outcome;
using lgode::testing::TempFolder;

TEST(FileLockTest, OneAloneOrSeveralShared) {
  const TempFolder folder;
  FileLock a(folder / "lock"), b(folder / "lock");
  {
    FileLock c(folder / "lock");
    EXPECT_EQ(a.try_lock(Kind::kShared), Outcome::kLocked);
    EXPECT_EQ(b.try_lock(Kind::kShared), Outcome::kLocked);
    EXPECT_EQ(c.try_lock(Kind::kAlone), Outcome::kHeld);
  }
  EXPECT_EQ(a.try_lock(Kind::kAlone), Outcome::kHeld);
}

TEST(FileLockTest, EndsWithTheObjectAndMovesWithIt) {
  const TempFolder folder;
  FileLock other(folder / "lock");
  {
    FileLock first(folder / "lock");
    EXPECT_EQ(first.try_lock(Kind::kAlone), Outcome::kLocked);
    const FileLock second = std::move(first);
    EXPECT_EQ(other.try_lock(Kind::kAlone), Outcome::kHeld);
    FileLock third(folder / "third");
    third = FileLock(folder / "lock");
    EXPECT_TRUE(third.is_open());
  }
  EXPECT_EQ(other.try_lock(Kind::kAlone), Outcome::kLocked);
}

TEST(FileLockTest, AssignmentEndsTheOldLock) {
  const TempFolder folder;
  FileLock lock(folder / "old"), next(folder / "new"), other(folder / "old");
  EXPECT_EQ(lock.try_lock(Kind::kAlone), Outcome::kLocked);
  lock = std::move(next);
  EXPECT_EQ(other.try_lock(Kind::kAlone), Outcome::kLocked);
  EXPECT_TRUE(lock.is_at(folder / "new"));
}

TEST(FileLockTest, TheOwnersTextIsThereForOthers) {
  const TempFolder folder;
  FileLock owner(folder / "lock");
  owner.write("a longer text\n");
  owner.write("123\n");
  EXPECT_EQ(read_text(folder / "lock"), "123\n");
  EXPECT_EQ(FileLock(folder / "lock", FileLock::Open::kExisting).text(), "123\n");
}

TEST(FileLockTest, ReportsWhetherTheFileIsStillThere) {
  const TempFolder folder;
  const FileLock lock(folder / "lock");
  EXPECT_TRUE(lock.is_at(folder / "lock"));
  std::filesystem::remove(folder / "lock");
  EXPECT_FALSE(lock.is_at(folder / "lock"));
  const FileLock next(folder / "lock");
  EXPECT_FALSE(lock.is_at(folder / "lock"));
  EXPECT_TRUE(next.is_at(folder / "lock"));
}

TEST(FileLockTest, SaysWhyAFileCannotBeOpened) {
  const TempFolder folder;
  const FileLock absent(folder / "lock", FileLock::Open::kExisting), nowhere(folder / "none" / "lock");
  EXPECT_FALSE(absent.is_open() || nowhere.is_open());
  EXPECT_EQ(absent.problem(), "No such file or directory");
  EXPECT_EQ(nowhere.problem(), "No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(folder / "lock"));
}

}  // namespace
}  // namespace lgode
