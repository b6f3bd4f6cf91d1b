// lgode train: run folders, configs, and the sources of values.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "fixture.h"
#include "lgode/core/safetensors.h"

namespace lgode::process {
namespace {

using Train = CommandTest;
using nlohmann::json;

TEST_F(Train, MakesARunFolder) {
  simulate();
  for (const char* task : {"interpolate", "extrapolate"}) {
    const std::string run = std::string("runs/") + task;
    const Outcome outcome = lgode_ok(Words{"train", "springs.safetensors", "--task", task, "--out", run} + tiny());
    EXPECT_NE(outcome.out.find("lgode evaluate " + run), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("best validation error"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.err.find("epoch 1/1"), std::string::npos) << outcome.err;
    for (const char* name : {"config.json", "metrics.jsonl", "checkpoint.safetensors", "best.safetensors"})
      EXPECT_TRUE(exists(run + "/" + name)) << name;
    const json config = json::parse(bytes(run + "/config.json"));
    EXPECT_EQ(config["task"], task);
    EXPECT_EQ(config["epochs"], 1);
    EXPECT_EQ(config["latent"], 4);
    const json info = lgode_json({"info", "--json", run});
    for (const char* key : {"kind", "file", "task", "observed", "protocol", "parameters", "epoch", "step_count",
                            "validation", "features", "config", "version", "commit", "machine"})
      EXPECT_TRUE(info.contains(key)) << key;
    EXPECT_EQ(info["task"], task);
    EXPECT_GT(info["parameters"], 100);
    EXPECT_EQ(info["features"].size(), 4U);
    lgode_ok({"info", run});
    lgode_ok({"info", run + "/checkpoint.safetensors"});
  }
}

// With the clean protocol a model does not depend on the test part: neither on its values, nor on missing ones, nor on
// how many there are. (By default training hides as large a share of the values as the test part lacks.)
TEST_F(Train, TheTestPartChangesNoWeight) {
  Swings swings;
  save(swings, path("a.safetensors"));
  swings.change = [&](int system, int object, int k, std::vector<double>& values) {
    if (system < swings.train) return;
    values[0] = 100 * values[0] + object;
    if (k % 3 == 0) values[1] = std::nan("");
  };
  swings.length = [&](int system, int) { return system < swings.train ? 20 : 61; };
  save(swings, path("b.safetensors"));
  for (const std::string name : {"a", "b"})
    lgode_ok(Words{"train", name + ".safetensors", "--out", name, "--protocol", "clean", "--hide-values", "0"} +
             tiny());
  const SafetensorsFile a(path("a/best.safetensors")), b(path("b/best.safetensors"));
  ASSERT_EQ(a.tensors().size(), b.tensors().size());
  for (const auto& [name, tensor] : a.tensors()) {
    ASSERT_EQ(tensor.shape, b.at(name).shape) << name;
    EXPECT_TRUE(std::equal(tensor.bytes.begin(), tensor.bytes.end(), b.at(name).bytes.begin())) << name;
  }
}

TEST_F(Train, SaysWhatItWillTake) {
  simulate();
  const std::string log = lgode_ok(Words{"train", "springs.safetensors", "--out", "run"} + tiny()).err;
  for (const char* words : {"size: 40 objects, ", " relations in a typical batch; ", " parameters\n", "cost: about ",
                            " per step, ", " per epoch, ", " in total; at most about ", "MB of memory\n"})
    EXPECT_NE(log.find(words), std::string::npos) << words << " in\n" << log;
  EXPECT_EQ(log.find("warning"), std::string::npos) << log;
}

TEST_F(Train, SaysWhichSystemsAreLeftOut) {
  Swings swings;
  swings.change = [](int system, int, int, std::vector<double>& values) {
    if (system == 3) values = {std::nan(""), std::nan("")};
  };
  save(swings, path("odd.safetensors"));
  const std::string log = lgode_ok(Words{"train", "odd.safetensors", "--out", "run"} + tiny()).err;
  EXPECT_NE(log.find("10 systems to train on, 1 to validate"), std::string::npos) << log;
  EXPECT_NE(log.find("note: 1 system is skipped: no observation to show to the model"), std::string::npos) << log;
}

TEST_F(Train, SaysThatValuesAreMissingInTheTestPartOnly) {
  Swings swings;
  swings.change = [](int system, int, int k, std::vector<double>& values) {
    if (system == 13 && k == 5) values[1] = std::nan("");
  };
  save(swings, path("odd.safetensors"));
  const std::string log = lgode_ok(Words{"train", "odd.safetensors", "--out", "run"} + tiny()).err;
  EXPECT_NE(log.find("--hide-values 0.2"), std::string::npos) << log;
  expect_error(lgode({"evaluate", "run"}), 2, {"--hide-values 0.2"});
  const Outcome hidden =
      lgode_ok(Words{"train", "odd.safetensors", "--hide-values", "0.2", "--out", "second"} + tiny());
  EXPECT_EQ(hidden.err.find("lacks values"), std::string::npos) << hidden.err;
  lgode_ok({"evaluate", "second"});
}

TEST_F(Train, SaysHowManyWindowsAreBetweenTheParts) {
  std::string table = "id,t,x\n";
  for (int k = 0; k < 400; ++k) {
    table += "a," + std::to_string(k) + "," + std::to_string(k % 7) + "\n";
    table += "b," + std::to_string(k) + "," + std::to_string(k % 5) + "\n";
  }
  write("long.csv", table);
  lgode_ok({"import", "csv", "--observations", "long.csv", "--object", "id", "--time", "t", "--features", "x",
            "--window", "20", "--stride", "5", "--out", "long.safetensors"});
  const Outcome outcome = lgode_ok(Words{"train", "long.safetensors", "--out", "run"} + tiny());
  EXPECT_NE(outcome.err.find("systems are skipped: windows of the same recording"), std::string::npos) << outcome.err;
}

TEST_F(Train, SaysThatNothingValidates) {
  Swings swings;
  swings.train = 1;
  save(swings, path("one.safetensors"));
  const Outcome outcome = lgode_ok(Words{"train", "one.safetensors", "--out", "run"} + tiny());
  EXPECT_NE(outcome.err.find("no system is held out"), std::string::npos) << outcome.err;
}

// Two of twelve systems have targets: one trains, the other validates.
TEST_F(Train, ValidatesOnSystemsThatHaveTargets) {
  Swings swings;
  swings.length = [](int system, int) { return system >= 10 ? 20 : 5; };
  save(swings, path("short.safetensors"));
  const Outcome outcome =
      lgode_ok(Words{"train", "short.safetensors", "--task", "extrapolate", "--out", "run"} + tiny());
  EXPECT_NE(outcome.err.find("1 system to train on, 1 to validate"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("10 systems are skipped: no observation to predict"), std::string::npos) << outcome.err;
  const nlohmann::json evaluated = lgode_json({"evaluate", "run", "--part", "validation", "--json"});
  EXPECT_EQ(evaluated["evaluation"]["model"]["systems"], 1);
}

TEST_F(Train, StartsFromAnotherRun) {
  simulate();
  train("first", {"--task", "extrapolate", "--latent", "6"});
  const Outcome outcome = lgode_ok({"train", "springs.safetensors", "--from", "first", "--epochs", "1", "--threads",
                                    "2", "--lr", "1e-4", "--out", "second"});
  EXPECT_NE(outcome.err.find("weights, scales and clock of first"), std::string::npos) << outcome.err;
  const json config = json::parse(bytes("second/config.json"));
  EXPECT_EQ(config["from"], "first");
  EXPECT_EQ(config["latent"], 6);  // of the first run
  EXPECT_EQ(config["task"], "extrapolate");
  expect_error(lgode({"train", "springs.safetensors", "--from", "first", "--latent", "4", "--out", "third"}), 2,
               {"--from", "--latent is 6 there, 4 here"});
  expect_error(lgode({"train", "springs.safetensors", "--from", "absent", "--out", "third"}), 1, {"absent"});
  EXPECT_FALSE(exists("third"));
}

TEST_F(Train, TimesUnlikeThoseOfTheEarlierRunAreRefused) {
  Swings swings;
  save(swings, path("springs.safetensors"));
  train("first");
  swings.time = [](int, int object, int k) { return 0.001 * (0.3 * k + 0.01 * (object + 1)); };
  save(swings, path("fast.safetensors"));
  const Outcome refused = lgode(Words{"train", "fast.safetensors", "--from", "first", "--out", "second"});
  expect_error(refused, 2, {"--from first", "Convert the times", "train a new model"});
  EXPECT_EQ(refused.err.find("mismatch"), std::string::npos) << refused.err;
}

TEST_F(Train, ATableIsToBeImportedFirst) {
  write("my table.csv", "id,t,x\na,0,1\na,1,2\n");
  write("notes.txt", "a");
  expect_error(lgode({"train", "my table.csv", "--out", "run"}), 1,
               {"lgode import csv --observations 'my table.csv' --out 'my table.safetensors'",
                "lgode train 'my table.safetensors'"});
  write("UPPER.CSV", "id,t,x\na,0,1\n");
  write("tabs.tsv", "id\tt\tx\na\t0\t1\n");
  for (const char* table : {"UPPER.CSV", "tabs.tsv", "notes.txt"}) {
    const Words advice = {std::string("lgode import csv --observations ") + table};
    expect_error(lgode({"train", table}), 1, advice);
    expect_error(lgode({"info", table}), 1, advice);
    expect_error(lgode({"evaluate", table}), 1, advice);
    expect_error(lgode({"evaluate", "run", "--data", table}), 1, advice);
    expect_error(lgode({"predict", "run", "--data", table, "--out", "p.csv"}), 1, advice);
  }
  expect_error(lgode({"train", "notes.txt", "--out", "run"}), 1, {"notes.txt", "lgode import csv"});
  expect_error(lgode({"train", "absent.csv", "--out", "run"}), 1, {"absent.csv", "No such file"});
  EXPECT_FALSE(exists("run"));
}

TEST_F(Train, QuietIsQuiet) {
  simulate();
  const Outcome outcome = lgode_ok(Words{"train", "springs.safetensors", "--quiet", "--out", "run"} + tiny());
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Train, ALongRunWritesAShortLog) {
  save({}, path("springs.safetensors"));
  const Words call = Words{"train", "springs.safetensors", "--out", "run"} + tiny() + Words{"--epochs", "120"};
  const std::string log = lgode_ok(call).err;
  // Every third epoch, and the first.
  for (const char* line : {"epoch 1/120 ", "epoch 3/120 ", "epoch 117/120 ", "epoch 120/120 "})
    EXPECT_NE(log.find(line), std::string::npos) << line << "in\n" << log;
  for (const char* line : {"epoch 2/120 ", "epoch 4/120 ", "epoch 119/120 "})
    EXPECT_EQ(log.find(line), std::string::npos) << line << "in\n" << log;
  const std::string metrics = bytes("run/metrics.jsonl");
  EXPECT_EQ(std::count(metrics.begin(), metrics.end(), '\n'), 121);  // one before the first step
}

// The two errors of a line are of the same weights and in one scale; the help has the defaults of the default model.
TEST_F(Train, LinesAndHelpSayWhatTheyMean) {
  simulate();
  const std::string log = lgode_ok(Words{"train", "springs.safetensors", "--out", "run"} + tiny()).err;
  EXPECT_NE(log.find("  training "), std::string::npos) << log;
  EXPECT_EQ(log.find("  error "), std::string::npos) << log;
  EXPECT_NE(log.find("  log-likelihood "), std::string::npos) << log;
  // A loss of one term is not said again.
  const std::string scenes =
      lgode_ok(Words{"train", "springs.safetensors", "--model", "frames", "--place", "off", "--out", "scenes"} + tiny())
          .err;
  EXPECT_NE(scenes.find("  loss "), std::string::npos) << scenes;
  EXPECT_EQ(scenes.find("log-likelihood"), std::string::npos) << scenes;
  const std::string help = lgode_ok({"train", "--help"}).out;
  std::string line;  // blanks and line ends as one blank
  for (const char c : help)
    if (!std::isspace(static_cast<unsigned char>(c)) || line.empty() || line.back() != ' ')
      line += std::isspace(static_cast<unsigned char>(c)) ? ' ' : c;
  for (const char* text :
       {"(default random; middle with models of the paper)", "(default 0.2; 0.25 with models",
        "(default 0.5; 0.75 with models", "(default 0.001; 1.0 with models", "(default 0.003; 0.01 with models"})
    EXPECT_NE(line.find(text), std::string::npos) << text << " in\n" << help;
}

// Stretches instead of single observations are hidden, of a length that is given or as in a table.
TEST_F(Train, HidesGapsLikeTheUsers) {
  Swings swings;
  save(swings, path("data.safetensors"));
  const Words train = Words{"train", "data.safetensors", "--task", "interpolate"} + tiny();
  lgode_ok(train + Words{"--gaps", "1.5", "--out", "run"});
  EXPECT_EQ(json::parse(bytes("run/config.json"))["gaps"], json::array({"1.5"}));
  EXPECT_NE(lgode_json({"evaluate", "run", "--json"})["test_mse"], nullptr);
  expect_error(lgode(train + Words{"--gaps", "soon", "--out", "other"}), 2, {"--gaps soon", "length"});
  expect_error(lgode(train + Words{"--task", "extrapolate", "--gaps", "2s", "--out", "other"}), 2, {"--gaps"});
}

TEST_F(Train, MeasuresTheGapsOfATable) {
  std::string table = "system,object,time,x\n", gaps = table;
  for (int s = 0; s < 12; ++s)
    for (int k = 0; k < 40; ++k) {
      const std::string row =
          std::to_string(s) + ",a," + std::to_string(k) + "," + std::to_string(std::sin(0.2 * k + s)) + "\n";
      table += row;
      if (k % 20 < 8 || k % 20 >= 13) gaps += row;
    }
  write("table.csv", table), write("gaps.csv", gaps);
  lgode_ok({"import", "csv", "--observations", "table.csv", "--out", "data.safetensors"});
  const Words train = Words{"train", "data.safetensors", "--task", "interpolate"} + tiny();
  lgode_ok(train + Words{"--gaps-from", "gaps.csv", "--out", "run"});
  const json lengths = json::parse(bytes("run/config.json"))["gaps"];
  ASSERT_FALSE(lengths.empty());
  for (const json& length : lengths) EXPECT_EQ(length, "6");  // five rows are absent between two neighbours
  expect_error(lgode(train + Words{"--gaps-from", "table.csv", "--out", "other"}), 1,
               {"table.csv", "no gaps", "--gaps"});
}

TEST_F(Train, OverwritesOnlyWhenForced) {
  simulate();
  train("run");
  const std::string before = bytes("run/best.safetensors");
  const Words again = Words{"train", "springs.safetensors", "--seed", "2", "--out", "run"} + tiny();
  expect_error(lgode(again), 1, {"run", "--force"});
  EXPECT_EQ(bytes("run/best.safetensors"), before);
  lgode_ok(again + Words{"--force"});
  EXPECT_NE(bytes("run/best.safetensors"), before);
}

TEST_F(Train, ChecksThePlaceFirst) {
  simulate();
  write("file", "text");
  expect_error(lgode(Words{"train", "springs.safetensors", "--out", "file/run"} + tiny()), 1, {"file"});
  expect_error(lgode(Words{"train", "springs.safetensors", "--out", "file"} + tiny()), 1, {"file"});
  EXPECT_EQ(bytes("file"), "text");
}

TEST_F(Train, FlagWinsOverFileOverRecipeOverDefault) {
  write("run.json", R"({
    // lr and samples are also set by the recipe
    "lr": 0.002, "samples": 2, "epochs": 5, "data": "some.safetensors", "_note": "kept out"
  })");
  const json config =
      lgode_json({"train", "--config", "run.json", "--recipe", "paper", "--samples", "4", "--print-config", "--json"});
  const auto expect = [&](const char* key, const json& value, const char* source) {
    EXPECT_EQ(config[key]["value"], value) << key;
    EXPECT_EQ(config[key]["source"], source) << key;
  };
  expect("samples", 4, "flag");
  expect("lr", 0.002, "file");
  expect("epochs", 5, "file");
  expect("data", "some.safetensors", "file");
  expect("optimizer", "adam", "recipe");
  expect("gradient", "adjoint", "recipe");
  expect("clip", 10.0, "default");
  expect("recipe", "paper", "flag");
  const Outcome table = lgode_ok({"train", "--config", "run.json", "--print-config"});
  EXPECT_NE(table.out.find("some.safetensors"), std::string::npos) << table.out;
}

TEST_F(Train, ConfigFaultsAreNamed) {
  write("unknown.json", R"({"epoch": 3})");
  expect_error(lgode({"train", "--config", "unknown.json", "--print-config"}), 2, {"unknown.json", "epoch", "epochs"});
  write("type.json", R"({"epochs": "three"})");
  expect_error(lgode({"train", "--config", "type.json", "--print-config"}), 2,
               {"type.json: epochs: expected auto or an integer >= 0, found \"three\""});
  write("syntax.json", "{\n\"epochs\": 3,\n}");
  expect_error(lgode({"train", "--config", "syntax.json", "--print-config"}), 1, {"syntax.json", "line 3"});
  write("list.json", "[1, 2]");
  expect_error(lgode({"train", "--config", "list.json", "--print-config"}), 2, {"list.json"});
}

TEST_F(Train, ASavedConfigRepeatsTheRun) {
  simulate();
  train("runs/x", {"--task", "extrapolate", "--observed", "0.8", "--seed", "7"});
  lgode_ok({"train", "--config", "runs/x/config.json", "--out", "runs/y"});
  EXPECT_EQ(bytes("runs/x/best.safetensors"), bytes("runs/y/best.safetensors"));
  EXPECT_EQ(bytes("runs/x/config.json"), bytes("runs/y/config.json"));
  lgode_ok({"train", "--config", "runs/x/config.json", "--seed", "8", "--out", "runs/z"});
  EXPECT_NE(bytes("runs/x/best.safetensors"), bytes("runs/z/best.safetensors"));
}

TEST_F(Train, APrintedConfigIsAConfigFile) {
  for (const Words& flags : {Words{}, Words{"--recipe", "paper"}, Words{"--model", "latent-ode", "--turn", "random"}}) {
    const Outcome printed = lgode_ok(Words{"train", "--print-config", "--json"} + flags);
    write("printed.json", printed.out);
    const json before = json::parse(printed.out);
    const json after = lgode_json({"train", "--config", "printed.json", "--print-config", "--json"});
    for (const auto& [key, entry] : before.items()) EXPECT_EQ(after[key]["value"], entry["value"]) << key;
  }
}

TEST_F(Train, TheDefaultModelAssimilatesAndIsTurned) {
  simulate();
  const Words call = Words{"train", "springs.safetensors"} + tiny();
  const Outcome trained = lgode_ok(call + Words{"--out", "run"});
  EXPECT_NE(trained.err.find("turn: random"), std::string::npos) << trained.err;
  const json config = json::parse(bytes("run/config.json"));
  EXPECT_EQ(config["model"], "assimilate");
  EXPECT_EQ(config["turn"], "random");
  EXPECT_EQ(config["centre"], "system");
  lgode_ok(call + Words{"--from", "run", "--out", "second"});
  EXPECT_EQ(json::parse(bytes("second/config.json"))["model"], "assimilate");
  const Outcome plain = lgode_ok(call + Words{"--centre", "none", "--out", "plain"});
  EXPECT_EQ(plain.err.find("turn:"), std::string::npos) << plain.err;
  EXPECT_EQ(json::parse(bytes("plain/config.json"))["turn"], "none");
  lgode_ok(call + Words{"--variant", "mean", "--out", "mean"});
  EXPECT_EQ(json::parse(bytes("mean/config.json"))["model"], "lg-ode");
  expect_error(lgode(call + Words{"--solver", "dopri5", "--out", "adaptive"}), 2,
               {"default --model", "fixed steps", "--model lg-ode --solver dopri5"});
}

TEST_F(Train, PaperRecipeAndAdaptiveSolverRun) {
  simulate();
  train("paper", {"--recipe", "paper", "--refine", "1"});
  train("adaptive", {"--model", "lg-ode", "--solver", "dopri5", "--rtol", "1e-2", "--atol", "1e-3"});
}

TEST_F(Train, ASolverWithoutProgressHasItsOwnExitCode) {
  simulate();
  const Outcome outcome = lgode(Words{"train", "springs.safetensors", "--model", "lg-ode", "--solver", "dopri5",
                                      "--rtol", "1e-12", "--atol", "1e-12", "--max-solver-steps", "1", "--out", "run"} +
                                tiny());
  expect_error(outcome, 3, {});
}

}  // namespace
}  // namespace lgode::process
