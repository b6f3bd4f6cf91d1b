// Descriptions of runs, including those written before an option existed.
#include "lgode/eval/run.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/options.h"
#include "support/temp_folder.h"

namespace lgode::eval {
namespace {

RunInfo some_run() {
  RunInfo info;
  info.model.kind = model::ModelKind::kEdgeGnn;
  OptionSet options;
  data::declare(options, info.task);
  model::declare(options, info.model);
  info.config = options.to_json();
  info.shape = {2, 1, false, 0.6, 5, 0.02};
  info.features = {{"x", "m", 0, -1}, {"v", "m/s", 1, 0}};
  info.normalisation.scale = {1.0, 2.0};
  info.relation_types = {"spring"};
  return info;
}

TEST(RunInfoTest, ComesBackAsItWasWritten) {
  const RunInfo info = some_run(), back = RunInfo::from_json(info.to_json(), "here");
  EXPECT_EQ(back.model.kind, model::ModelKind::kEdgeGnn);
  EXPECT_EQ(back.shape.objects, 5);
  EXPECT_EQ(back.shape.grid_step, 0.02);
  EXPECT_EQ(back.to_json(), info.to_json());
}

TEST(RunInfoTest, EveryFieldComesBack) {
  RunInfo info = some_run();
  info.shape = {2, 1, true, 0.6, 5, 0.02, true, {{0, 1, 0.5, true, 0.25}}, 3.0};
  info.shape.base = {Classical::kKalman, 2.0, {{-1, false, 1.0, 0.5, {1, 2, 3, 4}, 0.75}, {0, true, 2.0, 0.25}}};
  info.task.leave = 1.5;
  info.task.gate = data::OutlierGate{{1.0, 2.0}, 0.5, 3.0, {4.0, 5.0}};
  info.features[1].derived = true;
  info.normalisation.error_scale = {3.0, 4.0};
  info.time_scale = 2.0, info.conditioning_length = 1.5, info.time_unit = "s", info.typical_gap = 0.1;
  info.classical = {{0.5, 0.25}, {{1, 2, 3, 4}, {5, 6, 7, 8}}};
  info.data_name = "springs", info.data_fingerprint = "2-x", info.epoch = 3, info.step = 40;
  info.validation = 0.125, info.commit = "c", info.version = "v", info.machine = "m";
  const nlohmann::json json = info.to_json();
  // A key that is read into nothing, or nowhere written, would be missing in one of them.
  EXPECT_EQ(RunInfo::from_json(json, "here").to_json(), json);
  EXPECT_EQ(json.size(), 23U);
  for (const char* key :
       {"leave", "outlier_gate", "error_scale", "time_unit", "typical_gap", "damping", "kalman_noise"}) {
    nlohmann::json earlier = json;
    earlier.erase(key);
    EXPECT_NE(RunInfo::from_json(earlier, "here").to_json(), json) << key;
  }
}

TEST(RunInfoTest, ARunWithoutAModelsNameIsLgOde) {
  nlohmann::json json = some_run().to_json();
  for (const char* key : {"model", "variant", "ode", "sweep", "grid_step"})
    EXPECT_EQ(json["config"].erase(key), 1U) << key;
  for (const char* key : {"objects", "grid_step"}) EXPECT_EQ(json["shape"].erase(key), 1U) << key;
  const RunInfo info = RunInfo::from_json(json, "here");
  EXPECT_EQ(info.model.kind, model::ModelKind::kLgOde);
  EXPECT_EQ(info.model.variant, model::Variant::kFull);
  EXPECT_EQ(info.model.ode, model::OdeKind::kGraph);
  EXPECT_EQ(info.shape.features, 2);
}

TEST(RunInfoTest, WhatCannotBeIsRefused) {
  const auto refuse = [](const std::function<void(nlohmann::json&)>& spoil, const std::vector<std::string>& words) {
    nlohmann::json json = some_run().to_json();
    spoil(json);
    lgode::testing::expect_error<DataError>([&] { RunInfo::from_json(json, "here"); }, words);
  };
  using nlohmann::json;
  refuse([](json& j) { j["shape"]["relation_types"] = 2; }, {"here", "2 relation types", "1 names"});
  refuse([](json& j) { j["shape"]["features"] = 3; }, {"number of features"});
  refuse([](json& j) { j["scale"] = {1.0, 0.0}; }, {"the scale 0"});
  refuse([](json& j) { j["scale"] = {1.0, -1.0}; }, {"the scale -1"});
  refuse([](json& j) { j["scale"] = {1.0, 1e300}; }, {"the scale 1e+300"});
  refuse([](json& j) { j["scale"] = {1.0, 1e-300}; }, {"the scale 1e-300"});
  refuse([](json& j) { j["time_scale"] = 0.0; }, {"time scale 0"});
  refuse([](json& j) { j["time_scale"] = 1e-12; }, {"time_scale 1e-12", "model units"});
  refuse([](json& j) { j["conditioning_length"] = 1e19; }, {"conditioning_length is 1e+19", "model units"});
  refuse([](json& j) { j["conditioning_length"] = -6.0; }, {"conditioning length -6"});
  refuse([](json& j) { j["shape"]["window"] = -1.0; }, {"window -1"});
  refuse([](json& j) { j["shape"]["objects"] = -5; }, {"objects -5"});
  refuse([](json& j) { j["step"] = -1; }, {"steps -1"});
  refuse([](json& j) { j["features"][1]["velocity_of"] = 7; }, {"'v'", "feature 7 of 2"});
  refuse([](json& j) { j["config"]["hidden"] = 1000000000; }, {"hidden"});
}

// Numbers in JSON are neither truncated nor wrapped around.
TEST(RunInfoTest, WholeNumbersAreWholeAndFit) {
  const auto refuse = [](const std::function<void(nlohmann::json&)>& spoil, const std::string& number) {
    nlohmann::json json = some_run().to_json();
    spoil(json);
    lgode::testing::expect_error<DataError>([&] { RunInfo::from_json(json, "here"); },
                                            {"here: ", number + " is not a whole number", "damaged"});
  };
  using nlohmann::json;
  refuse([](json& j) { j["epoch"] = 1.5; }, "1.5");
  refuse([](json& j) { j["step"] = 1e300; }, "1e+300");
  refuse([](json& j) { j["step"] = "3"; }, "\"3\"");
  refuse([](json& j) { j["shape"]["features"] = 2.0; }, "2.0");
  refuse([](json& j) { j["shape"]["relation_types"] = true; }, "true");
  refuse([](json& j) { j["shape"]["objects"] = std::numeric_limits<std::uint64_t>::max(); }, "18446744073709551615");
  refuse([](json& j) { j["features"][1]["scale_group"] = 4294967297; }, "4294967297");
  refuse([](json& j) { j["features"][1]["velocity_of"] = 4294967295; }, "4294967295");
}

// The number of objects determines the size of its weights, the grid step the size of its grid.
TEST(RunInfoTest, RnnNriNeedsObjectsAndAStep) {
  const auto refuse = [](const char* key, const nlohmann::json& value, const std::string& word) {
    nlohmann::json json = some_run().to_json();
    json["config"]["model"] = "rnn-nri";
    EXPECT_NO_THROW(RunInfo::from_json(json, "here"));
    json["shape"][key] = value;
    lgode::testing::expect_error<DataError>([&] { RunInfo::from_json(json, "here"); }, {"here", word});
  };
  refuse("objects", 0, "0 objects per system");
  refuse("objects", 1000000000000, "1000000000000 objects per system");
  refuse("grid_step", 0.0, "the grid step 0");
}

// Weights of an older version, which have other names, are refused, and the message says what to do.
TEST(LoadWeightsTest, WeightsOfAnotherVersionAreRefused) {
  const lgode::testing::TempFolder folder;
  RunInfo info = some_run();
  info.version = "0.0.9", info.commit = "abc123";
  model::Parameters old, now;
  old.add("encoder.old.weight", {2}, 0, 1);
  now.add("encoder.new.weight", {2}, 0, 1);
  old.finish(at::kFloat, at::kCPU, 1), now.finish(at::kFloat, at::kCPU, 1);
  save_checkpoint(folder / "best.safetensors", info, old);
  const SafetensorsFile file(folder / "best.safetensors");
  lgode::testing::expect_error<DataError>(
      [&] { load_weights(file, now); }, {"best.safetensors", "encoder.new.weight", "0.0.9 (abc123)", "train it again"});
  load_weights(file, old);
}

}  // namespace
}  // namespace lgode::eval
