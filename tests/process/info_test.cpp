// lgode info on scenes: what it prints of empty rows, derived velocities, comings and goings, rules, windows and gaps.
#include <fmt/format.h>

#include <cmath>

#include "fixture.h"

namespace lgode::process {
namespace {

using nlohmann::json;

constexpr double kStep = 0.4;

class Info : public CommandTest {
 protected:
  // People that walk along x at 0.4 s: two stay for the first range of 8 s, one comes at 4.4 s, one leaves after 2.4 s.
  // Their last row but one is empty in half of the systems. The test part walks elsewhere and faster.
  static data::Dataset scene(const data::EdgeRule& rule, bool windows = false) {
    data::Description description;
    description.name = "scene";
    description.time_unit = "s";
    description.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"vx", "m/s", 1, 0, /*derived=*/true}};
    description.relation_types = {"near"};
    description.edges = rule;
    description.time_scale = description.conditioning_length = 8;
    if (windows) description.recordings.assign(14, "street");
    data::DatasetBuilder builder(description);
    for (int s = 0; s < 14; ++s) {
      builder.begin_system(s < 12 ? data::Part::kTrain : data::Part::kTest, windows ? 8.0 * s : 0.0,
                           fmt::format("s{}", s));
      for (int o = 0; o < 4; ++o) add_person(builder, s, o, windows ? 8.0 * s : 0.0);
    }
    return builder.finish("scene");
  }

  static void add_person(data::DatasetBuilder& builder, int s, int o, double origin) {
    builder.add_object(fmt::format("p{}", o));
    const int first = o == 2 ? 11 : 0, last = o == 3 ? 6 : 19;
    for (int k = first; k <= last; ++k) {
      const double x = (s < 12 ? 0.2 : 0.8) * k + o + 0.1 * s, y = o + std::sin(k + s);
      const bool empty = k == last - 1 && s % 2 == 0;
      const double values[] = {empty ? std::nan("") : x, empty ? std::nan("") : y, std::nan("")};
      builder.add_observation(origin + kStep * k, values);
    }
  }

  std::string text(const data::EdgeRule& rule, bool windows = false) const {
    data::save_dataset(scene(rule, windows), path("scene.safetensors"), Overwrite::kAllow);
    return lgode_ok({"info", "scene.safetensors"}).out;
  }
};

