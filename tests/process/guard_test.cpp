// Errors that would otherwise spoil a run or a file silently: other data on resuming, divergence, batches without
// targets, the input file as output.
#include <cmath>
#include <cstring>
#include <sstream>

#include "fixture.h"
#include "lgode/core/safetensors.h"

namespace lgode::process {
namespace {

class Guard : public CommandTest {};

TEST_F(Guard, ResumingOnOtherDataIsRefused) {
  simulate();
  train("run", {"--epochs", "2"});
  const std::string before = bytes("run/checkpoint.safetensors");
  lgode_ok({"simulate", "springs", "--train", "24", "--test", "6", "--seed", "2", "--out", "other.safetensors"});
  expect_error(lgode({"train", "other.safetensors", "--resume", "--out", "run"}), 1, {"another data set"});
  EXPECT_EQ(bytes("run/checkpoint.safetensors"), before);
}

// The same numbers, but velocities share the scale of positions: the normalisation would differ.
TEST_F(Guard, ResumingWithOtherScaleGroupsIsRefused) {
  simulate();
  train("run", {"--epochs", "1"});
  const data::Dataset set = data::load_dataset(path("springs.safetensors"));
  data::Description description = set.description();
  for (data::Feature& feature : description.features) feature.scale_group = 0;
  const data::Dataset other(description, set.arrays(), nullptr, "other");
  data::save_dataset(other, path("other.safetensors"), Overwrite::kRefuse);
  expect_error(lgode({"train", "other.safetensors", "--resume", "--out", "run"}), 1, {"another data set"});
}

// Checkpoints of earlier versions have fingerprints in another format, which covers less of the data.
TEST_F(Guard, ARunOfAnEarlierVersionGoesOn) {
  simulate();
  train("run", {"--epochs", "1"});
  nlohmann::json config = nlohmann::json::parse(bytes("run/config.json"));
  config["epochs"] = 2;
  write("run/config.json", config.dump());
  const std::string now = data::load_dataset(path("springs.safetensors")).fingerprint();
  const auto set_fingerprint = [&](const std::string& text) {
    const SafetensorsFile file(path("run/checkpoint.safetensors"));
    SafetensorsContent content{.tensors = {file.tensors().begin(), file.tensors().end()}, .metadata = file.metadata()};
    nlohmann::json run = nlohmann::json::parse(content.metadata.at("lgode.run"));
    run["data_fingerprint"] = text;
    content.metadata["lgode.run"] = run.dump();
    write_safetensors(path("run/checkpoint.safetensors"), Overwrite::kAllow, content);
  };
  set_fingerprint("0123456789abcdef");
  expect_error(lgode({"train", "--resume", "--out", "run"}), 1, {"another data set", "0123456789abcdef", now});
  set_fingerprint("80401049eb90f677");
  lgode_ok({"train", "--resume", "--out", "run"});
  const SafetensorsFile after(path("run/checkpoint.safetensors"));
  EXPECT_EQ(nlohmann::json::parse(after.metadata().at("lgode.run"))["data_fingerprint"], now);
}

TEST_F(Guard, ABatchWithoutAnyValueIsLeftOut) {
  Swings swings;
  swings.change = [](int system, int, int, std::vector<double>& values) {
    if (system == 3) values = {std::nan(""), std::nan("")};
  };
  save(swings, path("odd.safetensors"));
  lgode_ok(Words{"train", "odd.safetensors", "--out", "run"} + tiny() + Words{"--batch", "1", "--epochs", "2"});
}

TEST_F(Guard, DataWithoutAnyValueIsRefused) {
  Swings swings;
  swings.change = [](int, int, int, std::vector<double>& values) { values = {std::nan(""), std::nan("")}; };
  save(swings, path("odd.safetensors"));
  expect_error(lgode(Words{"train", "odd.safetensors", "--out", "run"} + tiny()), 1, {"no training system"});
}

// Checks every number in metrics.jsonl; NaN and infinity are null in JSON. Errors of weights are null if they are not
// finite. Returns the number of lines.
int expect_numbers(const std::string& metrics) {
  int lines = 0;
  std::istringstream in(metrics);
  for (std::string line; std::getline(in, line); ++lines) {
    const nlohmann::json epoch = nlohmann::json::parse(line);
    for (const auto& [key, value] : epoch.items())
      EXPECT_TRUE(value.is_number() || key == "best" || key == "validation_mse" || key == "train_mse")
          << key << " in " << line;
  }
  return lines;
}

void expect_finite_weights(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  int weights = 0;
  for (const auto& [name, view] : file.tensors()) {
    ASSERT_EQ(view.dtype, DType::kF32) << name;
    for (std::size_t at = 0; at < view.bytes.size(); at += sizeof(float), ++weights) {
      float weight = 0;
      std::memcpy(&weight, view.bytes.data() + at, sizeof weight);
      ASSERT_TRUE(std::isfinite(weight)) << name;
    }
  }
  EXPECT_GT(weights, 0);
}

// Three steps per epoch: the first one makes all weights huge, the second one has no finite loss.
TEST_F(Guard, DivergenceEndsWithAnErrorAndNoBestWeights) {
  simulate();
  const Outcome outcome = lgode(Words{"train", "springs.safetensors", "--model", "lg-ode", "--out", "run"} + tiny() +
                                Words{"--lr", "1e30", "--epochs", "3", "--clip", "0"});
  expect_error(outcome, 3, {"diverged", "epoch 1", "--lr"});
  EXPECT_FALSE(exists("run/best.safetensors"));
  if (exists("run/metrics.jsonl")) {
    EXPECT_EQ(expect_numbers(bytes("run/metrics.jsonl")), 0);
  }
}

// One step per epoch: its loss is finite, but it makes the weights useless. The validation error of the first epoch is
// not finite, so that there is no best epoch; the second epoch has no finite loss.
TEST_F(Guard, WeightsThatDivergedAreNotTheBest) {
  simulate();
  const Outcome outcome = lgode(Words{"train", "springs.safetensors", "--model", "lg-ode", "--out", "run"} + tiny() +
                                Words{"--lr", "1e30", "--epochs", "3", "--clip", "0", "--batch", "32"});
  expect_error(outcome, 3, {"diverged", "epoch 2", "--lr"});
  EXPECT_FALSE(exists("run/best.safetensors"));
  const std::string metrics = bytes("run/metrics.jsonl");
  EXPECT_EQ(expect_numbers(metrics), 1);
  EXPECT_EQ(nlohmann::json::parse(metrics)["best"], false);
  EXPECT_TRUE(nlohmann::json::parse(metrics)["validation_mse"].is_null());
}

// A good epoch, then one that diverges: the weights of the good one are kept.
TEST_F(Guard, GoodWeightsSurviveADivergence) {
  simulate();
  train("run");
  const std::string best = bytes("run/best.safetensors");
  expect_finite_weights(path("run/best.safetensors"));
  nlohmann::json config = nlohmann::json::parse(bytes("run/config.json"));
  config["lr"] = 1e30;
  config["clip"] = 0;
  config["epochs"] = 4;
  write("run/config.json", config.dump());
  expect_error(lgode({"train", "--resume", "--out", "run"}), 3, {"diverged", "epoch 2", "checkpoint is kept"});
  EXPECT_TRUE(bytes("run/best.safetensors") == best);
  EXPECT_EQ(expect_numbers(bytes("run/metrics.jsonl")), 2);  // before the first step, and epoch 1
  lgode_ok({"evaluate", "run"});
}

TEST_F(Guard, NoEpochsLeaveUsableWeights) {
  simulate();
  train("run", {"--epochs", "0"});
  lgode_ok({"evaluate", "run"});
}

}  // namespace
}  // namespace lgode::process
