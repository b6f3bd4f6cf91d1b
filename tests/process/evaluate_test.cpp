// lgode evaluate: the page, the JSON and the table.
#include <cmath>
#include <filesystem>
#include <sstream>

#include "fixture.h"

namespace lgode::process {
namespace {

using Evaluate = CommandTest;
using nlohmann::json;

const char* const kKeys[] = {"run",    "task",     "observed",        "protocol",  "seed",
                             "epochs", "test_mse", "test_mse_unseen", "classical", "evaluation",
                             "data",   "commit",   "version",         "machine",   "config"};
const char* const kClassical[] = {"linear", "cubic_hermite", "hold", "constant_velocity"};

// The last epoch that a learning curve calls the best so far; 0 is the classical start.
int best_epoch(const std::string& curve) {
  int epoch = -1;
  std::istringstream lines(curve);
  for (std::string line; std::getline(lines, line);)
    if (const json entry = json::parse(line); entry.value("best", false)) epoch = entry["epoch"];
  return epoch;
}

TEST_F(Evaluate, TellsErrorsOfModelAndBaselines) {
  simulate();
  for (const char* task : {"interpolate", "extrapolate"}) {
    train(task, {"--task", task});
    const json result = lgode_json({"evaluate", task, "--json"});
    for (const char* key : kKeys) EXPECT_TRUE(result.contains(key)) << key;
    EXPECT_EQ(result["run"], task);
    EXPECT_EQ(result["task"], task);
    EXPECT_EQ(result["observed"], 0.6);
    EXPECT_EQ(result["epochs"], best_epoch(bytes(std::string(task) + "/metrics.jsonl")));
    EXPECT_GT(result["test_mse"].get<double>(), 0.0);
    EXPECT_LT(result["test_mse"].get<double>(), 10.0);
    for (const char* name : kClassical) EXPECT_TRUE(result["classical"][name]["mse"].is_number()) << name;
    EXPECT_EQ(result["config"]["latent"], 4);

    const Outcome page = lgode_ok({"evaluate", task});
    for (const char* word : {"error x 10^-2", "unseen", "cubic Hermite", "constant velocity", "RMSE", "since start",
                             "LG-ODE in the paper"})
      EXPECT_NE(page.out.find(word), std::string::npos) << word << " in\n" << page.out;
    // After the last observation linear equals hold, and cubic Hermite equals constant velocity.
    const std::string horizon = page.out.substr(page.out.find("since start"));
    EXPECT_EQ(horizon.find("cubic Hermite") == std::string::npos, std::string(task) == "extrapolate") << horizon;
  }
}

// Intervals are calibrated on the validation part, and never on the test part.
TEST_F(Evaluate, SaysWhetherIntervalsAreCalibrated) {
  simulate();
  train("clean", {"--task", "extrapolate"});
  const json intervals = lgode_json({"evaluate", "clean", "--json"})["evaluation"]["intervals"];
  for (const char* level : {"50", "80", "90"}) EXPECT_TRUE(intervals["model"]["coverage"][level].is_number()) << level;
  EXPECT_TRUE(intervals["classical"]["constant_velocity"]["interval_score"].is_number());
  EXPECT_NE(lgode_ok({"evaluate", "clean"}).out.find("calibrated intervals"), std::string::npos);
  train("paper", {"--task", "extrapolate", "--protocol", "paper"});
  EXPECT_FALSE(std::filesystem::exists(path("paper/calibration.json")));
  EXPECT_NE(lgode_ok({"evaluate", "paper"}).out.find("protocol paper validates on the test part"), std::string::npos);
  train("all", {"--task", "extrapolate", "--validation", "0"});
  EXPECT_FALSE(std::filesystem::exists(path("all/calibration.json")));
  EXPECT_NE(lgode_ok({"evaluate", "all"}).out.find("the run has no validation part"), std::string::npos);
}

TEST_F(Evaluate, HasMetricsOverPositions) {
  simulate();
  train("run", {"--task", "extrapolate"});
  const json evaluation = lgode_json({"evaluate", "run", "--json"})["evaluation"];
  for (const char* key : {"ade", "fde", "miss_rate", "nll", "collision_rate"}) {
    EXPECT_TRUE(evaluation["model"][key].is_number()) << key;
    EXPECT_TRUE(evaluation["classical"]["hold"][key].is_number()) << key;
    EXPECT_TRUE(evaluation["model"]["horizon"][0].contains(key)) << key;
  }
  EXPECT_FALSE(evaluation["model"].contains("min_ade"));
  const std::string page = lgode_ok({"evaluate", "run"}).out;
  for (const char* word :
       {"\n  ADE ", "\n  FDE ", "miss rate", "NLL", "nats", "collision rate", "ADE, time since start",
        "A miss is a final error above 2, a collision two predicted centres nearer than 0.2.", "Positions have no unit",
        "--miss-distance"})
    EXPECT_NE(page.find(word), std::string::npos) << word << " in\n" << page;
  const std::string given = lgode_ok({"evaluate", "run", "--miss-distance", "1e-9", "--collision-distance", "99"}).out;
  EXPECT_NE(given.find("100.0 %"), std::string::npos) << given;
  EXPECT_EQ(given.find("Positions have no unit"), std::string::npos) << given;
  expect_error(lgode({"evaluate", "run", "--miss-distance", "0"}), 2, {"--miss-distance"});
  const std::string table = lgode_ok({"evaluate", "run", "--summary"}).out;
  for (const char* word : {"ADE", "FDE", "miss rate", "NLL", "collision rate"})
    EXPECT_NE(table.find(word), std::string::npos) << word << " in\n" << table;
  lgode_ok({"evaluate", "run", "--record", "record.json"});
  const json record = json::parse(bytes("record.json"));
  EXPECT_EQ(record["test_ade"], evaluation["model"]["ade"]);
  EXPECT_EQ(record["classical"]["hold"]["fde"], evaluation["classical"]["hold"]["fde"]);
  EXPECT_EQ(record["positions"]["miss_distance"], 2);
}

TEST_F(Evaluate, PutsSeveralRunsSideBySide) {
  simulate();
  train("runs/a", {"--task", "interpolate", "--observed", "0.4"});
  train("runs/b", {"--task", "extrapolate", "--observed", "0.5"});
  const json list = lgode_json({"evaluate", "runs/a", "runs/b", "--json"});
  ASSERT_TRUE(list.is_array());
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[1]["observed"], 0.5);
  const Outcome table = lgode_ok({"evaluate", "runs/a", "runs/b", "--summary"});
  for (const char* word :
       {"interpolate 40 %", "extrapolate 50 %", "model", "linear", "hold", "0.3350", "better of hold", "RMSE of x",
        "mean distance", "runs/a: ", "the best classical method: mean squared error"})
    EXPECT_NE(table.out.find(word), std::string::npos) << word << " in\n" << table.out;
}

TEST_F(Evaluate, RecordsARunInOneForm) {
  simulate();
  train("run");
  lgode_ok({"evaluate", "run", "--record", "results/run.json"});
  const json record = json::parse(bytes("results/run.json"));
  for (const char* key :
       {"dataset", "task", "observed", "model", "variant", "protocol", "seed", "epochs", "train_systems", "test_mse",
        "test_mse_unseen", "horizon", "step_ms", "epoch_s", "device", "commit", "config"})
    EXPECT_TRUE(record.contains(key) && !record[key].is_null()) << key;
  EXPECT_EQ(record["epochs"].get<std::size_t>() + 1, record["curve"].size());  // and before the first step
  const json evaluated = lgode_json({"evaluate", "run", "--json"});
  EXPECT_EQ(record["test_mse"], evaluated["test_mse"]);
  EXPECT_EQ(record["horizon"], evaluated["evaluation"]["model"]["horizon"]);
  EXPECT_GT(record["train_systems"].get<int>(), 0);
  // Nothing is replaced without --force.
  expect_error(lgode({"evaluate", "run", "--record", "results/run.json"}), 1, {"results/run.json", "--force"});
  lgode_ok({"evaluate", "run", "--record", "results/run.json", "--force"});
}

TEST_F(Evaluate, DoesNotDependOnBatchOrRepetition) {
  simulate();
  train("run");
  const double once = lgode_json({"evaluate", "run", "--json"})["test_mse"];
  EXPECT_EQ(lgode_json({"evaluate", "run", "--json"})["test_mse"].get<double>(), once);
  EXPECT_NEAR(lgode_json({"evaluate", "run", "--json", "--batch", "1"})["test_mse"].get<double>(), once, 1e-4 * once);
  EXPECT_NEAR(lgode_json({"evaluate", "run/best.safetensors", "--json"})["test_mse"].get<double>(), once, 0.0);
}

TEST_F(Evaluate, OtherSplitsAndData) {
  simulate();
  lgode_ok({"simulate", "springs", "--objects", "3", "--train", "2", "--test", "4", "--out", "three.safetensors"});
  train("run");
  EXPECT_TRUE(lgode_json({"evaluate", "run", "--part", "validation", "--json"})["validation_mse"].is_number());
  EXPECT_TRUE(lgode_json({"evaluate", "run", "--part", "train", "--json"})["train_mse"].is_number());
  EXPECT_TRUE(lgode_json({"evaluate", "run", "--data", "three.safetensors", "--json"})["test_mse"].is_number());
}

TEST_F(Evaluate, SaysWhatDoesNotFit) {
  simulate();
  train("run");
  save({}, path("swings.safetensors"));
  expect_error(lgode({"evaluate", "run", "--data", "swings.safetensors"}), 2, {"features"});
  expect_error(lgode({"evaluate", "springs.safetensors"}), 1, {"springs.safetensors"});
  expect_error(lgode({"evaluate", "run", "--data", "run/best.safetensors"}), 1, {"best.safetensors"});
  std::filesystem::rename(path("springs.safetensors"), path("moved.safetensors"));
  expect_error(lgode({"evaluate", "run"}), 1, {"springs.safetensors", "--data"});
}

TEST_F(Evaluate, NeedsTestSystems) {
  simulate({"--test", "0"});
  const auto next = [&](const Words& more) {
    return lgode_ok(Words{"train", "springs.safetensors", "--force", "--out", "run"} + tiny() + more).out;
  };
  const std::string held_out = next({});
  EXPECT_NE(held_out.find("next: lgode evaluate run --part validation\n"), std::string::npos) << held_out;
  lgode_ok({"evaluate", "run", "--part", "validation"});
  expect_error(lgode({"evaluate", "run"}), 1,
               {"springs.safetensors: the data set has no test systems; use --part validation or --part train, or "
                "--data with test systems"});
  const std::string nothing_held_out = next({"--validation", "0"});
  EXPECT_NE(nothing_held_out.find("next: lgode evaluate run --part train\n"), std::string::npos) << nothing_held_out;
  lgode_ok({"evaluate", "run", "--part", "train"});
}

// Object 2 of each test system enters after the first range.
Swings late_objects() {
  Swings swings;
  swings.time = [](int system, int object, int k) {
    if (system >= 12) return object == 2 ? 6.5 + 0.1 * k : 0.3 * k;
    return 0.3 * k;
  };
  return swings;
}

TEST_F(Evaluate, CountsSystemsThatItCannotUse) {
  Swings swings;
  swings.test = 6;
  // One test system ends early, two begin late.
  swings.length = [](int system, int) { return system < 12 ? 20 : system == 12 ? 18 : 40; };
  swings.time = [](int system, int object, int k) { return 0.3 * k + 0.01 * (object + 1) + (system > 15 ? 6.5 : 0); };
  save(swings, path("springs.safetensors"));
  train("run", {"--task", "extrapolate"});
  const std::string page = lgode_ok({"evaluate", "run"}).out;
  EXPECT_NE(page.find("skipped: 2 systems of which the encoder saw nothing"), std::string::npos) << page;
  EXPECT_NE(page.find("skipped: 1 system with nothing to predict"), std::string::npos) << page;
  const nlohmann::json left = lgode_json({"evaluate", "run", "--json"})["evaluation"]["left_out_systems"];
  EXPECT_EQ(left["nothing_shown"], 2);
  EXPECT_EQ(left["without_targets"], 1);
}

TEST_F(Evaluate, SaysWhyThereIsNoValidationPart) {
  simulate();
  train("run", {"--validation", "0"});
  expect_error(lgode({"evaluate", "run", "--part", "validation"}), 1,
               {"no validation part", "--validation 0", "--part train"});
}

TEST_F(Evaluate, ObjectsThatEnterLateHaveARowOfTheirOwn) {
  save(late_objects(), path("swings.safetensors"));
  lgode_ok(Words{"train", "swings.safetensors", "--task", "extrapolate", "--out", "run"} + tiny());
  const json result = lgode_json({"evaluate", "run", "--json"});
  EXPECT_EQ(result["evaluation"]["model"]["objects"], 4 * 2);
  EXPECT_EQ(result["evaluation"]["model"]["never_seen"]["objects"], 4);
  EXPECT_EQ(result["evaluation"]["model"]["never_seen"]["values"], 4 * 40 * 2);
  EXPECT_GT(result["evaluation"]["model"]["never_seen"]["rmse"]["x"].get<double>(), 0.0);
  for (const char* name : {"hold", "constant_velocity", "damped_velocity"})
    EXPECT_GT(result["classical"][name]["rmse"]["x"].get<double>(), 0.0) << name;
  const std::string page = lgode_ok({"evaluate", "run"}).out;
  for (const char* word : {"damped velocity", "\n  never seen  ", "never seen: 4 objects with 320 target values"})
    EXPECT_NE(page.find(word), std::string::npos) << word << " in\n" << page;
  EXPECT_NE(lgode_ok({"evaluate", "run", "--summary"}).out.find("damped velocity"), std::string::npos);

  lgode_ok(Words{"train", "swings.safetensors", "--task", "extrapolate", "--unseen", "predict", "--out", "all"} +
           tiny());
  const json all = lgode_json({"evaluate", "all", "--json"});
  EXPECT_EQ(all["evaluation"]["model"]["objects"], 4 * 3);
  EXPECT_EQ(all["evaluation"]["model"]["never_seen"]["objects"], 0);
}

TEST_F(Evaluate, ATestPartUnlikeTheTrainingIsReported) {
  Swings swings;
  save(swings, path("same.safetensors"));
  swings.change = [](int system, int, int, std::vector<double>& values) {
    if (system >= 12)
      for (double& value : values) value *= 15;
  };
  save(swings, path("swings.safetensors"));
  lgode_ok(Words{"train", "swings.safetensors", "--model", "lg-ode", "--out", "run"} + tiny());
  const std::string warning = lgode_ok({"evaluate", "run"}).err;
  for (const char* word : {"warning: run: the test error", "times the validation error",
                           "% of the test values of 'x' are outside", "the speed of 'x' is typically"})
    EXPECT_NE(warning.find(word), std::string::npos) << word << " in\n" << warning;
  EXPECT_EQ(lgode_ok({"evaluate", "run", "--data", "same.safetensors"}).err.find("times the validation"),
            std::string::npos);
}

TEST_F(Evaluate, OtherTimesAndMissingValuesAreRefused) {
  Swings swings;
  save(swings, path("swings.safetensors"));
  lgode_ok(Words{"train", "swings.safetensors", "--out", "run"} + tiny());
  swings.time = [](int, int, int k) { return 0.01 * k; };
  save(swings, path("fast.safetensors"));
  const Words call{"evaluate", "run", "--data", "fast.safetensors"};
  expect_error(lgode(call), 2, {"typical time between two observations", "milliseconds?", "--allow-mismatch"});
  lgode_ok(call + Words{"--allow-mismatch"});
  expect_error(lgode({"predict", "run", "--data", "fast.safetensors", "--out", "p.csv"}), 2, {"--allow-mismatch"});
  lgode_ok({"predict", "run", "--data", "fast.safetensors", "--samples", "0", "--out", "p.csv", "--allow-mismatch"});

  swings = {};
  swings.change = [](int, int, int k, std::vector<double>& values) {
    if (k == 3) values[0] = std::nan("");
  };
  save(swings, path("gappy.safetensors"));
  expect_error(lgode({"evaluate", "run", "--data", "gappy.safetensors"}), 2, {"lack values", "--hide-values 0.2"});
  // Places to fill are not observations.
  swings.change = [](int, int, int k, std::vector<double>& values) {
    if (k == 3) values.assign(values.size(), std::nan(""));
  };
  save(swings, path("empty.safetensors"));
  lgode_ok({"evaluate", "run", "--data", "empty.safetensors"});
}

TEST_F(Evaluate, ValuesOfAnotherSizeAreNoted) {
  Swings swings;
  save(swings, path("swings.safetensors"));
  lgode_ok(Words{"train", "swings.safetensors", "--out", "run"} + tiny());
  swings.change = [](int, int, int, std::vector<double>& values) {
    for (double& value : values) value *= 1000;
  };
  save(swings, path("large.safetensors"));
  const Outcome outcome = lgode_ok({"evaluate", "run", "--data", "large.safetensors"});
  EXPECT_NE(outcome.err.find("note: the largest value of 'x'"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace lgode::process
