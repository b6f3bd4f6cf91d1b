// lgode benchmark on generated folders: every benchmark from its files to its tables, its cost beforehand, and what it
// does after an interruption, a failure and a missing file.
#include <unistd.h>

#include <csignal>
#include <regex>

#include "benchmark/sample.h"
#include "fixture.h"
#include "lgode/benchmark/tables.h"

namespace lgode::process {
namespace {

using nlohmann::json;

class Benchmark : public CommandTest {
 protected:
  void folder_of(const std::string& name, int people = 3, int frames = 24) const {
    benchmark::write_folder(benchmark::find_protocol(name), path(name), people, frames);
  }
  // One short training per column, on the CPU.
  static Words call(const std::string& name, const Words& more = {}) {
    return Words{"benchmark", name,       "--data", name,        "--seeds",
                 "1",         "--device", "cpu",    "--options", " --epochs 1 --hidden 8"} +
           more;
  }
  json record(const std::string& name, const std::string& job) const {
    return json::parse(bytes("results/" + name + "/records/" + job + ".json"));
  }
  // With the lines of wrapped list items joined.
  std::string tables(const std::string& name) const {
    return std::regex_replace(bytes("results/" + name + "/tables.md"), std::regex("\n {2,3}"), " ");
  }
};

void expect_text(const std::string& text, const Words& words) {
  for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
}

// Columns of a text table one blank apart.
std::string squeezed(const std::string& text) { return std::regex_replace(text, std::regex(" +"), " "); }

TEST_F(Benchmark, ClassicalRowsAloneTakeNoTraining) {
  folder_of("eth-ucy");
  const Outcome outcome = lgode_ok({"benchmark", "eth-ucy", "--data", "eth-ucy", "--method", "all"});
  expect_text(outcome.out, {"results/eth-ucy/tables.md: 20 jobs done, 0 failed, 0 left"});
  expect_text(tables("eth-ucy"), {"One path, windows of at least two people", "| *constant velocity* |", "| *hold* |",
                                  "| *damped velocity* |", "| *Kalman smoother* |", "| LMTraj-SUP [1] |"});
  EXPECT_FALSE(exists("results/eth-ucy/runs"));
  EXPECT_FALSE(exists("results/eth-ucy/settings.json"));
  const json found = record("eth-ucy", "zara1-constant-velocity");
  EXPECT_EQ(found["benchmark"], "eth-ucy");
  EXPECT_GT(found["results"]["pairs"]["people"], 0);
  EXPECT_GE(found["results"]["everybody"]["people"], found["results"]["pairs"]["people"]);
  EXPECT_GT(found["results"]["pairs"]["fde"], 0.0);
}

TEST_F(Benchmark, TrainsForecastsAndScores) {
  folder_of("nba-score");
  const Outcome outcome = lgode_ok(call("nba-score"));
  expect_text(outcome.out, {"5 jobs done, 0 failed, 0 left"});
  const json found = record("nba-score", "test-model-1");
  EXPECT_EQ(found["results"]["players"]["people"], record("nba-score", "test-hold")["results"]["players"]["people"]);
  EXPECT_EQ(found["config"]["seed"], 1);
  EXPECT_EQ(found["config"]["task"], "extrapolate");
  EXPECT_EQ(found["epochs"], 1);
  for (const char* key : {"commit", "version", "machine", "seconds", "steps", "settings"})
    EXPECT_TRUE(found.contains(key)) << key;
  expect_text(tables("nba-score"), {"| **ours, 1 seed** |", "| *constant velocity* |", "ADE/FDE in ft"});
  expect_text(bytes("results/nba-score/index.html"), {"<tr class=\"ours\"><td>ours, 1 seed</td>"});
  EXPECT_FALSE(exists("results/nba-score/runs/test-model-1/forecast.csv"));

  // Done is done; the tables come back from the records.
  const auto time = std::filesystem::last_write_time(path("results/nba-score/records/test-model-1.json"));
  const std::string before = tables("nba-score");
  lgode_ok(call("nba-score"));
  EXPECT_EQ(std::filesystem::last_write_time(path("results/nba-score/records/test-model-1.json")), time);
  std::filesystem::remove(path("results/nba-score/tables.md"));
  lgode_ok({"benchmark", "nba-score", "--tables-only"});
  EXPECT_EQ(tables("nba-score"), before);
  // Other settings need another folder, or --force.
  const Words other = call("nba-score", {"--options", " --epochs 2 --hidden 8"});
  expect_error(lgode(other), 2, {"other settings", "--epochs 2 --hidden 8", "--force"});
  lgode_ok(other + Words{"--force"});
  EXPECT_EQ(record("nba-score", "test-model-1")["epochs"], 2);
}

TEST_F(Benchmark, TheDroneIsScoredInPixels) {
  folder_of("sdd");
  write("sdd/H_SDD.txt", "c.jpg C 0 A 60 0.04\n");
  lgode_ok({"benchmark", "sdd", "--data", "sdd", "--method", "hold"});
  const double pixels = record("sdd", "test-hold")["results"]["everybody"]["ade"];
  std::filesystem::remove(path("sdd/H_SDD.txt"));
  lgode_ok({"benchmark", "sdd", "--data", "sdd", "--method", "hold", "--out", "plain"});
  const double plain = json::parse(bytes("plain/sdd/records/test-hold.json"))["results"]["everybody"]["ade"];
  EXPECT_NEAR(pixels, 25 * plain, 1e-9);
  lgode_ok(call("sdd", {"--method", "all"}));
  expect_text(tables("sdd"), {"ADE/FDE in px"});
}

TEST_F(Benchmark, HiddenFramesAreForecastFromAndImputed) {
  folder_of("trajimpute", 2, 21);
  const Outcome outcome = lgode_ok(call("trajimpute"));
  expect_text(outcome.out, {"35 jobs done, 0 failed, 0 left"});
  const json line = record("trajimpute", "univ-impute-line")["results"];
  const json model = record("trajimpute", "univ-impute-model-1");
  EXPECT_EQ(model["results"]["impute-hard"]["values"], line["impute-hard"]["values"]);
  // Every number of hidden frames in turn: 0 to 4 and 4 to 7 of them, two coordinates each.
  const json people = record("trajimpute", "univ-hold")["results"];
  const auto tracks = people["easy"]["people"].get<std::int64_t>() / 5;
  EXPECT_EQ(people["hard"]["people"], 4 * tracks);
  EXPECT_EQ(line["impute-easy"]["values"], 2 * (0 + 1 + 2 + 3 + 4) * tracks);
  EXPECT_EQ(line["impute-hard"]["values"], 2 * (4 + 5 + 6 + 7) * tracks);
  EXPECT_EQ(model["config"]["task"], "interpolate");
  EXPECT_EQ(record("trajimpute", "univ-model-1")["results"]["hard"]["people"], 4 * tracks);
  // These people are not the ones of the published figures.
  expect_text(tables("trajimpute"), {"| *straight line* |", "so published rows are left out"});
  EXPECT_EQ(tables("trajimpute").find("SAITS"), std::string::npos);
}

TEST_F(Benchmark, TellsTheCostAndDoesNothing) {
  folder_of("eth-ucy");
  const Outcome outcome = lgode_ok({"benchmark", "eth-ucy", "--data", "eth-ucy", "--dry-run", "--jobs", "5"});
  expect_text(squeezed(outcome.out),
              {"eth-constant-velocity compute", "zara2-model-3 train", "20 classical rows: seconds each",
               "15 trainings of at most 10 min 00 s each: at most 30 min 00 s, 5 at a time"});
  EXPECT_FALSE(exists("results"));
}

TEST_F(Benchmark, GoesOnAfterAnInterruption) {
  folder_of("nba-rebound");
  // Long enough to be interrupted between its first and its last epoch.
  const Words words = call("nba-rebound", {"--options", " --hidden 8 --schedule cosine --epochs 60"});
  const std::string run = "results/nba-rebound/runs/test-model-1";
  Child child = start(words);
  while (child.running() && !exists(run + "/metrics.jsonl")) ::usleep(2000);
  child.send(SIGINT);
  const Outcome stopped = child.wait();
  ASSERT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  expect_text(stopped.out, {"4 jobs done, 0 failed, 1 left", "resume with: lgode benchmark nba-rebound --data"});
  EXPECT_FALSE(exists("results/nba-rebound/records/test-model-1.json"));
  expect_text(squeezed(lgode_ok(words + Words{"--dry-run"}).out),
              {"test-model-1 continue the training, and forecast", "test-hold done"});
  lgode_ok(words);
  expect_text(bytes(run + "/log.txt"), {"resuming after"});
  EXPECT_EQ(record("nba-rebound", "test-model-1")["epochs"], 60);
  // As if it had never been interrupted.
  lgode_ok(words + Words{"--out", "whole"});
  EXPECT_EQ(json::parse(bytes("whole/nba-rebound/records/test-model-1.json"))["results"],
            record("nba-rebound", "test-model-1")["results"]);
}

TEST_F(Benchmark, ForecastsWithWeightsFromAnotherMachine) {
  folder_of("nba-score");
  lgode_ok(call("nba-score"));
  const json whole = record("nba-score", "test-model-1");
  for (const char* gone : {"records/test-model-1.json", "runs/test-model-1/checkpoint.safetensors"})
    std::filesystem::remove(path(std::string("results/nba-score/") + gone));
  expect_text(squeezed(lgode_ok(call("nba-score", {"--dry-run"})).out),
              {"test-model-1 forecast with the weights that are there"});
  lgode_ok(call("nba-score"));
  EXPECT_EQ(record("nba-score", "test-model-1"), whole);
}
TEST_F(Benchmark, AFailureIsRecordedAndTriedAgain) {
  folder_of("nba-score");
  const Words words = call("nba-score", {"--options", " --epochs 1 --hidden 8 --lr fast"});
  const Outcome outcome = lgode(words);
  expect_error(outcome, 1, {"1 job failed", "tables.md lists the reasons"});
  expect_text(outcome.out, {"4 jobs done, 1 failed, 0 left"});
  expect_text(tables("nba-score"), {"- test-model-1 failed:", "fast", "| *hold* |"});
  expect_text(lgode_ok(words + Words{"--dry-run"}).out, {"train (failed before)"});
  EXPECT_EQ(lgode(words).code, 1);
  lgode_ok(call("nba-score", {"--force"}));
  EXPECT_FALSE(record("nba-score", "test-model-1").contains("failed"));
}

TEST_F(Benchmark, MistakesAreReportedBeforeAnythingStarts) {
  expect_error(lgode({"benchmark", "eth"}), 2, {"there is no benchmark 'eth'", "eth-ucy"});
  expect_error(lgode({"benchmark", "sdd"}), 2, {"--data is needed", "github.com/xupei0610/SocialVAE"});
  expect_error(lgode({"benchmark", "eth-ucy", "--data", "absent"}), 1, {"absent: is missing", "biwi_eth"});
  folder_of("eth-ucy");
  std::filesystem::remove(path("eth-ucy/uni_examples.txt"));
  expect_error(lgode({"benchmark", "eth-ucy", "--data", "eth-ucy"}), 1, {"uni_examples.txt: is missing"});
  expect_error(lgode({"benchmark", "eth-ucy", "--data", "eth-ucy", "--method", "best"}), 2,
               {"--method best: 'best' is not among hold, constant-velocity, damped, kalman"});
  expect_error(lgode({"benchmark", "eth-ucy", "--data", "eth-ucy", "--options", " --seed 4"}), 2,
               {"--options: --seed is set by the benchmark"});
  expect_error(lgode({"benchmark", "eth-ucy", "--tables-only"}), 1, {"holds no result records"});
  EXPECT_FALSE(exists("results"));
}

}  // namespace
}  // namespace lgode::process
