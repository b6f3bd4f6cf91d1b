// Files: writing is whole or not at all, and every fault names the file and says what to do.
#include "lgode/core/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "lgode/core/error.h"
#include "support/temp_folder.h"

namespace lgode {
namespace {

using testing::expect_error;
using testing::TempFolder;
namespace fs = std::filesystem;

TEST(WriteFile, WritesWholeContentAndMakesFolders) {
  const TempFolder folder;
  const fs::path path = folder / "a/b/file.txt";
  write_file(path, Overwrite::kRefuse, "hello\n");
  EXPECT_EQ(read_text(path), "hello\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1);
}

TEST(WriteFile, KeepsTheOrderOfSmallAndLargeWrites) {
  const TempFolder folder;
  const std::string large(3'000'000, 'x');
  write_file(folder / "f", Overwrite::kRefuse, [&](FileSink& sink) {
    sink.write("a");
    sink.write(large);
    sink.write("b");
    sink.write("");
  });
  EXPECT_EQ(read_text(folder / "f"), "a" + large + "b");
}

TEST(WriteFile, ReplacesOnlyWhenAllowed) {
  const TempFolder folder;
  const fs::path path = folder / "f";
  write_file(path, Overwrite::kRefuse, "old");
  expect_error<ExistsError>([&] { write_file(path, Overwrite::kRefuse, "new"); }, {path.string(), "exists already"});
  EXPECT_EQ(read_text(path), "old");
  write_file(path, Overwrite::kAllow, "new");
  EXPECT_EQ(read_text(path), "new");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteFile, RefusesAFileThatAppearedMeanwhile) {
  const TempFolder folder;
  const fs::path path = folder / "f";
  const auto race = [&] {
    write_file(path, Overwrite::kRefuse, [&](FileSink& sink) {
      sink.write("mine");
      write_file(path, Overwrite::kRefuse, "theirs");
    });
  };
  expect_error<DataError>(race, {path.string(), "exists"});
  EXPECT_EQ(read_text(path), "theirs");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteFile, LeavesNothingBehindWhenFillingThrows) {
  const TempFolder folder;
  const fs::path path = folder / "f";
  write_file(path, Overwrite::kRefuse, "old");
  const auto broken = [&] {
    write_file(path, Overwrite::kAllow, [](FileSink& sink) {
      sink.write("half");
      throw std::runtime_error("stopped");
    });
  };
  EXPECT_THROW(broken(), std::runtime_error);
  EXPECT_EQ(read_text(path), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteFile, KeepsModeAndLink) {
  const TempFolder folder;
  write_file(folder / "real", Overwrite::kRefuse, "old");
  fs::permissions(folder / "real", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(folder / "real", folder / "link");
  write_file(folder / "link", Overwrite::kAllow, "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_text(folder / "real"), "new");
  EXPECT_EQ(fs::status(folder / "real").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(WriteFile, ReportsADiskThatRefuses) {
  const TempFolder folder;
  const fs::path path = folder / "f";
  write_file(path, Overwrite::kRefuse, "old");
  // A limit on file sizes replaces a full disk.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{4096, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  expect_error<DataError>([&] { write_file(path, Overwrite::kAllow, std::string(10'000, 'x')); },
                          {path.string(), "cannot be written", "too large"});
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(read_text(path), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteFile, KeepsWhatItReplaces) {
  const TempFolder folder;
  const fs::path path = folder / "new", previous = folder / "previous";
  const auto write = [&](const char* text) {
    write_file(
        path, Overwrite::kAllow, [&](FileSink& sink) { sink.write(std::string_view(text)); }, previous);
  };
  write("1");
  EXPECT_FALSE(fs::exists(previous));
  write("2");
  EXPECT_EQ(read_text(previous), "1");
  write("3");
  EXPECT_EQ(read_text(previous), "2");
  EXPECT_EQ(read_text(path), "3");
  EXPECT_EQ(folder.entries(), 2);
  // A process that was killed in between: both are names of one file.
  fs::remove(previous);
  fs::create_hard_link(path, previous);
  write("4");
  EXPECT_EQ(read_text(previous), "3");
  EXPECT_EQ(read_text(path), "4");
  EXPECT_EQ(folder.entries(), 2);
}

TEST(AppendFile, AddsToTheEnd) {
  const TempFolder folder;
  append_file(folder / "f", "one\n");
  append_file(folder / "f", "two\n");
  EXPECT_EQ(read_text(folder / "f"), "one\ntwo\n");
  expect_error<DataError>([&] { append_file(folder / "none" / "f", "x"); }, {"none/f", "cannot be written"});
}

// A writer that is killed leaves its temporary file; what a living one writes stays.
TEST(RemoveLeftovers, OfProcessesThatAreNoMore) {
  const TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    write_file(folder / "f", Overwrite::kAllow, [](FileSink&) { ::kill(::getpid(), SIGKILL); });
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(folder.entries(), 1);
  const fs::path living = folder / (".lgode-" + std::to_string(::getppid()) + "-0.tmp");
  write_file(living, Overwrite::kRefuse, "x");
  write_file(folder / ".lgode-notes.tmp", Overwrite::kRefuse, "x");
  remove_leftovers(folder.path());
  EXPECT_EQ(folder.entries(), 2);
  EXPECT_TRUE(fs::exists(living));
  remove_leftovers(folder / "none");
}

// One that has ended, but whose parent has not asked for it yet, writes no more.
TEST(RemoveLeftovers, OfAProcessThatIsStillListed) {
  const TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    write_file(folder / "f", Overwrite::kAllow, [](FileSink&) { ::kill(::getpid(), SIGKILL); });
    ::_exit(0);
  }
  siginfo_t about{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &about, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(::kill(child, 0), 0);
  EXPECT_EQ(folder.entries(), 1);
  remove_leftovers(folder.path());
  EXPECT_EQ(folder.entries(), 0);
  ::waitpid(child, nullptr, 0);
}

TEST(CheckWritable, AcceptsWhatCanBeMade) {
  const TempFolder folder;
  EXPECT_NO_THROW(check_writable(folder / "new", Overwrite::kRefuse));
  EXPECT_NO_THROW(check_writable(folder / "a/b/new", Overwrite::kRefuse));
  EXPECT_EQ(folder.entries(), 0U);
}

TEST(CheckWritable, RefusesFoldersDevicesAndPathsThroughFiles) {
  const TempFolder folder;
  write_file(folder / "file", Overwrite::kRefuse, "x");
  expect_error<DataError>([&] { check_writable(folder.path(), Overwrite::kAllow); },
                          {folder.path().string(), "folder"});
  expect_error<DataError>([&] { check_writable("", Overwrite::kAllow); }, {"names no file"});
  expect_error<DataError>([&] { check_writable("/dev/null", Overwrite::kAllow); }, {"/dev/null", "device"});
  expect_error<DataError>([&] { check_writable(folder / "file/below", Overwrite::kAllow); },
                          {(folder / "file/below").string(), "is a file, not a folder"});
  expect_error<DataError>([&] { write_file(folder / "file/a/b", Overwrite::kAllow, "x"); },
                          {(folder / "file/a/b").string(), "not a folder"});
}

TEST(CheckWritable, RefusesAFolderThatMakesNoFiles) {
  expect_error<DataError>([] { write_file("/proc/lgode-test", Overwrite::kAllow, "x"); },
                          {"/proc/lgode-test", "cannot be"});
}

// Runs `action` as a user whom permission bits concern; true if it returned true.
template <class Action>
bool as_nobody(Action&& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    const bool dropped = ::geteuid() != 0 || ::seteuid(65534) == 0;
    bool good = false;
    try {
      good = dropped && action();
    } catch (...) {
    }
    ::_exit(good ? 0 : 1);
  }
  int status = 1;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

template <class Action>
bool says(Action&& action, const std::string& text) {
  try {
    action();
  } catch (const DataError& error) {
    return std::string(error.what()).find(text) != std::string::npos;
  }
  return false;
}

TEST(CheckWritable, ReportsPermissions) {
  const TempFolder folder;
  fs::create_directory(folder / "closed");
  write_file(folder / "secret", Overwrite::kRefuse, "x");
  fs::permissions(folder / "closed", fs::perms::owner_read | fs::perms::owner_exec);
  fs::permissions(folder / "secret", fs::perms::none);
  fs::permissions(folder.path(), fs::perms::all);
  EXPECT_TRUE(as_nobody([&] {
    return says([&] { write_file(folder / "closed/f", Overwrite::kRefuse, "x"); }, "check its permissions");
  }));
  EXPECT_TRUE(as_nobody([&] { return says([&] { MappedFile file(folder / "secret"); }, "check its permissions"); }));
  fs::permissions(folder / "closed", fs::perms::all);
}

TEST(MappedFile, ShowsTheBytes) {
  const TempFolder folder;
  write_file(folder / "f", Overwrite::kRefuse, "abc");
  const MappedFile file(folder / "f");
  ASSERT_EQ(file.bytes().size(), 3U);
  EXPECT_EQ(file.bytes()[2], std::byte{'c'});
  write_file(folder / "empty", Overwrite::kRefuse, "");
  EXPECT_TRUE(MappedFile(folder / "empty").bytes().empty());
}

TEST(MappedFile, SurvivesTheReplacementOfItsFile) {
  const TempFolder folder;
  write_file(folder / "f", Overwrite::kRefuse, "old");
  const MappedFile file(folder / "f");
  write_file(folder / "f", Overwrite::kAllow, "new");
  EXPECT_EQ(file.bytes()[0], std::byte{'o'});
}

TEST(MappedFile, NamesTheFileThatCannotBeRead) {
  const TempFolder folder;
  expect_error<DataError>([&] { MappedFile file(folder / "none"); }, {(folder / "none").string(), "No such file"});
  expect_error<DataError>([&] { MappedFile file(folder.path()); }, {folder.path().string(), "is a folder"});
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_error<DataError>([&] { MappedFile file(folder / "pipe"); }, {"pipe", "regular file"});
}

TEST(ReadText, NamesTheFileThatCannotBeRead) {
  const TempFolder folder;
  expect_error<DataError>([&] { read_text(folder / "none"); }, {(folder / "none").string(), "check the path"});
  expect_error<DataError>([&] { read_text(folder.path()); }, {folder.path().string(), "is a folder"});
}

}  // namespace
}  // namespace lgode
