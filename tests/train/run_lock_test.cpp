// One training per run folder: who is refused, and what a lock leaves behind.
#include "lgode/train/run_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/train/run.h"
#include "support/temp_folder.h"
#include "train/small_training.h"

namespace lgode::train {
namespace {

TEST(RunLockTest, OneTrainingPerFolder) {
  const data::Dataset set = small_set();
  const lgode::testing::TempFolder folder;
  const std::string id = std::to_string(::getpid());
  {
    const RunLock lock(folder / "run");
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { RunLock again(folder / "run"); }, [&] { check_idle(folder / "run"); },
             [&] { train(small_config(), set, folder / "run", Overwrite::kRefuse, {}, {}); }}) {
      try {
        call();
        ADD_FAILURE() << "not refused";
      } catch (const DataError& error) {
        EXPECT_NE(std::string(error.what()).find("process " + id), std::string::npos) << error.what();
      }
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "run"));  // made for the lock
  train(small_config(1), set, folder / "run", Overwrite::kRefuse, {}, {});
  check_idle(folder / "run");
  EXPECT_FALSE(std::filesystem::exists(folder / "run" / ".lock"));
  std::ofstream(folder / "run" / ".lock") << "1\n";  // left behind by a process that was killed
  check_idle(folder / "run");
  resume(folder / "run", set, {}, {});
}

TEST(RunLockTest, AReleasedLockLeavesNoFolder) {
  const lgode::testing::TempFolder folder;
  RunLock lock(folder / "a" / "run");
  EXPECT_TRUE(std::filesystem::exists(folder / "a" / "run"));
  lock.release();
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

TEST(RunLockTest, AReleasedLockKeepsTheFileOfAnother) {
  const lgode::testing::TempFolder folder;
  {
    RunLock lock(folder.path());
    lock.release();
    std::ofstream(folder / ".lock") << "1\n";
  }
  EXPECT_TRUE(std::filesystem::exists(folder / ".lock"));
}

}  // namespace
}  // namespace lgode::train
