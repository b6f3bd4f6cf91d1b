// The command line itself: help, version, mistakes.
#include "fixture.h"

namespace lgode::process {
namespace {

using Usage = CommandTest;

const char* const kSubcommands[] = {"simulate", "import",   "export",  "split",     "merge",    "info",
                                    "train",    "evaluate", "predict", "reproduce", "benchmark"};

TEST_F(Usage, HelpExplainsEverySubcommand) {
  const Outcome all = lgode_ok({"--help"});
  for (const char* name : kSubcommands) {
    EXPECT_NE(all.out.find(name), std::string::npos);
    const Outcome one = lgode_ok({name, "--help"});
    EXPECT_NE(one.out.find("Examples:"), std::string::npos) << one.out;
    EXPECT_NE(one.out.find(std::string("lgode ") + name), std::string::npos) << one.out;
  }
}

TEST_F(Usage, TrainHelpTellsChoicesAndDefaults) {
  const Outcome help = lgode_ok({"train", "--help"});
  for (const char* text : {"--task", "interpolate|extrapolate", "--observed", "--kl-warmup", "(default 1000)",
                           "--encoder-width", "--solver", "--config", "--resume", "--force", "--print-config"})
    EXPECT_NE(help.out.find(text), std::string::npos) << text;
}

TEST_F(Usage, Version) {
  const Outcome outcome = lgode_ok({"--version"});
  EXPECT_EQ(outcome.out.rfind("lgode ", 0), 0U) << outcome.out;
}

TEST_F(Usage, ARefusedValueLeadsToTheHelp) {
  expect_error(lgode({"evaluate", "run", "--part", "foo"}), 2, {"--part foo", "lgode evaluate --help explains"});
  expect_error(lgode({"simulate", "springs", "--train", "x", "--out", "a.safetensors"}), 2,
               {"--train x", "lgode simulate --help explains"});
  expect_error(lgode({"import", "csv", "--observations", "a.csv", "--out", "a.safetensors", "--max-errors", "x"}), 2,
               {"--max-errors x", "lgode import csv --help explains"});
}

TEST_F(Usage, ASubcommandIsNeeded) { expect_error(lgode({}), 2, {"--help"}); }

TEST_F(Usage, UnknownFlagsPointToTheHelp) {
  for (const char* name : kSubcommands)
    expect_error(lgode({name, "--no-such-flag"}), 2, {"--no-such-flag", std::string(name) + " --help"});
  expect_error(lgode({"fly"}), 2, {"fly", "--help"});
}

TEST_F(Usage, SlipsAreCorrected) {
  expect_error(lgode({"train", "x.safetensors", "--epoch", "5"}), 2, {"--epoch; did you mean --epochs?"});
  expect_error(lgode({"train", "x.safetensors", "--kl-warmpu=5"}), 2, {"did you mean --kl-warmup?"});
  expect_error(lgode({"predict", "run", "--system", "0"}), 2, {"did you mean --systems?"});
  expect_error(lgode({"trian", "x.safetensors"}), 2, {"unknown argument trian; did you mean train?"});
  for (const Words& words : {Words{"fly"}, Words{"train", "--no-such-flag"}, Words{"info", "a", "b"}})
    EXPECT_EQ(lgode(words).err.find("did you mean"), std::string::npos);
}

TEST_F(Usage, WrongValuesNameTheFlag) {
  expect_error(lgode({"simulate", "planets", "--out", "x.safetensors"}), 2, {"springs"});
  expect_error(lgode({"simulate", "springs", "--train", "many", "--out", "x.safetensors"}), 2, {"--train"});
  expect_error(lgode({"simulate", "springs"}), 2, {"--out"});
  expect_error(lgode({"train", "x.safetensors", "--lr", "fast", "--out", "run"}), 2,
               {"--lr fast: expected a number > 0"});
  expect_error(lgode({"train", "x.safetensors", "--task", "guess", "--out", "run"}), 2,
               {"--task guess: expected interpolate|extrapolate"});
  expect_error(lgode({"train", "x.safetensors", "--observed", "60", "--out", "run"}), 2,
               {"--observed 60: expected a number in (0, 1]"});
  expect_error(lgode({"evaluate", "run", "--part", "best"}), 2, {"--part"});
  expect_error(lgode({"simulate", "springs", "--train", "2", "--train", "3", "--out", "x.safetensors"}), 2,
               {"--train"});
  expect_error(lgode({"evaluate", "run", "--json", "--summary"}), 2, {"--json"});
}

// A part is the training, validation or test part, a split is its making, a shard is some of the systems.
TEST_F(Usage, WordsHaveOneMeaning) {
  for (const char* command : {"train", "evaluate", "predict", "calibrate", "follow", "launch", "plot", "report"}) {
    const std::string help = lgode_ok({command, "--help"}).out;
    for (const char* words : {"--split", "part I of N", "part-I", "a part of every", "split "})
      EXPECT_EQ(help.find(words), std::string::npos) << words << " in\n" << help;
  }
  EXPECT_NE(lgode_ok({"evaluate", "--help"}).out.find("--part test|validation|train"), std::string::npos);
  expect_error(lgode({"evaluate", "run", "--split", "best"}), 2, {"--part best"});  // the earlier name is still read
}

TEST_F(Usage, AbsentFilesAreNamed) {
  expect_error(lgode({"info", "absent.safetensors"}), 1, {"absent.safetensors"});
  expect_error(lgode({"train", "absent.safetensors", "--out", "run"}), 1, {"absent.safetensors"});
  expect_error(lgode({"evaluate", "absent"}), 1, {"absent"});
  expect_error(lgode({"train", "--config", "absent.json", "--out", "run"}), 1, {"absent.json"});
  expect_error(lgode({"train", "--resume", "--out", "absent"}), 1, {"absent"});
  simulate();
  expect_error(lgode({"predict", "absent", "--data", "springs.safetensors", "--out", "p.csv"}), 1, {"absent"});
  EXPECT_FALSE(exists("run"));
  EXPECT_FALSE(exists("p.csv"));
}

TEST_F(Usage, TrainingNeedsDataAndAFolder) {
  expect_error(lgode({"train", "--out", "run"}), 2, {"data"});
  simulate();
  expect_error(lgode({"train", "springs.safetensors"}), 2, {"--out"});
}

}  // namespace
}  // namespace lgode::process
