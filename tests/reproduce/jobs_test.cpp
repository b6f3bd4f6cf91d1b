// Child processes: how many at a time, what a failure and a stop leave behind.
#include "lgode/reproduce/jobs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "support/temp_folder.h"

namespace lgode::reproduce {
namespace {

using lgode::testing::TempFolder;
using namespace std::chrono_literals;

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

// Waits until `count` jobs have ended; gives up after half a minute.
std::vector<JobEnd> wait_for(JobPool& pool, std::size_t count) {
  std::vector<JobEnd> ended;
  for (int i = 0; i < 3000 && ended.size() < count; ++i) {
    for (JobEnd& end : pool.collect()) ended.push_back(std::move(end));
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_EQ(ended.size(), count);
  return ended;
}

void wait_for_file(const std::filesystem::path& path) {
  for (int i = 0; i < 3000 && !std::filesystem::exists(path); ++i) std::this_thread::sleep_for(10ms);
  ASSERT_TRUE(std::filesystem::exists(path)) << path;
}

TEST(JobPool, RunsCommandsOneAfterTheOtherIntoALog) {
  const TempFolder folder;
  JobPool pool(1);
  pool.start({"a", {shell("echo one"), shell("echo two >&2; echo $WORD")}, {"WORD=three"}, folder / "deep/log.txt"});
  const JobEnd end = wait_for(pool, 1)[0];
  EXPECT_EQ(end.code, 0);
  EXPECT_FALSE(end.stopped);
  EXPECT_EQ(end.output, read_text(folder / "deep/log.txt"));
  for (const char* word : {"$ /bin/sh -c echo one\none\n", "two\nthree\n"})
    EXPECT_NE(end.output.find(word), std::string::npos) << end.output;
  // A second job appends, and returns its own output only.
  pool.start({"b", {shell("echo four")}, {}, folder / "deep/log.txt"});
  EXPECT_EQ(wait_for(pool, 1)[0].output, "$ /bin/sh -c echo four\nfour\n");
  EXPECT_NE(read_text(folder / "deep/log.txt").find("one\n"), std::string::npos);
}

TEST(JobPool, AFailedCommandEndsItsJobAndNoOther) {
  const TempFolder folder;
  JobPool pool(3);
  pool.start({"bad",
              {shell("echo lgode: error: no; exit 3"), shell("touch " + (folder / "after").string())},
              {},
              folder / "1"});
  pool.start({"good", {shell("true"), shell("true")}, {}, folder / "2"});
  pool.start({"absent", {{"/no/such/program"}}, {}, folder / "3"});
  EXPECT_TRUE(pool.full());
  for (const JobEnd& end : wait_for(pool, 3)) {
    EXPECT_EQ(end.code, end.name == "bad" ? 3 : end.name == "good" ? 0 : 127) << end.name;
    EXPECT_FALSE(end.stopped);
  }
  EXPECT_TRUE(pool.empty());
  EXPECT_FALSE(std::filesystem::exists(folder / "after"));
}

TEST(JobPool, TellsSignals) {
  const TempFolder folder;
  JobPool pool(1);
  pool.start({"a", {shell("kill -9 $$")}, {}, folder / "log"});
  EXPECT_EQ(wait_for(pool, 1)[0].code, 128 + SIGKILL);
}

TEST(JobPool, RunsAtOnceWhatItMay) {
  const TempFolder folder;
  JobPool pool(2);
  // Each waits for the other: only two at once come to an end.
  const auto meet = [&](const std::string& self, const std::string& other) {
    return shell("touch " + (folder / self).string() + "; while ! test -e " + (folder / other).string() +
                 "; do sleep 0.01; done");
  };
  pool.start({"a", {meet("a", "b")}, {}, folder / "1"});
  EXPECT_FALSE(pool.full());
  pool.start({"b", {meet("b", "a")}, {}, folder / "2"});
  EXPECT_TRUE(pool.full());
  EXPECT_EQ(wait_for(pool, 2).size(), 2U);
  EXPECT_FALSE(pool.full());
}

TEST(JobPool, StopAsksAndWaits) {
  const TempFolder folder;
  JobPool pool(2);
  const std::string ready = (folder / "ready").string(), saved = (folder / "saved").string();
  // It saves something when asked to end, as a training does; the second is done by then but for its next
  // command.
  pool.start({"asked",
              {shell("trap 'touch " + saved + "; exit 130' INT; touch " + ready + "; while :; do sleep 0.01; done")},
              {},
              folder / "1"});
  wait_for_file(ready);
  pool.stop();
  const JobEnd end = wait_for(pool, 1)[0];
  EXPECT_EQ(end.code, 130);
  EXPECT_TRUE(end.stopped);
  EXPECT_TRUE(std::filesystem::exists(saved));
}

TEST(JobPool, NoFurtherCommandAfterAStop) {
  const TempFolder folder;
  JobPool pool(1);
  const std::string ready = (folder / "ready").string(), next = (folder / "next").string();
  pool.start({"a",
              {shell("trap 'exit 0' INT; touch " + ready + "; while :; do sleep 0.01; done"), shell("touch " + next)},
              {},
              folder / "log"});
  wait_for_file(ready);
  pool.stop();
  const JobEnd end = wait_for(pool, 1)[0];
  EXPECT_EQ(end.code, 0);
  EXPECT_TRUE(end.stopped);
  EXPECT_FALSE(std::filesystem::exists(next));
}

TEST(JobPool, LeavesNothingRunning) {
  const TempFolder folder;
  pid_t pid = 0;
  {
    JobPool pool(1);
    pool.start({"a",
                {shell("echo $$ > " + (folder / "pid.part").string() + "; mv " + (folder / "pid.part").string() + " " +
                       (folder / "pid").string() + "; while :; do sleep 0.01; done")},
                {},
                folder / "log"});
    wait_for_file(folder / "pid");
    pid = std::stoi(read_text(folder / "pid"));
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST(JobPool, AnUnwritableLogIsAnError) {
  const TempFolder folder;
  write_file(folder / "file", Overwrite::kRefuse, "x");
  JobPool pool(1);
  lgode::testing::expect_error<DataError>(
      [&] {
        pool.start({"a", {shell("true")}, {}, folder / "file/log"});
      },
      {"file/log", "cannot be written"});
  lgode::testing::expect_error<DataError>(
      [&] {
        pool.start({"a", {shell("true")}, {}, "/dev/full"});
      },
      {"/dev/full", "No space left"});
  EXPECT_TRUE(pool.empty());
}

}  // namespace
}  // namespace lgode::reproduce
