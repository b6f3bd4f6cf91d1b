// Ctrl-C and --resume: an interrupted run goes on, and ends with the bytes of one that never stopped.
#include <unistd.h>

#include <csignal>

#include "fixture.h"
#include "support/temp_folder.h"

namespace lgode::process {
namespace {

class Resume : public CommandTest {
 protected:
  // Long enough that a signal hits it between its first step and its last.
  Words call(const std::string& epochs, const std::string& out) const {
    return {"train",
            "springs.safetensors",
            "--task",
            "extrapolate",
            "--epochs",
            epochs,
            "--batch",
            "2",
            "--encoder-width",
            "8",
            "--sequence-width",
            "8",
            "--latent",
            "4",
            "--augment",
            "4",
            "--hidden",
            "8",
            "--step",
            "0.05",
            "--dropout",
            "0.2",
            "--threads",
            "2",
            "--out",
            out};
  }

  // Sends Ctrl-C once the run folder is there and the given share of `whole` seconds has passed.
  Outcome interrupt(const Words& arguments, const std::string& run, double share, double whole) const {
    Child child = start(arguments);
    while (child.running() && (!exists(run + "/config.json") || child.seconds() < share * whole)) ::usleep(2000);
    child.send(SIGINT);
    return child.wait();
  }

  // Interrupts a new run, earlier each time until it is stopped before its end.
  Outcome interrupt_new(const Words& arguments, const std::string& run, double whole) const {
    Outcome outcome;
    for (const double share : {0.6, 0.45, 0.3, 0.15}) {
      lgode::testing::remove_tree(path(run));
      outcome = interrupt(arguments, run, share, whole);
      if (outcome.code != 0) break;
    }
    return outcome;
  }

  void expect_same_run(const std::string& a, const std::string& b) const {
    for (const char* name : {"/checkpoint.safetensors", "/best.safetensors", "/config.json"})
      EXPECT_TRUE(bytes(a + name) == bytes(b + name)) << name;
  }
};

TEST_F(Resume, EndsWithTheSameBytesAfterAStopWithinAnEpoch) {
  simulate({"--train", "200", "--force"});
  const Outcome whole = run_programs(call("1", "whole"));
  const Outcome stopped = interrupt_new(call("1", "run"), "run", whole.seconds);
  ASSERT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  EXPECT_NE(stopped.err.find("a checkpoint will be written"), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.out.find("lgode train --resume --out run"), std::string::npos) << stopped.out;
  ASSERT_TRUE(exists("run/checkpoint.safetensors"));
  const nlohmann::json info = lgode_json({"info", "--json", "run/checkpoint.safetensors"});
  EXPECT_EQ(info["epoch"], 0);
  EXPECT_LT(info["step_count"], lgode_json({"info", "--json", "whole/checkpoint.safetensors"})["step_count"]);
  lgode_ok({"train", "--resume", "--threads", "2", "--out", "run"});
  expect_same_run("whole", "run");
}

TEST_F(Resume, EndsWithTheSameBytesAfterSeveralStops) {
  simulate({"--train", "100", "--force"});
  const Outcome whole = run_programs(call("3", "whole"));
  ASSERT_EQ(interrupt_new(call("3", "run"), "run", whole.seconds).code, 130);
  const Words resume = {"train", "--resume", "--threads", "2", "--out", "run"};
  int code = 130;
  for (int stops = 0; stops < 3 && code == 130; ++stops) code = interrupt(resume, "run", 0.2, whole.seconds).code;
  ASSERT_TRUE(code == 0 || code == 130);
  lgode_ok(resume);
  expect_same_run("whole", "run");
}

// A closed terminal stops a run, but not one that was started to outlive it (nohup).
TEST_F(Resume, AHangUpStopsUnlessItIsIgnored) {
  simulate({"--train", "200", "--force"});
  const auto hang_up = [&](const std::string& run) {
    Child child = start(call("1", run));
    while (child.running() && !exists(run + "/config.json")) ::usleep(2000);
    child.send(SIGHUP);
    return child.wait();
  };
  EXPECT_EQ(hang_up("stopped").code, 130);
  const auto before = std::signal(SIGHUP, SIG_IGN);
  const Outcome outcome = hang_up("whole");
  std::signal(SIGHUP, before);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(Resume, AFinishedRunStaysAsItIs) {
  simulate();
  train("run");
  const std::string before = bytes("run/checkpoint.safetensors");
  lgode_ok({"train", "--resume", "--threads", "2", "--out", "run"});
  EXPECT_EQ(bytes("run/checkpoint.safetensors"), before);
}

TEST_F(Resume, OtherThreadsAreNoted) {
  simulate();
  train("run");
  const Words resume = {"train", "--resume", "--out", "run", "--threads"};
  EXPECT_NE(lgode_ok(resume + Words{"1"}).err.find("another number of threads"), std::string::npos);
  EXPECT_EQ(lgode_ok(resume + Words{"2"}).err.find("another number of threads"), std::string::npos);
}

TEST_F(Resume, KeepsTheRunsOwnOptions) {
  simulate();
  train("run");
  expect_error(lgode({"train", "--resume", "--lr", "0.1", "--out", "run"}), 2, {"--lr", "--resume"});
  expect_error(lgode({"train", "--resume", "--force", "--out", "run"}), 2, {"--force"});
  expect_error(lgode({"train", "--resume", "--config", "run/config.json", "--out", "run"}), 2, {"--config"});
  expect_error(lgode({"train", "--resume", "--print-config", "--out", "run"}), 2, {"--print-config"});
  expect_error(lgode({"train", "--resume"}), 2, {"--out"});
}

TEST_F(Resume, NeedsAWholeCheckpoint) {
  simulate();
  train("run");
  const std::string whole = bytes("run/checkpoint.safetensors");
  write("run/checkpoint.safetensors", whole.substr(0, whole.size() / 2));
  expect_error(lgode({"train", "--resume", "--out", "run"}), 1, {"checkpoint.safetensors"});
  // Stopped before the first one was written, a run starts again.
  std::filesystem::remove(path("run/checkpoint.safetensors"));
  lgode_ok({"train", "--resume", "--out", "run"});
  EXPECT_TRUE(bytes("run/checkpoint.safetensors") == whole);
}

TEST_F(Resume, FindsDataThatMoved) {
  simulate();
  train("run");
  std::filesystem::rename(path("springs.safetensors"), path("moved.safetensors"));
  expect_error(lgode({"train", "--resume", "--out", "run"}), 1, {"springs.safetensors"});
  lgode_ok({"train", "moved.safetensors", "--resume", "--out", "run"});
}

}  // namespace
}  // namespace lgode::process
