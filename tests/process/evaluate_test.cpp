// lgode evaluate: the page, the JSON and the table.
#include "fixture.h"

namespace lgode::process {
namespace {

using Evaluate = CommandTest;
using nlohmann::json;

const char* const kKeys[] = {"run",    "task",     "observed",        "protocol",  "seed",
                             "epochs", "test_mse", "test_mse_unseen", "classical", "evaluation",
                             "data",   "commit",   "version",         "machine",   "config"};
const char* const kClassical[] = {"linear", "cubic_hermite", "hold", "constant_velocity"};

TEST_F(Evaluate, TellsErrorsOfModelAndBaselines) {
  simulate();
  for (const char* task : {"interpolate", "extrapolate"}) {
    train(task, {"--task", task});
    const json result = lgode_json({"evaluate", task, "--json"});
    for (const char* key : kKeys) EXPECT_TRUE(result.contains(key)) << key;
    EXPECT_EQ(result["run"], task);
    EXPECT_EQ(result["task"], task);
    EXPECT_EQ(result["observed"], 0.6);
    EXPECT_EQ(result["epochs"], 1);
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

TEST_F(Evaluate, PutsSeveralRunsSideBySide) {
  simulate();
  train("runs/a", {"--task", "interpolate", "--observed", "0.4"});
  train("runs/b", {"--task", "extrapolate", "--observed", "0.5"});
  const json list = lgode_json({"evaluate", "runs/a", "runs/b", "--json"});
  ASSERT_TRUE(list.is_array());
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[1]["observed"], 0.5);
  const Outcome table = lgode_ok({"evaluate", "runs/a", "runs/b", "--table"});
  for (const char* word :
       {"interpolate 40 %", "extrapolate 50 %", "model", "linear", "hold", "0.3350", "better of hold"})
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
  EXPECT_EQ(record["epochs"], record["curve"].size());
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
  EXPECT_TRUE(lgode_json({"evaluate", "run", "--split", "validation", "--json"})["validation_mse"].is_number());
  EXPECT_TRUE(lgode_json({"evaluate", "run", "--split", "train", "--json"})["train_mse"].is_number());
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
  EXPECT_NE(held_out.find("next: lgode evaluate run --split validation\n"), std::string::npos) << held_out;
  lgode_ok({"evaluate", "run", "--split", "validation"});
  expect_error(lgode({"evaluate", "run"}), 1,
               {"springs.safetensors: the data set has no test systems; use --split validation or --split train, or "
                "--data with test systems"});
  const std::string nothing_held_out = next({"--validation", "0"});
  EXPECT_NE(nothing_held_out.find("next: lgode evaluate run --split train\n"), std::string::npos) << nothing_held_out;
  lgode_ok({"evaluate", "run", "--split", "train"});
}

}  // namespace
}  // namespace lgode::process
