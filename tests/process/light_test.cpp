// Commands that do not need LibTorch do not load it; the others are passed on to lgode-engine.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <sstream>

#include "fixture.h"

namespace lgode::process {
namespace {

// Runs the real programs, not a fork of the tests.
class Light : public CommandTest {
 protected:
  // The shared libraries that the dynamic linker loaded for a command and for the program that it became, if any.
  std::set<std::string> libraries(const Words& arguments, int expected_code = 0) const {
    std::string script = "LD_DEBUG=files LD_DEBUG_OUTPUT=linker exec \"$@\"";
    const Words words = Words{"/bin/sh", "-c", script, "sh", LGODE_COMMAND} + arguments;
    const Outcome outcome = Child(words, {folder()}).wait();
    EXPECT_EQ(outcome.code, expected_code) << ::testing::PrintToString(arguments) << outcome.out << outcome.err;
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      if (entry.path().filename().string().rfind("linker.", 0) != 0) continue;
      std::istringstream lines(bytes(entry.path().filename().string()));
      const std::string key = "file=";
      for (std::string line; std::getline(lines, line);)
        if (const std::size_t at = line.find(key);
            at != std::string::npos && line.find("needed by") != std::string::npos)
          found.insert(line.substr(at + key.size(), line.find(' ', at) - at - key.size()));
      std::filesystem::remove(entry.path());
    }
    return found;
  }

