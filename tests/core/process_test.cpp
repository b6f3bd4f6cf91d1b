// Child processes: what they get, how they end, and whom signals reach.
#include "lgode/core/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>
#include <utility>
#include <vector>

#include "lgode/core/file.h"
#include "support/temp_folder.h"

namespace lgode {
namespace {

using lgode::testing::TempFolder;
using namespace std::chrono_literals;

// A shell with its output in a file.
class ProcessTest : public ::testing::Test {
 protected:
  ~ProcessTest() override { ::close(output_); }

  ChildCommand shell(const std::string& script) const {
    return {.program = "/bin/sh", .words = {"sh", "-c", script}, .output = output_};
  }
  std::string output() const { return read_text(folder_ / "out"); }
  // Waits until the output has this line; gives up after half a minute.
  void expect_line(const std::string& line) const {
    for (int i = 0; i < 3000 && output().find(line + "\n") == std::string::npos; ++i) std::this_thread::sleep_for(10ms);
    EXPECT_NE(output().find(line + "\n"), std::string::npos) << output();
  }

  TempFolder folder_;
  int output_ = ::open((folder_ / "out").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
};

TEST_F(ProcessTest, GetsWordsEnvironmentAndAnEmptyInput) {
  ::setenv("LGODE_TEST_KEPT", "kept", 1), ::setenv("LGODE_TEST_REPLACED", "old", 1);
  ChildCommand command =
      shell("echo $0 $1; echo $LGODE_TEST_KEPT $LGODE_TEST_REPLACED $LGODE_TEST_NEW; cat >&2; exit 7");
  command.words.insert(command.words.end(), {"zero", "one word"});
  command.environment = {"LGODE_TEST_REPLACED=new", "LGODE_TEST_NEW=a b"};
  EXPECT_EQ(ChildProcess(command).wait().code, 7);
  EXPECT_EQ(output(), "zero one word\nkept new a b\n");
}

TEST_F(ProcessTest, ALimitEndsOneThatComputesForTooLong) {
  ChildCommand command = shell("while :; do :; done");
  command.processor_seconds = 1;
  EXPECT_EQ(ChildProcess(command).wait().signal, SIGXCPU);
}

TEST_F(ProcessTest, KeepsAnEntryOfTheEnvironmentThatIsNotAPair) {
  std::vector<char*> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.push_back(*entry);
  std::string odd = "LGODE_TEST_ODD";
  entries.insert(entries.end(), {odd.data(), nullptr});
  ChildCommand command = shell("tr '\\0' '\\n' </proc/$$/environ");
  command.environment = {"LGODE_TEST_NEW=a"};
  char** const before = std::exchange(environ, entries.data());
  ChildProcess child(command);
  environ = before;
  EXPECT_EQ(child.wait().code, 0);
  EXPECT_NE(("\n" + output()).find("\nLGODE_TEST_ODD\n"), std::string::npos) << output();
  EXPECT_NE(("\n" + output()).find("\nLGODE_TEST_NEW=a\n"), std::string::npos) << output();
}

TEST_F(ProcessTest, TellsASignalFromACode) {
  ChildProcess killed(shell("kill -KILL $$")), ended(shell("exit 137"));
  EXPECT_EQ(killed.wait().signal, SIGKILL);
  EXPECT_EQ(killed.wait().code, 128 + SIGKILL);
  EXPECT_EQ(ended.wait().signal, 0);
  EXPECT_EQ(ended.wait().code, 137);
}

TEST_F(ProcessTest, PollDoesNotWait) {
  ChildProcess child(shell("echo ready; exec sleep 60"));
  EXPECT_FALSE(child.poll());
  EXPECT_TRUE(child.running());
  expect_line("ready");
  child.send(SIGTERM);
  while (!child.poll()) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(child.running());
  EXPECT_EQ(child.poll()->signal, SIGTERM);
  child.send(SIGTERM);  // no effect
}

TEST_F(ProcessTest, AnOwnGroupGetsASignalTogether) {
  ChildProcess child(shell("(trap 'echo below; exit' TERM; echo waiting; sleep 60 & wait) & wait"));
  expect_line("waiting");
  EXPECT_EQ(::getpgid(child.id()), child.id());
  child.send_group(SIGTERM);
  child.wait();
  expect_line("below");
}

TEST_F(ProcessTest, SharesTheTerminalOnRequest) {
  ChildCommand command = shell("exec sleep 60");
  command.own = false;
  ChildProcess child(command);
  EXPECT_EQ(::getpgid(child.id()), ::getpgrp());
  child.send(SIGKILL);
  child.wait();
}

TEST_F(ProcessTest, AProgramThatCannotBeStartedComplains) {
  ChildCommand command = shell("");
  command.program = (folder_ / "absent").string();
  command.complaint = "cannot be started\n";
  EXPECT_EQ(ChildProcess(command).wait().code, kNotStarted);
  EXPECT_EQ(output(), "cannot be started\n");
}

// The parent is a fork of this process. Its child waits until it is an orphan, which this process then waits for.
TEST_F(ProcessTest, AChildWithoutItsParentEndsSilently) {
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  ChildCommand command = shell("exit 0");
  command.complaint = "cannot be started\n";
  const pid_t parent = ::fork();
  if (parent == 0) {
    ::dup2(output_, STDERR_FILENO);
    static const pid_t own = ::getpid();
    ::pthread_atfork(nullptr, nullptr, [] {
      while (::getppid() == own) ::usleep(1000);
    });
    const ChildProcess child(command);
    ::_exit(0);
  }
  ASSERT_GT(parent, 0);
  while (::waitpid(-1, nullptr, 0) > 0) {
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  EXPECT_EQ(output(), "");
}

TEST_F(ProcessTest, FindsANameInPathAndItselfWithoutAFile) {
  ChildCommand command = shell("echo found");
  command.program = "sh";
  EXPECT_EQ(ChildProcess(command).wait().code, 0);
  EXPECT_EQ(output(), "found\n");
  command.program = kThisProgram;
  command.words = {"test", "--gtest_list_tests", "--gtest_filter=ProcessTest.PollDoesNotWait"};
  EXPECT_EQ(ChildProcess(command).wait().code, 0);
  EXPECT_NE(output().find("PollDoesNotWait"), std::string::npos);
}

}  // namespace
}  // namespace lgode
