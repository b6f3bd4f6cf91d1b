// Data sets, runs and configs that an earlier version wrote still work. tests/fixtures/earlier was written by lgode at
// commit 6fdadabb07fe; evaluation.json is what that version said of each run.
#include <cmath>

#include "fixture.h"

namespace lgode::process {
namespace {

class EarlierFiles : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::filesystem::copy(std::filesystem::path(LGODE_TESTS_FOLDER) / "fixtures" / "earlier", folder(),
                          std::filesystem::copy_options::recursive);
  }
};

TEST_F(EarlierFiles, ADataSetIsRead) {
  const nlohmann::json info = lgode_json({"info", "--json", "set.safetensors"});
  EXPECT_EQ(info["observations"], 1349) << info;
}

TEST_F(EarlierFiles, RunsAreEvaluatedAlike) {
  for (const std::string run : {"lg-ode", "rnn-nri"}) {
    const double now = lgode_json({"evaluate", run, "--data", "set.safetensors", "--json"})["test_mse"];
    const double then = nlohmann::json::parse(bytes(run + "/evaluation.json"))["test_mse"];
    EXPECT_NEAR(now, then, 1e-4 * then) << run;  // float32 on another processor
  }
}

TEST_F(EarlierFiles, RunsPredict) {
  lgode_ok({"predict", "lg-ode", "--data", "set.safetensors", "--systems", "7", "--samples", "3", "--out", "p.csv"});
  lgode_ok({"predict", "stopped", "--data", "set.safetensors", "--fill", "--all-times", "--out", "f.csv"});
}

TEST_F(EarlierFiles, AStoppedRunGoesOn) {
  const std::int64_t taken = lgode_json({"info", "--json", "stopped/checkpoint.safetensors"})["step_count"];
  const Outcome outcome =
      lgode({"train", "--resume", "--threads", "1", "--out", "stopped", "--stop-after", std::to_string(taken + 3)});
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(lgode_json({"info", "--json", "stopped/checkpoint.safetensors"})["step_count"], taken + 3);
}

// The earlier version saved `precision` bf16 on every machine and trained in float32 on CPUs.
TEST_F(EarlierFiles, ASavedPrecisionThatThisMachineLacksIsNoError) {
  const auto with_avx2 = [&](const Words& words) {
    return Child(Words{"/usr/bin/env", "LGODE_SIMD=avx2", LGODE_COMMAND} + words, {folder()}).wait();
  };
  const std::string config = "lg-ode/config.json";
  const Outcome saved = with_avx2({"train", "--config", config, "--device", "cpu", "--out", "again"});
  EXPECT_EQ(saved.code, 0) << saved.err;
  expect_error(with_avx2({"train", "--config", config, "--device", "cpu", "--precision", "bf16", "--out", "other"}), 2,
               {"--precision bf16", "AVX512_BF16", "--precision auto"});
}

TEST_F(EarlierFiles, ASavedConfigRepeatsTheRun) {
  lgode_ok({"train", "--config", "lg-ode/config.json", "--out", "again"});
}

// Earlier versions had `bridge` for all models; of the value `none` nothing is lost.
TEST_F(EarlierFiles, ABridgeThatIsNotThereAnyMoreIsRefused) {
  nlohmann::json config = nlohmann::json::parse(bytes("stopped/config.json"));
  const std::int64_t taken = lgode_json({"info", "--json", "stopped/checkpoint.safetensors"})["step_count"];
  const auto resume = [&](const char* bridge) {
    config["bridge"] = bridge;
    write("stopped/config.json", config.dump(2) + "\n");
    return lgode(
        {"train", "--resume", "--threads", "1", "--out", "stopped", "--stop-after", std::to_string(taken + 1)});
  };
  const Outcome refused = resume("linear");
  expect_error(refused, 2, {"stopped/config.json", "bridge", "linear", "--model assimilate", "version of lgode"});
  EXPECT_EQ(resume("none").code, 130);
}

}  // namespace
}  // namespace lgode::process