  void expect_light(const Words& arguments, int code = 0) const {
    const std::set<std::string> found = libraries(arguments, code);
    EXPECT_GT(found.size(), 2U);
    EXPECT_LT(found.size(), 12U) << ::testing::PrintToString(found);
    for (const std::string& name : found) EXPECT_EQ(name.find("torch"), std::string::npos) << name;
  }
};

TEST_F(Light, HelpAndVersion) {
  expect_light({"--version"});
  expect_light({"--help"});
  for (const char* name : {"simulate", "import", "export", "split", "merge", "info", "train", "evaluate", "predict",
                           "reproduce", "benchmark"})
    expect_light({name, "--help"});
}

TEST_F(Light, DataSets) {
  const Words small = {"--train", "6", "--test", "2"};
  expect_light(Words{"simulate", "springs", "--out", "a.safetensors"} + small);
  expect_light({"info", "a.safetensors"});
  expect_light({"export", "csv", "a.safetensors", "--out", "tables"});
  expect_light({"import", "csv", "--observations", "tables/observations.csv", "--edges", "tables/edges.csv", "--out",
                "b.safetensors"});
  expect_light({"split", "a.safetensors", "--test", "0.5", "--out", "c.safetensors"});
  expect_light({"merge", "a.safetensors", "c.safetensors", "--out", "d.safetensors"});
}

TEST_F(Light, RunsAndWhatWasReproduced) {
  simulate();
  train("run");
  expect_light({"info", "run"});
  expect_light({"reproduce", "--datasets", "springs", "--out", "results", "--dry-run"});
  std::filesystem::create_directories(path("results/records"));
  expect_light({"reproduce", "--out", "results", "--tables-only"}, 1);  // there are none
  expect_light({"benchmark", "sdd", "--data", "absent", "--method", "all"}, 1);
}

TEST_F(Light, ArgumentsThatNeedNoDevice) {
  simulate();
  train("run");
  expect_light({"train", "springs.safetensors", "--lr", "fast", "--out", "new"}, 2);
  expect_light({"train", "springs.safetensors", "--print-config"});
  expect_light({"train", "absent.safetensors", "--out", "new"}, 1);
  expect_light({"train", "springs.safetensors", "--out", "run"}, 1);  // holds a run
  expect_light({"train", "--resume", "--out", "absent"}, 1);
  expect_light({"evaluate", "absent"}, 1);
  expect_light({"evaluate", "run", "--json", "--summary"}, 2);
  expect_light({"evaluate", "run", "--data", "absent.safetensors"}, 1);
  expect_light({"predict", "run", "--data", "springs.safetensors", "--out", "p.txt"}, 2);
  expect_light({"predict", "run", "--data", "springs.safetensors", "--systems", "999", "--out", "p.csv"}, 2);
  expect_light({"predict", "run", "--data", "springs.safetensors", "--times", "x", "--out", "p.csv"}, 2);
  expect_light({"predict", "run", "--data", "springs.safetensors", "--fill", "--table", "absent.csv", "--out", "f.csv"},
               1);
}

TEST_F(Light, WhatCanBeReadOnceIsReadByTheEngine) {
  simulate();
  write("config.json", R"({"epochs": 0, "hidden": 8})");
  write("times.txt", "6.5\n7\n");
  const auto piped = [&](const std::string& file, const std::string& command) {
    return Child({"/bin/sh", "-c", "cat " + file + " | " + LGODE_COMMAND + " " + command}, {folder()}).wait();
  };
  const Outcome trained = piped("config.json", "train springs.safetensors --config /dev/stdin --out run");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(nlohmann::json::parse(bytes("run/config.json"))["hidden"], 8);
  const Outcome predicted = piped(
      "times.txt", "predict run --data springs.safetensors --start 6 --times-file /dev/stdin --systems 24 --out p.csv");
  EXPECT_EQ(predicted.code, 0) << predicted.err;
}

TEST_F(Light, TheEngineTakesOver) {
  simulate();
  EXPECT_EQ(run_programs(Words{"train", "springs.safetensors", "--out", "run"} + tiny()).code, 0);
  EXPECT_EQ(run_programs({"evaluate", "run", "--json"}).code, 0);
  EXPECT_EQ(run_programs({"predict", "run", "--data", "springs.safetensors", "--out", "p.csv"}).code, 0);
  EXPECT_GT(libraries({"evaluate", "run"}).size(), 12U);
  // The same bytes as from the fork that other tests use.
  train("forked");
  EXPECT_TRUE(bytes("run/best.safetensors") == bytes("forked/best.safetensors"));
}

TEST_F(Light, TheEngineIsFoundWhereItIsInstalled) {
  simulate();
  train("run");
  const auto place = [&](const char* bin, const char* engine) {
    std::filesystem::create_directories(path(bin).parent_path());
    std::filesystem::copy_file(LGODE_COMMAND, path(bin));
    if (engine == nullptr) return;
    std::filesystem::create_directories(path(engine).parent_path());
    std::filesystem::create_symlink(LGODE_ENGINE, path(engine));
  };
  place("installed/bin/lgode", "installed/libexec/lgode/lgode-engine");
  EXPECT_EQ(Child({path("installed/bin/lgode").string(), "evaluate", "run"}, {folder()}).wait().code, 0);
  place("alone/bin/lgode", nullptr);
  const Words alone = {path("alone/bin/lgode").string()};
  EXPECT_EQ(Child(alone + Words{"info", "run"}, {folder()}).wait().code, 0);
  expect_error(Child(alone + Words{"evaluate", "run"}, {folder()}).wait(), 1,
               {"alone/bin/lgode-engine", "libexec/lgode/lgode-engine", "install both"});
}

TEST_F(Light, AnEngineOfAnotherBuildIsRefused) {
  const Outcome outcome =
      Child({"/usr/bin/env", "LGODE_STARTED_BY=0.0.1 (older)", LGODE_ENGINE, "--version"}, {folder()}).wait();
  expect_error(outcome, 2, {"0.0.1 (older)", "lgode-engine"});
}

TEST_F(Light, SimdInstructionsAreChosenByTheEnvironment) {
  simulate();
  train("run");
  const auto with = [&](const std::string& simd) {
    return Child({"/usr/bin/env", "LGODE_SIMD=" + simd, LGODE_COMMAND, "evaluate", "run"}, {folder()}).wait();
  };
  EXPECT_EQ(with("sse4").code, 0);
  expect_error(with("mmx"), 2, {"LGODE_SIMD", "mmx", "avx512, avx2, sse4 or scalar"});
}

}  // namespace
}  // namespace lgode::process
