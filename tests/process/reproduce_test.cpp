// lgode reproduce: makes records and tables, is interrupted and resumed, and continues when cells fail.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <regex>

#include "fixture.h"

namespace lgode::process {
namespace {

using nlohmann::json;

const char* const kInterpolate = "springs-60-interpolate-lg-ode-clean-1";
const char* const kExtrapolate = "springs-60-extrapolate-lg-ode-clean-1";

class Reproduce : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    recipes("recipes.json", json::object());
  }

  // Recipes of a model small enough for tests; extrapolation has options of its own.
  void recipes(const std::string& name, const json& extrapolate) const {
    const json both = {{"epochs", 2}, {"batch", 4},   {"lr", 0.001}, {"encoder_width", 8}, {"sequence_width", 8},
                       {"latent", 4}, {"augment", 4}, {"hidden", 8}, {"step", 0.25}};
    const json springs = {{"train_systems", 20}, {"test_systems", 5}, {"both", both}, {"extrapolate", extrapolate}};
    const json motion = {{"both", both}};
    write(name, json{{"small", {{"springs", springs}, {"charged", springs}, {"motion", motion}}}}.dump());
  }

  static Words call(const Words& more) {
    return Words{"reproduce", "--out", "results", "--recipes", "recipes.json", "--device", "cpu"} + more;
  }
  static Words springs(const Words& more = {}) { return call({"--datasets", "springs", "--observed", "60"}) + more; }

  json record(const std::string& cell, const std::string& out = "results") const {
    return json::parse(bytes(out + "/records/" + cell + ".json"));
  }
  // With the lines of wrapped list items joined.
  std::string tables() const { return std::regex_replace(bytes("results/tables.md"), std::regex("\n {2,3}"), " "); }
};

TEST_F(Reproduce, MakesDataRecordsAndTables) {
  const Outcome outcome = lgode_ok(springs({"--jobs", "2"}));
  EXPECT_NE(outcome.out.find("results/tables.md: 2 cells done, 0 failed, 0 skipped, 0 left"), std::string::npos)
      << outcome.out;
  for (const char* cell : {kInterpolate, kExtrapolate}) {
    const json r = record(cell);
    EXPECT_EQ(r["epochs"], 2);
    EXPECT_EQ(r["train_systems"], 18);
    EXPECT_EQ(r["config"]["latent"], 4);
    EXPECT_EQ(lgode_json({"evaluate", "results/runs/" + std::string(cell), "--json"})["test_mse"], r["test_mse"]);
  }
  const json json_tables = json::parse(bytes("results/tables.json"));
  EXPECT_EQ(json_tables["scale"], "small");
  const json cell = json_tables["tables"][0]["rows"][4]["cells"][1];
  EXPECT_EQ(cell["paper"], 0.01 * 0.3170);
  EXPECT_EQ(cell["protocol_clean"]["mean"], record(kInterpolate)["test_mse"]);
  const std::string text = tables();
  for (const char* word : {"## Interpolation", "## Extrapolation", "| **LG-ODE** | – |", "| *constant velocity* | – |",
                           "| springs | 18 | 5 | 2 | 2 |", "0.3170", "20.5501"})
    EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
}

TEST_F(Reproduce, MakesNothingTwice) {
  lgode_ok(springs({"--table", "interpolation"}));
  const std::string weights = bytes(std::string("results/runs/") + kInterpolate + "/best.safetensors");
  const auto time = std::filesystem::last_write_time(path(std::string("results/records/") + kInterpolate + ".json"));
  lgode_ok(springs({"--table", "all"}));
  EXPECT_EQ(bytes(std::string("results/runs/") + kInterpolate + "/best.safetensors"), weights);
  EXPECT_EQ(std::filesystem::last_write_time(path(std::string("results/records/") + kInterpolate + ".json")), time);
  EXPECT_TRUE(exists(std::string("results/records/") + kExtrapolate + ".json"));
  // The tables come back from the records alone.
  const std::string before = tables();
  std::filesystem::remove(path("results/tables.md"));
  lgode_ok({"reproduce", "--tables-only", "--out", "results"});
  EXPECT_EQ(tables(), before);
}

