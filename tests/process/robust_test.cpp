// What else happens on a machine while the command works: files that change, too many threads, too little memory.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "fixture.h"

namespace lgode::process {
namespace {

class Robust : public CommandTest {
 protected:
  // A training that would go on for long.
  Words long_training() const {
    return Words{"train", "springs.safetensors", "--out", "run"} + tiny() + Words{"--epochs", "1000000", "--no-report"};
  }
  // Waits until it has begun.
  void await_steps(Child& child) const {
    while (child.running() && child.seconds() < 60 && !exists("run/metrics.jsonl"))
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ASSERT_TRUE(exists("run/metrics.jsonl"));
  }

  // The programs themselves, with a limit on their memory in MB.
  Outcome limited(int megabytes, const Words& arguments) const {
    const std::string script = "ulimit -v " + std::to_string(1000 * megabytes) + "; exec \"$@\"";
    return Child(Words{"/bin/sh", "-c", script, "sh", LGODE_COMMAND} + arguments, {folder()}).wait();
  }
};

TEST_F(Robust, ATruncatedDataSetEndsATrainingWithAMessage) {
  simulate({"--train", "400"});
  Child child = start(long_training());
  await_steps(child);
  std::filesystem::resize_file(path("springs.safetensors"), 8192);
  expect_error(child.wait(), 1, {"springs.safetensors", "while it was in use", "--resume"});
  EXPECT_TRUE(exists("run/checkpoint.safetensors"));
}

TEST_F(Robust, AnOverwrittenDataSetEndsATrainingWithAMessage) {
  simulate({"--train", "400"});
  const std::string before = bytes("springs.safetensors");
  Child child = start(long_training());
  await_steps(child);
  write("springs.safetensors", std::string(before.size(), '\xff'));  // in place, as cp does
  expect_error(child.wait(), 1, {"springs.safetensors", "while it was in use", "--resume"});
  // With the file as it was, the training continues.
  write("springs.safetensors", before);
  Child again = start({"train", "--resume", "--out", "run"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(again.running());
  again.send(SIGKILL);
  again.wait();
}

TEST_F(Robust, ADataSetReplacedByRenamingDoesNotDisturb) {
  simulate();
  Child child = start(long_training());
  await_steps(child);
  lgode_ok({"simulate", "springs", "--train", "6", "--test", "2", "--out", "springs.safetensors", "--force"});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_TRUE(child.running());
  child.send(SIGKILL);
  child.wait();
}

TEST_F(Robust, ThreadsAreCappedWithANote) {
  simulate();
  const Outcome trained = lgode_ok(Words{"train", "springs.safetensors", "--out", "run"} + tiny() +
                                   Words{"--epochs", "1", "--threads", "1000"});
  EXPECT_NE(trained.err.find("note: --threads 1000"), std::string::npos) << trained.err;
  const Outcome evaluated = run_programs({"evaluate", "run", "--threads", "1000"});
  EXPECT_EQ(evaluated.code, 0) << evaluated.err;
  const std::size_t note = evaluated.err.find("note: --threads 1000");
  EXPECT_NE(note, std::string::npos) << evaluated.err;
  EXPECT_EQ(evaluated.err.find("note: --threads 1000", note + 1), std::string::npos) << "both programs noted it";
  // A config file, too.
  write("config.json", R"({"threads": 1000})");
  Words small = tiny();
  const auto threads = std::find(small.begin(), small.end(), "--threads");
  small.erase(threads, threads + 2);
  const Outcome configured =
      lgode_ok(Words{"train", "springs.safetensors", "--out", "other", "--config", "config.json"} + small);
  EXPECT_NE(configured.err.find("note: --threads 1000"), std::string::npos) << configured.err;
  EXPECT_EQ(lgode_ok({"evaluate", "run", "--threads", "1"}).err.find("note: --threads"), std::string::npos);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Robust, TooLittleMemoryIsAMessageWithinSeconds) {
  simulate();
  train("run", {"--epochs", "1"});
  for (const int megabytes : {300, 700, 950}) {
    const Outcome outcome = limited(megabytes, {"evaluate", "run", "--threads", "1"});
    EXPECT_LT(outcome.seconds, 60) << megabytes;
    if (outcome.code == 0) continue;  // enough on this machine
    expect_error(outcome, 1, {"memory"});
  }
  // Commands that do not need LibTorch need no trial.
  EXPECT_EQ(limited(300, {"info", "springs.safetensors"}).code, 0);
  // The limit that is large enough changes nothing.
  EXPECT_EQ(limited(8000, {"evaluate", "run"}).out, run_programs({"evaluate", "run"}).out);
}
#endif

}  // namespace
}  // namespace lgode::process
