// lgode import cmu and lgode import lgode: they write a data set, or nothing if an input file is bad.
#include <fmt/format.h>

#include "fixture.h"
#include "support/fixtures.h"

namespace lgode::process {
namespace {

using lgode::testing::fixture;
using lgode::testing::fixture_text;
using lgode::testing::replaced;

class ImportMotion : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("arm.asf", fixture_text("motion/arm.asf"));
    for (const char* name : {"arm_01.amc", "arm_02.amc", "arm_03.amc"}) write(name, swing());
  }

  // 120 frames of a swinging arm.
  static std::string swing() {
    std::string text = ":FULLY-SPECIFIED\n:DEGREES\n";
    for (int f = 1; f <= 120; ++f) {
      const int angle = f % 40;
      text += fmt::format("{}\nroot 0 1 {} 0 0 0\nupper 0 0 {}\nlower {}\n", f, angle, angle, angle);
    }
    return text;
  }

  static Words call(const Words& more) {
    return Words{"import", "cmu", "--asf", "arm.asf", "--out", "motion.safetensors"} + more;
  }
};

TEST_F(ImportMotion, MakesADataSetToTrainOn) {
  const Outcome outcome = lgode_ok(call({"--train", "arm_01.amc,arm_02.amc", "--test", "arm_03.amc"}));
  EXPECT_NE(outcome.out.find("4 training and 1 test systems"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("4 joints each"), std::string::npos) << outcome.out;
  const nlohmann::json info = lgode_json({"info", "--json", "motion.safetensors"});
  EXPECT_EQ(info["name"], "motion");
  EXPECT_EQ(info["features"][3]["name"], "vx");
  EXPECT_EQ(info["features"][3]["velocity_of"], "x");
  lgode_ok(Words{"train", "motion.safetensors", "--task", "extrapolate", "--out", "run"} + tiny());
  const Outcome evaluation = lgode_ok({"evaluate", "run"});
  EXPECT_NE(evaluation.out.find("constant velocity"), std::string::npos);
}

TEST_F(ImportMotion, FoldersPatternsAndLists) {
  std::filesystem::create_directory(path("trials"));
  std::filesystem::rename(path("arm_03.amc"), path("trials/arm_03.amc"));
  lgode_ok(call({"--train", "arm_0*.amc", "--test", "trials"}));
  const nlohmann::json one = lgode_json({"info", "--json", "motion.safetensors"});
  EXPECT_EQ(one["systems"]["train"], 4);
  EXPECT_EQ(one["systems"]["test"], 1);
  lgode_ok(call({"--train", "arm_01.amc", "arm_02.amc", "--window", "0", "--sampling", "none", "--force"}));
  const nlohmann::json two = lgode_json({"info", "--json", "motion.safetensors"});
  EXPECT_EQ(two["systems"]["train"], 2);
  EXPECT_EQ(two["observations_per_object"]["min"], 120);
}

TEST_F(ImportMotion, SameSeedSameBytes) {
  lgode_ok(call({"--train", "arm_01.amc"}));
  const std::string first = bytes("motion.safetensors");
  lgode_ok(call({"--train", "arm_01.amc", "--force"}));
  EXPECT_EQ(bytes("motion.safetensors"), first);
  lgode_ok(call({"--train", "arm_01.amc", "--seed", "2", "--force"}));
  EXPECT_NE(bytes("motion.safetensors"), first);
}

TEST_F(ImportMotion, NotesWhatIsLeftOutAndOdd) {
  write("arm_04.amc", "1\nroot 0 0 0 0 0 0\nupper 0 0 0\nlower 171\n");
  const Outcome outcome = lgode_ok(call({"--train", "arm_01.amc,arm_04.amc"}));
  EXPECT_NE(outcome.err.find("arm_04 has 1 frame, too few for a window"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: no trial is left to test on"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("1 of 1,210 joint values are beyond"), std::string::npos) << outcome.err;
}

TEST_F(ImportMotion, BadFilesLeaveNothingBehind) {
  const std::string text = swing();
  write("cut.amc", text.substr(0, text.size() - 5));
  write("bone.amc", replaced(text, "\nlower 39\n40\n", "\n40\n"));
  write("word.amc", replaced(text, "\nlower 39\n40\n", "\nlower many\n40\n"));
  write("order.amc", replaced(text, "\n40\nroot", "\n41\nroot"));
  write("utf16.amc", "\xFF\xFE" + text);
  expect_error(lgode(call({"--train", "arm_01.amc,cut.amc"})), 1, {"cut.amc, line 482", "'lower'"});
  expect_error(lgode(call({"--train", "bone.amc"})), 1, {"bone.amc, line 155", "frame 39 lacks bone 'lower'"});
  expect_error(lgode(call({"--train", "word.amc"})), 1,
               {"word.amc, line 158", "'many' is not a number", "rx of bone 'lower'"});
  expect_error(lgode(call({"--train", "order.amc"})), 1,
               {"order.amc, line 159", "frame 41 comes after 39", "expected 40"});
  expect_error(lgode(call({"--train", "utf16.amc"})), 1, {"utf16.amc", "UTF-16"});
  expect_error(lgode(call({"--train", "absent.amc"})), 1, {"absent.amc"});
  expect_error(lgode(call({"--train", "no*.amc"})), 1, {"no*.amc", "no .amc file"});
  write("arm.asf", replaced(fixture_text("motion/arm.asf"), "    lower tip\n", ""));
  expect_error(lgode(call({"--train", "arm_01.amc"})), 1, {"arm.asf, line 36", "'tip' has no parent"});
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    EXPECT_TRUE(entry.path().extension() == ".amc" || entry.path().extension() == ".asf") << entry.path();
}

TEST_F(ImportMotion, RefusesFlagsWithoutSense) {
  expect_error(lgode(call({})), 2, {"no trials", "--train"});
  expect_error(lgode(call({"--train", "arm_01.amc", "--test", "./arm_01.amc"})), 1, {"'arm_01' comes twice"});
  expect_error(lgode(call({"--train", "arm_01.amc", "--window", "1"})), 2, {"--window 1"});
  expect_error(lgode(call({"--train", "arm_01.amc", "--window", "500"})), 1,
               {"longest has 120 frames", "a window 500"});
  expect_error(lgode(call({"--train", "arm_01.amc", "--sampling", "some"})), 2, {"--sampling"});
  expect_error(lgode(call({"--train", "arm_01.amc", "--windw", "50"})), 2,
               {"--windw", "did you mean --window?", "import cmu --help"});
  EXPECT_FALSE(exists("motion.safetensors"));
  lgode_ok(call({"--train", "arm_01.amc"}));
  expect_error(lgode(call({"--train", "arm_01.amc"})), 1, {"motion.safetensors", "--force"});
}

using ImportLgode = CommandTest;

TEST_F(ImportLgode, TheAuthorsFiles) {
  const Outcome outcome = lgode_ok(
      {"import", "lgode", "--folder", fixture("npy").string(), "--suffix", "_springs3", "--out", "s.safetensors"});
  EXPECT_NE(outcome.out.find("3 training and 2 test systems"), std::string::npos) << outcome.out;
  EXPECT_EQ(lgode_json({"info", "--json", "s.safetensors"})["name"], "springs3");
}

TEST_F(ImportLgode, BadFilesLeaveNothingBehind) {
  const auto call = [](const std::string& suffix, const std::string& folder) {
    return Words{"import", "lgode", "--folder", folder, "--suffix", suffix, "--out", "s.safetensors"};
  };
  expect_error(lgode(call("_planets", fixture("npy").string())), 1, {"loc_train_planets.npy", "--suffix"});
  std::filesystem::create_directory(path("files"));
  for (const char* name : {"loc", "vel", "times", "edges"}) {
    const std::string file = std::string(name) + "_train_springs3.npy";
    const std::string content = fixture_text("npy/" + file);
    write("files/" + file, name == std::string("vel") ? content.substr(0, content.size() / 2) : content);
  }
  expect_error(lgode(call("_springs3", "files")), 1, {"vel_train_springs3.npy, byte", "cut off"});
  EXPECT_FALSE(exists("s.safetensors"));
}

}  // namespace
}  // namespace lgode::process