TEST_F(Reproduce, GoesOnAfterAnInterruption) {
  // Long enough to be interrupted between its first and its last epoch.
  const Words more = {"--table", "extrapolation", "--epochs", "60"};
  Child child = start(springs(more));
  const std::string run = std::string("results/runs/") + kExtrapolate;
  while (child.running() && !exists(run + "/metrics.jsonl")) ::usleep(2000);
  child.send(SIGINT);
  const Outcome stopped = child.wait();
  ASSERT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  EXPECT_NE(stopped.out.find("0 cells done, 0 failed, 0 skipped, 1 left"), std::string::npos) << stopped.out;
  EXPECT_NE(stopped.out.find("resume with: lgode reproduce --out results --recipes recipes.json"), std::string::npos);
  EXPECT_FALSE(exists(std::string("results/records/") + kExtrapolate + ".json"));
  EXPECT_NE(tables().find("1 not done"), std::string::npos);
  const Outcome dry = lgode_ok(springs(more + Words{"--dry-run"}));
  EXPECT_NE(dry.out.find("continue after"), std::string::npos) << dry.out;

  lgode_ok(springs(more));
  EXPECT_NE(bytes(run + "/log.txt").find("resuming after"), std::string::npos) << bytes(run + "/log.txt");
  Words whole = springs(more);
  whole[2] = "whole";
  lgode_ok(whole);
  EXPECT_EQ(record(kExtrapolate)["test_mse"], record(kExtrapolate, "whole")["test_mse"]);
  EXPECT_EQ(record(kExtrapolate)["epochs"], 60);
}

TEST_F(Reproduce, AFailedCellDoesNotStopTheRest) {
  recipes("recipes.json", {{"lr", 1e30}, {"clip", 0}});
  const Words words = springs({"--table", "all"});
  const Outcome outcome = lgode(words);
  expect_error(outcome, 1, {"1 cell failed", "results/tables.md"});
  EXPECT_NE(outcome.out.find("1 cell done, 1 failed"), std::string::npos) << outcome.out;
  EXPECT_NE(record(kExtrapolate)["failed"].get<std::string>().find("diverged"), std::string::npos);
  EXPECT_GT(record(kInterpolate)["test_mse"].get<double>(), 0.0);
  EXPECT_NE(tables().find("| **LG-ODE** | – | failed (1) |"), std::string::npos) << tables();
  EXPECT_NE(tables().find(std::string("1. ") + kExtrapolate + ": training diverged"), std::string::npos) << tables();
  // The same command tries again; other settings are reported, and used with --force.
  EXPECT_EQ(lgode(words).code, 1);
  recipes("recipes.json", json::object());
  expect_error(lgode(words), 2, {"config.json", "lr is 1e+30, asked for is 0.001", "--force"});
  lgode_ok(words + Words{"--force"});
  EXPECT_EQ(tables().find("failed ("), std::string::npos) << tables();
}

