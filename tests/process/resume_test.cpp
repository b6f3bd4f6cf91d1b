// Ctrl-C and --resume: an interrupted run continues and ends with the same bytes as an uninterrupted one.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <sstream>

#include "fixture.h"
#include "support/temp_folder.h"

namespace lgode::process {
namespace {

class Resume : public CommandTest {
 protected:
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

  void expect_same_run(const std::string& a, const std::string& b) const {
    for (const char* name : {"/checkpoint.safetensors", "/best.safetensors", "/config.json"})
      EXPECT_TRUE(bytes(a + name) == bytes(b + name)) << name;
  }
};

TEST_F(Resume, EndsWithTheSameBytesAfterAStopWithinAnEpoch) {
  simulate({"--train", "40", "--force"});
  run_programs(call("2", "whole"));
  const Outcome stopped = run_programs(call("2", "run") + Words{"--stop-after", "7"});
  ASSERT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  EXPECT_NE(stopped.out.find("stopped after 7 steps;"), std::string::npos) << stopped.out;
  EXPECT_NE(stopped.out.find("lgode train --resume --out run"), std::string::npos) << stopped.out;
  ASSERT_TRUE(exists("run/checkpoint.safetensors"));
  const nlohmann::json info = lgode_json({"info", "--json", "run/checkpoint.safetensors"});
  EXPECT_EQ(info["epoch"], 0);
  EXPECT_EQ(info["step_count"], 7);
  lgode_ok({"train", "--resume", "--threads", "2", "--out", "run"});
  expect_same_run("whole", "run");
}

// Stops within an epoch, at its last step, at its first step, and after the last step of the run.
TEST_F(Resume, EndsWithTheSameBytesAfterSeveralStops) {
  simulate({"--train", "40", "--force"});
  run_programs(call("3", "whole"));
  ASSERT_EQ(lgode(call("3", "run") + Words{"--stop-after", "1"}).code, 130);
  const Words resume = {"train", "--resume", "--threads", "2", "--out", "run"};
  const std::int64_t steps = lgode_json({"info", "--json", "whole/checkpoint.safetensors"})["step_count"];
  for (const std::int64_t step : {steps / 3 - 1, steps / 3, steps / 3 + 1, steps - 1}) {
    ASSERT_EQ(lgode(resume + Words{"--stop-after", std::to_string(step)}).code, 130) << step;
    EXPECT_EQ(lgode_json({"info", "--json", "run/checkpoint.safetensors"})["step_count"], step);
  }
  lgode_ok(resume + Words{"--stop-after", std::to_string(steps)});
  expect_same_run("whole", "run");
}

TEST_F(Resume, CtrlCWritesACheckpointToGoOnFrom) {
  simulate({"--train", "200", "--force"});
  Child child = start(call("50", "run"));
  while (child.running() && !exists("run/config.json")) ::usleep(2000);
  child.send(SIGINT);
  const Outcome stopped = child.wait();
  ASSERT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  EXPECT_NE(stopped.err.find("a checkpoint will be written"), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.out.find("lgode train --resume --out run"), std::string::npos) << stopped.out;
  const std::int64_t taken = lgode_json({"info", "--json", "run/checkpoint.safetensors"})["step_count"];
  EXPECT_EQ(lgode(Words{"train", "--resume", "--threads", "2", "--out", "run", "--stop-after"} +
                  Words{std::to_string(taken + 1)})
                .code,
            130);
  EXPECT_EQ(lgode_json({"info", "--json", "run/checkpoint.safetensors"})["step_count"], taken + 1);
}

TEST_F(Resume, CtrlCInTheComparisonOfCoordinatesLeavesNothing) {
  simulate({"--train", "200", "--force"});
  Child child = start(call("2000", "run") + Words{"--turn", "none"});
  while (child.running() && !exists("run/.lock")) ::usleep(2000);
  ::usleep(100'000);
  child.send(SIGINT);
  const Outcome stopped = child.wait();
  ASSERT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  EXPECT_EQ(stopped.err.find("a checkpoint will be written"), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.err.find("nothing was written"), std::string::npos) << stopped.err;
  EXPECT_FALSE(exists("run"));
}

// The steps of a stopped run are those since its last whole epoch.
TEST_F(Resume, AStoppedRunSaysWhereItStands) {
  simulate({"--train", "40", "--force"});
  run_programs(call("1", "whole"));
  const std::int64_t steps = lgode_json({"info", "--json", "whole/checkpoint.safetensors"})["step_count"];
  const Outcome stopped = lgode(call("3", "run") + Words{"--stop-after", std::to_string(2 * steps + 3)});
  ASSERT_EQ(stopped.code, 130) << stopped.err;
  const std::string where =
      "stopped after 2 whole epochs and 3 steps (" + std::to_string(2 * steps + 3) + " steps in total);";
  EXPECT_NE(stopped.out.find(where), std::string::npos) << stopped.out;
}

// One step takes many seconds: all pairs of 240 objects, for eleven systems at once, on one thread.
TEST_F(Resume, CtrlCIsHeardWithinAStep) {
  Swings swings;
  swings.train = 12, swings.test = 0, swings.objects = 240;
  save(swings, path("large.safetensors"));
  const Words train = {"train", "large.safetensors", "--epochs", "2",     "--batch", "11", "--step",
                       "0.02",  "--threads",         "1",        "--out", "run"};
  Child child = start(train);
  while (child.running() && !exists("run/config.json")) ::usleep(2000);
  ::usleep(5'000'000);  // the estimate is made, and the first step has begun
  ASSERT_TRUE(child.running()) << child.wait().err;
  const double sent = child.seconds();
  child.send(SIGINT);
  const Outcome stopped = child.wait();
  ASSERT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  EXPECT_LT(stopped.seconds - sent, 4.0);
  EXPECT_NE(stopped.err.find("per step"), std::string::npos) << stopped.err;
  EXPECT_NE(stopped.out.find("stopped after 0 steps; a checkpoint is written"), std::string::npos) << stopped.out;
  EXPECT_EQ(lgode_json({"info", "--json", "run/checkpoint.safetensors"})["step_count"], 0);
  // The run continues from there.
  Child again = start({"train", "--resume", "--threads", "1", "--out", "run"});
  ::usleep(3'000'000);
  EXPECT_TRUE(again.running());
  again.send(SIGINT);
  EXPECT_EQ(again.wait().code, 130);
}

TEST_F(Resume, ARunFolderIsLockedWhileItTrains) {
  simulate({"--train", "200", "--force"});
  Child child = start(call("2000", "run"));
  while (child.running() && !exists("run/checkpoint.safetensors")) ::usleep(2000);
  const std::string id = bytes("run/.lock");
  const std::string process = "process " + id.substr(0, id.find('\n'));
  expect_error(run_programs({"train", "--resume", "--out", "run"}), 1, {"run", process, "kill -INT"});
  expect_error(lgode(call("1", "run") + Words{"--force"}), 1, {process, "--out"});
  expect_error(lgode(call("1", "run")), 1, {process});
  lgode_ok({"evaluate", "run", "--part", "validation"});
  ASSERT_TRUE(child.running());
  child.send(SIGKILL);
  child.wait();
  EXPECT_EQ(lgode({"train", "--resume", "--threads", "2", "--out", "run", "--stop-after", "1"}).code, 130);
}

TEST_F(Resume, MoreEpochsTrainLonger) {
  simulate();
  train("run", {"--epochs", "2", "--schedule", "cosine"});
  expect_error(lgode({"train", "--resume", "--epochs", "2", "--out", "run"}), 2, {"--epochs 2", "2 already"});
  expect_error(lgode({"train", "--resume", "--epochs", "1", "--out", "run"}), 2, {"--epochs 1"});
  expect_error(lgode({"train", "--resume", "--lr", "1e-4", "--out", "run"}), 2, {"--lr", "--epochs", "--from"});
  expect_error(lgode({"train", "--resume", "--epochs", "4", "--latent", "4", "--out", "run"}), 2, {"--latent"});
  const Outcome longer = lgode_ok({"train", "--resume", "--epochs", "4", "--out", "run"});
  EXPECT_NE(longer.err.find("4 epochs instead of 2: the learning rate starts again at 0.001 with epoch 3"),
            std::string::npos)
      << longer.err;
  const nlohmann::json config = nlohmann::json::parse(bytes("run/config.json"));
  EXPECT_EQ(config["epochs"], 4);
  EXPECT_EQ(config["restarts"], "2:0.001");
  EXPECT_EQ(lgode_json({"info", "--json", "run/checkpoint.safetensors"})["epoch"], 4);
  const std::string metrics = bytes("run/metrics.jsonl");
  EXPECT_EQ(std::count(metrics.begin(), metrics.end(), '\n'), 5);  // one before the first step
  // The config repeats the whole run.
  lgode_ok({"train", "--config", "run/config.json", "--out", "again"});
  expect_same_run("run", "again");
  lgode_ok({"train", "--resume", "--epochs", "5", "--lr", "3e-4", "--out", "run"});
  EXPECT_EQ(nlohmann::json::parse(bytes("run/config.json"))["restarts"], "2:0.001,4:0.0003");
}

// Without a fixed length a limit changes the end alone: a run that is given a larger one is the run that had it.
TEST_F(Resume, ALargerLimitIsTheLongerRun) {
  simulate();
  const Words whole = call("4", "whole");
  lgode_ok(whole);
  const Outcome limited = lgode_ok(call("2", "run"));
  EXPECT_NE(limited.out.find("the limit --epochs 2 ended the training"), std::string::npos) << limited.out;
  EXPECT_NE(limited.out.find("lgode train --resume --epochs 6 --out run"), std::string::npos) << limited.out;
  expect_error(lgode({"train", "--resume", "--epochs", "4", "--lr", "1e-4", "--out", "run"}), 2, {"--lr", "plateau"});
  const Outcome longer = lgode_ok({"train", "--resume", "--epochs", "4", "--threads", "2", "--out", "run"});
  EXPECT_NE(longer.err.find("as if the run had had this limit"), std::string::npos) << longer.err;
  expect_same_run("whole", "run");
}

TEST_F(Resume, ATrainingEndsByItselfAndSaysWhy) {
  simulate();
  const Words open = {"train", "springs.safetensors", "--patience", "1", "--warmup", "0"};
  Words tiny_open = tiny();
  tiny_open.erase(tiny_open.begin(), tiny_open.begin() + 2);  // --epochs
  const Outcome outcome = lgode_ok(open + tiny_open + Words{"--lr", "1e-9", "--out", "run"});
  EXPECT_NE(outcome.out.find("the validation error no longer fell"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("until the validation error no longer falls"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("with a lower learning rate"), std::string::npos) << outcome.err;
  expect_error(lgode({"train", "--resume", "--minutes", "90", "--out", "run"}), 2, {"ended by itself", "--from"});
  const nlohmann::json config = nlohmann::json::parse(bytes("run/config.json"));
  EXPECT_EQ(config["epochs"], "auto");
  EXPECT_EQ(config["minutes"], 60);
  EXPECT_EQ(lgode_ok({"info", "run"}).out.find("auto epochs"), std::string::npos);
}

// Gains that are too small to wait for, in epochs that are the best all the same.
TEST_F(Resume, ATrainingThatWasStillFallingSaysHowToGoOn) {
  simulate();
  Words open = tiny();
  open.erase(open.begin(), open.begin() + 2);  // --epochs
  const Outcome outcome = lgode_ok(Words{"train", "springs.safetensors", "--task", "extrapolate", "--patience", "1"} +
                                   open + Words{"--warmup", "0", "--lr", "1e-5", "--out", "run"});
  EXPECT_NE(outcome.out.find("still falling, but by less than 1 % in 1 step"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("more time would not help"), std::string::npos) << outcome.out;
  const std::string more = "lgode train --config run/config.json --from run --patience 4 --out run-longer";
  EXPECT_NE(outcome.out.find(more), std::string::npos) << outcome.out;
  lgode_ok({"train", "--config", "run/config.json", "--from", "run", "--patience", "4", "--epochs", "1", "--out",
            "run-longer"});
}

// A closed terminal stops a run, unless it was started with nohup.
TEST_F(Resume, AHangUpStopsUnlessItIsIgnored) {
  simulate({"--train", "200", "--force"});
  const auto hang_up = [&](const std::string& run) {
    Child child = start(call(run == "stopped" ? "50" : "1", run));
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
  const std::string whole = bytes("run/checkpoint.safetensors"), older = "run/checkpoint.previous.safetensors";
  write("run/checkpoint.safetensors", whole.substr(0, whole.size() / 2));
  write(older, bytes(older).substr(0, 100));
  expect_error(lgode({"train", "--resume", "--out", "run"}), 1, {"run/checkpoint.safetensors", older});
  std::filesystem::remove(path(older));
  expect_error(lgode({"train", "--resume", "--out", "run"}), 1, {"checkpoint.safetensors"});
  // A run that was stopped before its first checkpoint starts again.
  std::filesystem::remove(path("run/checkpoint.safetensors"));
  lgode_ok({"train", "--resume", "--out", "run"});
  EXPECT_TRUE(bytes("run/checkpoint.safetensors") == whole);
}

// The newest checkpoint is cut, changed or gone, within an epoch or just after one: the one before it is used, and the
// run ends with the bytes of an undisturbed one. While that one is used, it is not replaced by the damaged file.
TEST_F(Resume, ADamagedCheckpointLeavesTheOneBeforeIt) {
  simulate({"--train", "40", "--force"});
  run_programs(call("3", "whole"));
  const std::int64_t epoch =
      lgode_json({"info", "--json", "whole/checkpoint.safetensors"})["step_count"].get<int>() / 3;
  const std::string newer = "run/checkpoint.safetensors", older = "run/checkpoint.previous.safetensors";
  const Words resume = {"train", "--resume", "--threads", "2", "--out", "run", "--stop-after"};
  ASSERT_EQ(lgode(call("3", "run") + Words{"--stop-after", "3"}).code, 130);
  std::int64_t step = 3;
  for (const char* damage : {"cut", "changed", "gone"}) {
    step += epoch / 2;
    ASSERT_EQ(lgode(resume + Words{std::to_string(step)}).code, 130);
    const std::string good = bytes(older);
    std::string text = bytes(newer);
    if (damage == std::string("cut")) text.resize(text.size() / 2);
    if (damage == std::string("changed")) text[text.size() - 1000] ^= 4;
    write(newer, text);
    if (damage == std::string("gone")) std::filesystem::remove(path(newer));
    // What lgode info and lgode report print does not depend on the damaged file either.
    EXPECT_EQ(lgode({"report", "run", "--out", std::string(damage) + ".html"}).code, 0) << damage;
    const std::int64_t next = step - 1;
    const Outcome again = lgode(resume + Words{std::to_string(next)});
    EXPECT_EQ(again.code, 130) << again.err;
    EXPECT_NE(again.err.find("warning: run/checkpoint.safetensors: "), std::string::npos) << again.err;
    EXPECT_NE(again.err.find("the checkpoint before it is used, run/checkpoint.previous.safetensors"),
              std::string::npos)
        << again.err;
    EXPECT_TRUE(bytes(older) == good || damage == std::string("gone")) << damage;
    EXPECT_EQ(lgode_json({"info", "--json", newer})["step_count"], next) << damage;
    step = next;
  }
  lgode_ok({"train", "--resume", "--threads", "2", "--out", "run"});
  expect_same_run("whole", "run");
  const auto lines = [&](const std::string& run) {
    std::vector<nlohmann::json> found;
    std::istringstream text(bytes(run + "/metrics.jsonl"));
    for (std::string line; std::getline(text, line);) {
      found.push_back(nlohmann::json::parse(line));
      found.back().erase("seconds"), found.back().erase("step_ms");
    }
    return found;
  };
  EXPECT_EQ(lines("run"), lines("whole"));
}

// Damaged best weights are restored from the checkpoint if it has them; else the next epochs choose again.
TEST_F(Resume, DamagedBestWeightsAreNoticed) {
  simulate({"--train", "40", "--force"});
  run_programs(call("3", "run") + Words{"--lr", "1e-3", "--schedule", "cosine"});
  const nlohmann::json info = lgode_json({"info", "--json", "run"});
  ASSERT_EQ(info["epoch"], 3);  // the last epoch is the best one here
  const std::string best = bytes("run/best.safetensors");
  std::string damaged = best;
  damaged[damaged.size() - 500] ^= 1;
  write("run/best.safetensors", damaged);
  expect_error(lgode({"evaluate", "run"}), 1, {"best.safetensors", "damaged"});
  const Outcome healed = lgode_ok({"train", "--resume", "--threads", "2", "--out", "run"});
  EXPECT_NE(healed.err.find("written again from the checkpoint"), std::string::npos) << healed.err;
  EXPECT_TRUE(bytes("run/best.safetensors") == best);
  // Stopped within the next epoch, the checkpoint has other weights.
  lgode_ok({"train", "--resume", "--epochs", "4", "--out", "run", "--threads", "2"});
  ASSERT_EQ(lgode({"train", "--resume", "--epochs", "6", "--out", "run", "--threads", "2", "--stop-after",
                   std::to_string(info["step_count"].get<int>() / 3 * 4 + 2)})
                .code,
            130);
  write("run/best.safetensors", damaged);
  const Outcome chosen = lgode_ok({"train", "--resume", "--threads", "2", "--out", "run"});
  EXPECT_NE(chosen.err.find("are lost: the best of the remaining epochs is kept"), std::string::npos) << chosen.err;
  EXPECT_GE(lgode_json({"info", "--json", "run"})["epoch"], 5);
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
