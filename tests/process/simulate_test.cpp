// lgode simulate, and lgode info on data sets.
#include <unistd.h>

#include <cmath>
#include <csignal>

#include "fixture.h"

namespace lgode::process {
namespace {

using Simulate = CommandTest;

TEST_F(Simulate, WritesADataSet) {
  simulate();
  const nlohmann::json info = lgode_json({"info", "--json", "springs.safetensors"});
  EXPECT_EQ(info["kind"], "dataset");
  EXPECT_EQ(info["name"], "springs");
  EXPECT_EQ(info["systems"]["train"], 24);
  EXPECT_EQ(info["systems"]["test"], 6);
  EXPECT_EQ(info["objects"], 150);
  EXPECT_EQ(info["objects_per_system"]["min"], 5);
  EXPECT_EQ(info["objects_per_system"]["max"], 5);
  EXPECT_GE(info["observations_per_object"]["min"], 40);
  EXPECT_LE(info["observations_per_object"]["max"], 92);
  EXPECT_EQ(info["features"].size(), 4U);
  EXPECT_EQ(info["missing"], 0.0);
  EXPECT_TRUE(info["relations"]["symmetric"].get<bool>());
  EXPECT_FALSE(info["relations"]["weighted"].get<bool>());
  EXPECT_NEAR(info["relations"]["density"].get<double>(), 0.5, 0.15);
  const Outcome text = lgode_ok({"info", "springs.safetensors"});
  for (const char* word : {"springs", "24 training, 6 test", "symmetric", "time scale"})
    EXPECT_NE(text.out.find(word), std::string::npos) << text.out;
}

TEST_F(Simulate, SameSeedSameBytes) {
  const Words call = {"simulate", "charged", "--train", "6", "--test", "2", "--relations", "typed"};
  lgode_ok(call + Words{"--threads", "1", "--out", "a.safetensors"});
  lgode_ok(call + Words{"--threads", "3", "--out", "b.safetensors"});
  lgode_ok(call + Words{"--seed", "2", "--out", "c.safetensors"});
  EXPECT_EQ(bytes("a.safetensors"), bytes("b.safetensors"));
  EXPECT_NE(bytes("a.safetensors"), bytes("c.safetensors"));
  EXPECT_EQ(lgode_json({"info", "--json", "a.safetensors"})["relations"]["types"].size(), 2U);
}

TEST_F(Simulate, OverwritesOnlyWhenForced) {
  simulate();
  const std::string before = bytes("springs.safetensors");
  const Words again = {"simulate", "springs", "--train", "2", "--test", "1", "--out", "springs.safetensors"};
  expect_error(lgode(again), 1, {"springs.safetensors", "--force"});
  EXPECT_EQ(bytes("springs.safetensors"), before);
  lgode_ok(again + Words{"--force"});
  EXPECT_NE(bytes("springs.safetensors"), before);
}

TEST_F(Simulate, ChecksThePlaceFirst) {
  write("file", "text");
  // Twenty thousand systems: this would take long if the output path were checked last.
  const Outcome outcome = lgode({"simulate", "springs", "--out", "file/x.safetensors"});
  expect_error(outcome, 1, {"file"});
  EXPECT_LT(outcome.seconds, 5.0);
  EXPECT_EQ(bytes("file"), "text");
}

TEST_F(Simulate, SaysWhenAFolderIsReadOnly) {
  const std::filesystem::path closed = path("closed");
  std::filesystem::create_directory(closed);
  namespace fs = std::filesystem;
  const fs::perms open =
      fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec;
  fs::permissions(folder().parent_path(), open, fs::perm_options::add);
  fs::permissions(closed, open | fs::perms::owner_read | fs::perms::owner_exec);
  const bool root = ::geteuid() == 0;
  const Outcome outcome = lgode({"simulate", "springs", "--out", "closed/x.safetensors"}, root);
  fs::permissions(closed, fs::perms::owner_all);
  if (root && outcome.code == 125) GTEST_SKIP() << "the command cannot be run without the rights of root here";
  expect_error(outcome, 1, {"closed"});
  EXPECT_TRUE(fs::is_empty(closed));
}

TEST_F(Simulate, RefusesSizesWithoutSense) {
  expect_error(lgode({"simulate", "springs", "--objects", "0", "--out", "x.safetensors"}), 2, {"objects"});
  expect_error(lgode({"simulate", "springs", "--train", "-1", "--out", "x.safetensors"}), 2, {"train"});
  expect_error(lgode({"simulate", "springs", "--noise", "-0.5", "--out", "x.safetensors"}), 2, {"noise"});
  expect_error(lgode({"simulate", "springs", "--relations", "typed", "--out", "x.safetensors"}), 2, {"--relations"});
  EXPECT_FALSE(exists("x.safetensors"));
}

// About a minute's work on one thread, most of it still to do when the signal comes: the handler is installed before
// the work begins.
TEST_F(Simulate, InterruptedItLeavesNothing) {
  Child child = start({"simulate", "springs", "--objects", "200", "--train", "1000", "--test", "0", "--threads", "1",
                       "--out", "large.safetensors"});
  while (child.running() && !child.catches(SIGINT)) ::usleep(1000);
  ASSERT_TRUE(child.running());
  child.send(SIGINT);
  const Outcome outcome = child.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("stopping; nothing will be written"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(std::filesystem::is_empty(folder()));
}

TEST_F(Simulate, InfoTellsOfGapsAndDirection) {
  Swings swings;
  swings.train = 3;
  swings.test = 1;
  swings.length = [](int system, int object) { return system == 0 && object == 0 ? 0 : 10; };
  swings.change = [](int, int, int k, std::vector<double>& values) {
    if (k % 2 == 0) values[1] = std::nan("");
  };
  save(swings, path("swings.safetensors"));
  const nlohmann::json info = lgode_json({"info", "--json", "swings.safetensors"});
  EXPECT_EQ(info["observations_per_object"], (nlohmann::json{{"min", 0}, {"median", 10}, {"max", 10}}));
  EXPECT_EQ(info["missing"], 0.25);
  EXPECT_EQ(info["features"][0]["missing"], 0.0);
  EXPECT_EQ(info["features"][1]["missing"], 0.5);
  EXPECT_EQ(info["features"][1]["velocity_of"], "x");
  EXPECT_EQ(info["features"][1]["unit"], "m/s");
  EXPECT_FALSE(info["relations"]["symmetric"].get<bool>());
  EXPECT_EQ(info["relations"]["count"], 8);
  EXPECT_NEAR(info["relations"]["density"].get<double>(), 8.0 / 24.0, 1e-12);
  lgode_ok({"info", "swings.safetensors"});
}

TEST_F(Simulate, InfoTellsWhatTrainingUses) {
  const auto info = [&](const Swings& swings, const std::string& name) {
    save(swings, path(name));
    return lgode_ok({"info", name}).out;
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  Swings swings;
  swings.origin = 1e6;
  const std::string good = info(swings, "good.safetensors");
  EXPECT_TRUE(has(good, "in first range   720 of 720 training observations\n")) << good;
  EXPECT_FALSE(has(good, "warning")) << good;

  swings.length = [](int, int) { return 60; };
  const std::string longer = info(swings, "longer.safetensors");
  EXPECT_TRUE(has(longer, "in first range   720 of 2,160 training observations\n")) << longer;
  EXPECT_TRUE(has(longer, "warning") && has(longer, "less than half")) << longer;
  EXPECT_FALSE(has(longer, "set origins")) << longer;

  swings.set_origins = false;
  const std::string late = info(swings, "late.safetensors");
  EXPECT_TRUE(has(late, "in first range   0 of 2,160 training observations\n")) << late;
  EXPECT_TRUE(has(late, "12 training systems first observed beyond the first range; set origins\n")) << late;
  EXPECT_EQ(lgode_json({"info", "--json", "late.safetensors"})["first_range"]["systems_beyond"], 12);
}

TEST_F(Simulate, InfoRefusesForeignFiles) {
  simulate();
  write("text.safetensors", "not a tensor in sight");
  write("empty.safetensors", "");
  const std::string whole = bytes("springs.safetensors");
  write("half.safetensors", whole.substr(0, whole.size() / 2));
  std::string broken = whole;
  broken[8] = '#';
  write("broken.safetensors", broken);
  for (const char* name : {"text.safetensors", "empty.safetensors", "half.safetensors", "broken.safetensors"}) {
    expect_error(lgode({"info", name}), 1, {name});
    expect_error(lgode(Words{"train", name, "--out", "run"} + tiny()), 1, {name});
  }
  EXPECT_FALSE(exists("run"));
}

}  // namespace
}  // namespace lgode::process
