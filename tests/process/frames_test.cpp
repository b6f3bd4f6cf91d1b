// Windows of numbered frames from the import to a prediction: which frames and whom each command takes.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "fixture.h"

namespace lgode::process {
namespace {

class Frames : public CommandTest {
 protected:
  // Three people cross; a fourth leaves early, a fifth is there for a moment. Ten frame numbers are 0.4 s.
  static std::string walks(const Words& scenes, int frames) {
    std::string text = "scene,person,frame,x,y\n";
    for (std::size_t s = 0; s < scenes.size(); ++s)
      for (int i = 0; i < 5; ++i)
        for (int k = i == 4 ? 15 : 0; k < (i == 3 ? 12 : i == 4 ? 16 : frames); ++k)
          text += fmt::format("{},p{},{},{:.4f},{:.4f}\n", scenes[s], i, 10 * k,
                              0.5 * k + 0.01 * k * k * i + static_cast<double>(s), (i % 2 == 0 ? 0.1 : -0.1) * k + i);
    return text;
  }
  Words import(const Words& more = {}) const {
    return Words{"import",         "csv",   "--observations", "walks.csv",
                 "--system",       "scene", "--object",       "person",
                 "--time",         "frame", "--time-unit",    "frame",
                 "--rate",         "25",    "--velocities",   "difference",
                 "--test-systems", "d",     "--out",          "walks.safetensors",
                 "--frames",       "8+12"} +
           more;
  }
};

TEST_F(Frames, FromTheImportToThePrediction) {
  write("walks.csv", walks({"a", "b", "c", "d"}, 30));
  lgode_ok(import({"--all-present", "--min-objects", "2"}));
  const nlohmann::json info = lgode_json({"info", "walks.safetensors", "--json"});
  EXPECT_EQ(info["frames"]["seen"], 8);
  EXPECT_EQ(info["frames"]["step"], 0.4);
  EXPECT_EQ(info["systems"]["test"], 11);
  EXPECT_NE(lgode_ok({"info", "walks.safetensors"}).out.find("8 + 12 frames of 0.4 s; objects in all of them"),
            std::string::npos);
  lgode_ok(Words{"train", "walks.safetensors", "--task", "extrapolate", "--out", "run"} + tiny());

  const nlohmann::json scores = lgode_json({"evaluate", "run", "--json"});
  // All frames are seen, whatever `observed` says; three people in eleven windows, twelve frames, two features.
  EXPECT_EQ(scores["observed"], 1.0);
  EXPECT_EQ(scores["evaluation"]["model"]["values"], 11 * 3 * 12 * 2);

  // Each part of the forecast has the same number of frames.
  for (const nlohmann::json& part : scores["evaluation"]["model"]["horizon"])
    EXPECT_EQ(part["values"], 11 * 3 * 2 * 2) << part;
  // Whoever comes later is no target, and no prediction of them is missed.
  const Outcome told = lgode_ok(
      {"predict", "run", "--data", "walks.safetensors", "--part", "test", "--samples", "0", "--out", "next.csv"});
  EXPECT_EQ(told.err.find("not seen"), std::string::npos) << told.err;
  std::set<std::string> times;
  std::istringstream lines(bytes("next.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("system,object,time,feature,mean")) << line;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string system, object, time;
    std::getline(fields, system, ','), std::getline(fields, object, ','), std::getline(fields, time, ',');
    if (system == "d/2") times.insert(time);
  }
  std::set<std::string> expected;
  for (int k = 10; k < 22; ++k) expected.insert(fmt::format("{}", 10 * k / 25.0));
  EXPECT_EQ(times, expected);
}

TEST_F(Frames, ANewTableIsCutInTheSameWay) {
  write("walks.csv", walks({"a", "b", "c", "d"}, 30));
  lgode_ok(import({"--all-present"}));
  lgode_ok(Words{"train", "walks.safetensors", "--task", "extrapolate", "--out", "run"} + tiny());
  write("new.csv", walks({"e", "f"}, 25));
  const nlohmann::json scores = lgode_json({"evaluate", "run", "--table", "new.csv", "--json"});
  EXPECT_EQ(scores["evaluation"]["model"]["values"], 2 * 6 * 3 * 12 * 2);
  // A forecast goes on after the last frame, in the table's own frames.
  lgode_ok({"predict", "run", "--table", "new.csv", "--samples", "0", "--out", "next.csv"});
  const std::string next = bytes("next.csv");
  EXPECT_TRUE(next.starts_with("scene,person,frame,feature,mean,std,q05,q95\ne,p0,250,x,")) << next.substr(0, 90);
  EXPECT_NE(next.find("\nf,p2,360,y,"), std::string::npos);
  EXPECT_EQ(next.find(",370,"), std::string::npos);
}

TEST_F(Frames, RefusesWhatContradictsThem) {
  write("walks.csv", walks({"a", "b", "c", "d"}, 30));
  expect_error(lgode(import({"--window", "8"})), 2, {"--frames does not go with --window"});
  expect_error(lgode(import({"--stride", "0.4"})), 2, {"--stride 0.4: with --frames, expected a whole number"});
  expect_error(lgode(import({"--min-objects", "4", "--all-present"})), 1,
               {"--frames: no window to test on is left", "at least 4 objects", "the most are 3"});
  Words wrong = import();
  wrong.back() = "8-12";
  expect_error(lgode(wrong), 2, {"--frames 8-12", "8+12"});
}

}  // namespace
}  // namespace lgode::process