void expect_parts(const std::string& text, const Words& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

const data::EdgeRule kAll{data::EdgeRule::Kind::kAll, 0, 0, {}};
const data::EdgeRule kNearest{data::EdgeRule::Kind::kNearest, 2, 0, {0, 1}};
const data::EdgeRule kWithin{data::EdgeRule::Kind::kWithin, 0, 2.5, {0, 1}};

TEST_F(Info, TellsOfEmptyRowsAndDerivedFeatures) {
  expect_parts(text(kAll),
               {"observations     756 in total, 6 to 20, median 19 per object\n",
                "empty rows       28: places to fill, not observations\n", "missing          0 % of all values\n",
                "  vx       m/s   derived, from x                     x\n"});
  const json info = lgode_json({"info", "--json", "scene.safetensors"});
  EXPECT_EQ(info["empty_rows"], 28);
  EXPECT_EQ(info["observations"], 756);
  EXPECT_EQ(info["first_range"]["observations"], 648);
  EXPECT_EQ(info["features"][0]["missing"], 0.0);
  EXPECT_TRUE(info["features"][2]["derived"].get<bool>());
  EXPECT_TRUE(info["features"][2]["missing"].is_null());
  EXPECT_TRUE(info["features"][2]["range"].is_null());
}

TEST_F(Info, TellsTheGapsThatAFillMeets) {
  expect_parts(text(kAll), {"to fill          56 values: 56 gaps of 0.8 s\n"});
}

TEST_F(Info, TellsWhoComesAndGoes) {
  expect_parts(text(kAll),
               {"objects          56 in total, 4 per system; 28 stay, 14 enter, 14 leave, 0 enter and leave\n",
                "no forecast      14 objects first seen in the second half of the first range"});
  EXPECT_EQ(lgode_json({"info", "--json", "scene.safetensors"})["presence"],
            (json{{"stay", 28}, {"enter", 14}, {"leave", 14}, {"enter_and_leave", 0}, {"without_forecast", 14}}));
}

TEST_F(Info, TellsRules) {
  expect_parts(text(kAll), {"relations        all pairs among those present; about 3 per object\n"});
  EXPECT_EQ(lgode_json({"info", "--json", "scene.safetensors"})["relations"]["rule"], "all");
  expect_parts(text(kNearest), {"relations        2 nearest by x, y; about 2 per object\n"});
  const std::string within = text(kWithin);
  expect_parts(within, {"relations        within 2.5 m by x, y; about "});
  EXPECT_EQ(within.find("without any"), std::string::npos);
  const json info = lgode_json({"info", "--json", "scene.safetensors"});
  EXPECT_EQ(info["relations"]["rule"], (json{{"within", 2.5}, {"unit", "m"}, {"by", {"x", "y"}}}));
  EXPECT_GT(info["relations"]["per_object"], 0.5);
  EXPECT_LT(info["relations"]["per_object"], 3.0);
  EXPECT_EQ(info["objects_without_relations"], 0);
  EXPECT_EQ(info["pairs"]["largest_system"]["objects"], 4);
}

TEST_F(Info, TellsRegularGapsInOneLine) {
  const std::string out = text(kAll);
  expect_parts(out, {"gaps             multiples of 0.4 s: 1 x 96 %, 2 x 4 %\n"});
  EXPECT_EQ(out.find("gaps between"), std::string::npos);
  const json grid = lgode_json({"info", "--json", "scene.safetensors"})["gaps"]["grid"];
  EXPECT_NEAR(grid["step"], 0.4, 1e-9);
  EXPECT_EQ(grid["multiples"], (json{672, 28, 0, 0}));
  Swings swings;
  save(swings, path("regular.safetensors"));
  expect_parts(lgode_ok({"info", "regular.safetensors"}).out, {"gaps             0.3 s (regular)\n"});
  swings.time = [](int s, int o, int k) { return 0.3 * k + (s == 0 && o == 0 && k > 9 ? 0.3 : 0.0); };
  save(swings, path("nearly.safetensors"));
  expect_parts(lgode_ok({"info", "nearly.safetensors"}).out, {"gaps             0.3 s (regular), 1 of 1,152 longer\n"});
  swings.time = [](int s, int o, int k) { return 0.3 * k + 0.1 * std::sin(s + 2 * o + 5 * k); };
  save(swings, path("odd.safetensors"));
  expect_parts(lgode_ok({"info", "odd.safetensors"}).out, {"gaps between an object's observations\n"});
  EXPECT_TRUE(lgode_json({"info", "--json", "odd.safetensors"})["gaps"]["grid"].is_null());
}

TEST_F(Info, TellsOfWindows) {
  expect_parts(text(kAll, /*windows=*/true),
               {"windows          14 of 1 recording; recordings: 0 training, 0 test, 1 in both\n",
                "warning: 1 recording has windows in both parts that are less than a window (8) apart, 0 at least in "
                "recording street; ",
                "--test-systems"});
  const json windows = lgode_json({"info", "--json", "scene.safetensors"})["windows"];
  EXPECT_EQ(windows["windows_per_recording"]["median"], 14);
  EXPECT_EQ(windows["near_in_both"], 1);
  EXPECT_EQ(text(kAll).find("windows"), std::string::npos);
}

TEST_F(Info, TellsWhereTheTestPartDiffers) {
  expect_parts(text(kAll), {"warning: the test part differs: ", "of the test values of 'x' are outside the range",
                            "warning: the test part differs: the speed of 'x' is typically 0.5 m/s"});
  const json differences = lgode_json({"info", "--json", "scene.safetensors"})["differences"];
  ASSERT_GE(differences.size(), 2U);
  EXPECT_EQ(differences[0]["kind"], "outside");
  EXPECT_EQ(differences[0]["feature"], "x");
  EXPECT_GT(differences[0]["test"], 0.1);
}

TEST_F(Info, WarnsOfManyPairs) {
  data::Description description;
  description.features = {{"x", "", 0, -1}};
  description.relation_types = {"near"};
  description.edges = kAll;
  data::DatasetBuilder builder(description);
  builder.begin_system(data::Part::kTrain, 0, "crowd");
  for (int o = 0; o < 300; ++o) {
    builder.add_object();
    for (int k = 0; k < 3; ++k) builder.add_observation(0.3 * k, std::vector<double>{0.1 * o + std::sin(k)});
  }
  data::save_dataset(builder.finish("crowd"), path("crowd.safetensors"), Overwrite::kRefuse);
  expect_parts(lgode_ok({"info", "crowd.safetensors"}).out,
               {"all pairs among those present; about 299 per object\n",
                "warning: all pairs are many: system crowd has 300 objects", "--edges k-nearest=8 or within=R",
                "--interaction neighbours"});
}

}  // namespace
}  // namespace lgode::process