TEST_F(Reproduce, MotionIsSkippedWithoutItsFolder) {
  const Outcome outcome = lgode_ok(call({"--datasets", "motion", "--observed", "60"}));
  EXPECT_NE(outcome.err.find("mocap.cs.cmu.edu"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--motion FOLDER"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("0 cells done, 0 failed, 2 skipped"), std::string::npos) << outcome.out;
  EXPECT_NE(tables().find("| skipped |"), std::string::npos) << tables();
  expect_error(lgode(call({"--datasets", "motion", "--motion", "."})), 1, {"--motion .", "35.asf"});
}

TEST_F(Reproduce, PaperProtocolIsATrainingOfItsOwn) {
  lgode_ok(springs({"--table", "interpolation", "--protocols", "all"}));
  const json paper = record("springs-60-interpolate-lg-ode-paper-1");
  EXPECT_EQ(paper["protocol"], "paper");
  EXPECT_EQ(paper["train_systems"], 20);  // nothing is held out
  EXPECT_EQ(record(kInterpolate)["train_systems"], 18);
  EXPECT_NE(tables().find("| paper's protocol | – |"), std::string::npos) << tables();
}

TEST_F(Reproduce, RefusesWhatDoesNotFit) {
  expect_error(lgode(call({"--rows", "lg-ode,latent"})), 2, {"--rows", "'latent'", "latent-ode, weight-decay"});
  expect_error(lgode(call({"--datasets", "planets"})), 2, {"--datasets", "springs, charged, motion"});
  expect_error(lgode(call({"--observed", "50"})), 2, {"--observed", "40, 60, 80"});
  expect_error(lgode(call({"--table", "both"})), 2, {"--table", "interpolation, extrapolation"});
  expect_error(lgode({"reproduce"}), 2, {"--out"});
  recipes("wrong.json", {{"epochz", 3}});
  expect_error(lgode({"reproduce", "--out", "results", "--recipes", "wrong.json", "--datasets", "springs"}), 2,
               {"wrong.json", "epochz"});
  expect_error(lgode({"reproduce", "--tables-only", "--out", "results"}), 1, {"results"});
  expect_error(lgode({"reproduce", "--out", "/proc/results", "--datasets", "springs"}), 1, {"/proc/results"});
  EXPECT_FALSE(exists("results"));
  lgode_ok(springs({"--dry-run"}));
  EXPECT_FALSE(exists("results"));
}

TEST_F(Reproduce, SizesAreNotMixed) {
  const Words one = springs({"--table", "interpolation"});
  lgode_ok(one);
  expect_error(lgode(one + Words{"--systems", "40"}), 2,
               {"results holds results of scale small, asked for is small with 40 simulated"});
  expect_error(lgode(one + Words{"--epochs", "3"}), 2, {"epochs is 2, asked for is 3", "--out", "--force"});
  lgode_ok(one);
}

// An option that a recipe no longer names has its default, which differs from the value used before.
TEST_F(Reproduce, DefaultsAreNotMixedWithWhatARecipeSaid) {
  recipes("recipes.json", {{"dropout", 0.5}});
  const Words one = springs({"--table", "extrapolation"});
  lgode_ok(one);
  recipes("recipes.json", json::object());
  expect_error(lgode(one), 2, {kExtrapolate, "dropout is 0.5, asked for is 0"});
  lgode_ok(one + Words{"--force"});
  EXPECT_EQ(record(kExtrapolate)["config"]["dropout"], 0.0);
}

TEST_F(Reproduce, DataOfAnotherSizeIsRefused) {
  lgode_ok({"simulate", "springs", "--train", "30", "--test", "5", "--out", "results/data/springs.safetensors"});
  expect_error(lgode(springs()), 1, {"2 cells failed"});
  EXPECT_NE(tables().find("has 30 training and 5 test systems, asked for are 20 and 5"), std::string::npos) << tables();
  write("results/data/springs.safetensors", "torn");
  expect_error(lgode(springs()), 1, {"2 cells failed"});
  EXPECT_NE(tables().find("remove the file to have it made again"), std::string::npos) << tables();
  std::filesystem::remove(path("results/data/springs.safetensors"));
  lgode_ok(springs());
}

// Damage affects only its own cell, which can be computed again.
TEST_F(Reproduce, DamageHeals) {
  const Words all = springs();
  lgode_ok(all);
  const std::string run = std::string("results/runs/") + kInterpolate,
                    result = std::string("results/records/") + kInterpolate + ".json";
  const json before = record(kInterpolate);
  write(result, "{");
  lgode_ok(all);
  EXPECT_EQ(record(kInterpolate)["test_mse"], before["test_mse"]);

  std::filesystem::remove(path(result));
  write(run + "/checkpoint.safetensors", "torn");
  lgode_ok(all);  // from the checkpoint before it
  EXPECT_EQ(record(kInterpolate)["test_mse"], before["test_mse"]);

  std::filesystem::remove(path(result));
  write(run + "/checkpoint.safetensors", "torn");
  write(run + "/checkpoint.previous.safetensors", "torn");
  expect_error(lgode(all), 1, {"1 cell failed", "--force"});
  lgode_ok(all + Words{"--force"});
  EXPECT_EQ(record(kInterpolate)["test_mse"], before["test_mse"]);

  std::filesystem::remove(path(result));
  write(run + "/config.json", "{");
  const Outcome outcome = lgode(all);
  expect_error(outcome, 1, {"1 cell failed"});
  EXPECT_NE(outcome.out.find("1 cell done, 1 failed"), std::string::npos) << outcome.out;
  EXPECT_NE(tables().find("--force trains it from the start"), std::string::npos) << tables();
  lgode_ok(all + Words{"--force"});

  // A foreign file among the records is reported and skipped.
  json odd = before;
  odd["config"] = 3;
  write("results/records/odd.json", odd.dump());
  lgode_ok(all);
  EXPECT_NE(tables().find("odd.json: config is 3, expected an object"), std::string::npos) << tables();
}

}  // namespace
}  // namespace lgode::process
