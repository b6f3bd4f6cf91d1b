// Every model and variant with all commands: train, resume, evaluate, evaluate --record, predict.
#include "fixture.h"

namespace lgode::process {
namespace {

using nlohmann::json;

struct Row {
  const char* name;
  Words flags;
  const char* model;
  const char* variant = "full";
  const char* task = "interpolate";
};
std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

class Rows : public CommandTest, public testing::WithParamInterface<Row> {};

TEST_P(Rows, TrainsGoesOnEvaluatesAndPredicts) {
  const Row& row = GetParam();
  simulate();
  const Words common = Words{"train", "springs.safetensors", "--task", row.task} + tiny() + row.flags +
                       Words{"--schedule", "constant", "--warmup", "0", "--threads", "2"};
  lgode_ok(common + Words{"--epochs", "2", "--out", "whole"});
  // A run of one epoch whose config is then changed to two epochs.
  lgode_ok(common + Words{"--epochs", "1", "--out", "run"});
  json config = json::parse(bytes("run/config.json"));
  EXPECT_EQ(config["model"], row.model);
  EXPECT_EQ(config["variant"], row.variant);
  config["epochs"] = 2;
  write("run/config.json", config.dump(2) + "\n");
  lgode_ok({"train", "--resume", "--threads", "2", "--out", "run"});
  for (const char* name : {"/checkpoint.safetensors", "/config.json"})
    EXPECT_TRUE(bytes(std::string("run") + name) == bytes(std::string("whole") + name)) << name;

  lgode_ok({"evaluate", "run", "--record", "record.json"});
  const json record = json::parse(bytes("record.json"));
  EXPECT_EQ(record["model"], row.model);
  EXPECT_EQ(record["variant"], row.variant);
  EXPECT_GT(record["test_mse"].get<double>(), 0.0);
  EXPECT_LT(record["test_mse"].get<double>(), 10.0);
  const json info = lgode_json({"info", "--json", "run"});
  EXPECT_EQ(info["model"], row.model);
  EXPECT_NE(lgode_ok({"evaluate", "run", "--summary"}).out.find(row.model), std::string::npos);
  lgode_ok({"predict", "run", "--data", "springs.safetensors", "--part", "test", "--samples", "5", "--out", "p.csv"});
  lgode_ok({"predict", "run", "--data", "springs.safetensors", "--systems", "0", "--samples", "0", "--out", "m.csv"});
  EXPECT_EQ(bytes("p.csv").find("nan"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    All, Rows,
    testing::Values(
        Row{"first", {"--variant", "first"}, "lg-ode", "first"},
        Row{"mean", {"--variant", "mean"}, "lg-ode", "mean", "extrapolate"},
        Row{"no_att", {"--variant", "no-att"}, "lg-ode", "no-att"},
        Row{"no_pe", {"--variant", "no-pe"}, "lg-ode", "no-pe", "extrapolate"},
        Row{"fixed_pe", {"--variant", "fixed-pe"}, "lg-ode", "fixed-pe"},
        Row{"weight_decay", {"--model", "weight-decay"}, "weight-decay"},
        Row{"edge_gnn", {"--model", "edge-gnn"}, "edge-gnn", "full", "extrapolate"},
        Row{"latent_ode", {"--model", "latent-ode"}, "latent-ode"},
        Row{"latent_ode_to_start",
            {"--model", "latent-ode", "--ode", "independent", "--sweep", "to-start"},
            "latent-ode",
            "full",
            "extrapolate"},
        Row{"rnn_nri", {"--model", "rnn-nri"}, "rnn-nri"},
        Row{"rnn_nri_ahead", {"--model", "rnn-nri"}, "rnn-nri", "full", "extrapolate"},
        Row{"assimilate", {}, "assimilate"}, Row{"frames", {"--model", "frames"}, "frames", "full", "extrapolate"},
        Row{"frames_moving", {"--model", "frames", "--neighbours", "moving"}, "frames", "full", "extrapolate"},
        Row{"frames_alone", {"--model", "frames", "--neighbours", "none"}, "frames", "full", "extrapolate"},
        Row{"assimilate_ahead", {"--gain", "learned"}, "assimilate", "full", "extrapolate"}),
    [](const auto& c) { return c.param.name; });

using RowFaults = CommandTest;

TEST_F(RowFaults, AreNamed) {
  simulate();
  expect_error(lgode({"train", "springs.safetensors", "--model", "edge-gnn", "--variant", "mean", "--out", "run"}), 2,
               {"--variant mean", "--model edge-gnn"});
  expect_error(lgode({"train", "springs.safetensors", "--model", "nri", "--out", "run"}), 2,
               {"--model", "weight-decay"});
}

TEST_F(RowFaults, RnnNriNeedsSystemsOfOneSize) {
  simulate();
  lgode_ok({"simulate", "springs", "--objects", "3", "--train", "2", "--test", "4", "--out", "three.safetensors"});
  train("run", {"--model", "rnn-nri"});
  expect_error(lgode({"evaluate", "run", "--data", "three.safetensors"}), 2, {"rnn-nri", "5 objects", "has 3"});
  expect_error(lgode({"predict", "run", "--data", "three.safetensors", "--out", "p.csv"}), 2, {"rnn-nri", "5 objects"});
  lgode_ok({"merge", "springs.safetensors", "three.safetensors", "--out", "both.safetensors"});
  expect_error(lgode({"train", "both.safetensors", "--model", "rnn-nri", "--out", "other"}), 1,
               {"rnn-nri", "5 objects", "has 3"});
}

}  // namespace
}  // namespace lgode::process
