// The check-up of scenes: empty rows, derived velocities, objects that come and go, relations by rule, windows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "lgode/data/checkup.h"

namespace lgode::data {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Systems of objects that walk along x, each at its own y; one observation per time unit, first range [0, 10).
struct Scene {
  int train = 12, test = 4, objects = 3;
  Description description;
  // First and last time of an object.
  std::function<std::pair<int, int>(int system, int object)> stay = [](int, int) { return std::pair{0, 9}; };
  std::function<void(int system, int object, double& time, std::vector<double>& values)> change;
  std::function<double(int system)> origin = [](int) { return 0.0; };
  std::function<Part(int system)> part;
  std::vector<std::string> recordings;

  Scene() {
    description.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}};
    description.relation_types = {"near"};
    description.edges.kind = EdgeRule::Kind::kAll;
    description.time_scale = description.conditioning_length = 10;
  }

  Dataset make() const {
    Description d = description;
    d.recordings = recordings;
    DatasetBuilder builder(d);
    for (int s = 0; s < train + test; ++s) {
      builder.begin_system(part ? part(s) : s < train ? Part::kTrain : Part::kTest, origin(s), "s" + std::to_string(s));
      for (int o = 0; o < objects; ++o) add_object(builder, s, o);
    }
    return builder.finish("scene");
  }

 private:
  void add_object(DatasetBuilder& builder, int s, int o) const {
    builder.add_object("o" + std::to_string(o));
    const auto [first, last] = stay(s, o);
    for (int k = first; k <= last; ++k) {
      double time = origin(s) + k;
      std::vector<double> values = {std::sin(k + s), 2.0 * o + 0.1 * std::cos(k)};
      values.resize(description.features.size(), kMissing);
      if (change) change(s, o, time, values);
      builder.add_observation(time, values);
    }
  }
};

std::vector<std::string> warnings_with(const Checkup& check, const std::string& part) {
  std::vector<std::string> found;
  for (const Checkup::Warning& w : check.warnings)
    if (w.what.find(part) != std::string::npos) found.push_back(w.what + "; " + w.advice);
  return found;
}

bool has(const std::vector<std::string>& found, const std::string& part) {
  return std::any_of(found.begin(), found.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(CheckupScene, AGoodSceneHasNoWarnings) {
  for (const auto& warning : check_up(Scene().make()).warnings) ADD_FAILURE() << warning.what;
}

// Empty rows at 5 and far beyond the end change nothing but the gap around 5.
TEST(CheckupScene, EmptyRowsAreNoObservations) {
  Scene scene;
  scene.stay = [](int, int) { return std::pair{0, 10}; };
  scene.change = [](int, int, double& time, std::vector<double>& values) {
    if (time != 5 && time != 10) return;
    values = {kMissing, kMissing};
    if (time == 10) time = 1e6;
  };
  const Dataset set = scene.make();
  ASSERT_EQ(set.empty_rows(), 2 * 16 * 3);
  const Checkup check = check_up(set);
  EXPECT_EQ(check.lengths.low, 9);
  EXPECT_EQ(check.lengths.high, 9);
  EXPECT_EQ(check.gaps.count, 8 * 48);
  EXPECT_EQ(check.gaps.high, 2);
  EXPECT_EQ(check.longest, 9);
  EXPECT_FALSE(check.goes_on);
  EXPECT_EQ(check.presence.stay, 48);
  EXPECT_EQ(check.close_times, 0);
  for (const auto& warning : check.warnings) ADD_FAILURE() << warning.what;
}

TEST(CheckupScene, AnObjectWithEmptyRowsAloneIsNeverObserved) {
  Scene scene;
  scene.change = [](int s, int o, double&, std::vector<double>& values) {
    if (s == 2 && o == 1) values = {kMissing, kMissing};
  };
  const Checkup check = check_up(scene.make());
  EXPECT_EQ(check.unobserved, 1);
  EXPECT_EQ(check.presence.stay, 47);
  EXPECT_TRUE(has(warnings_with(check, "1 object is never observed"), "`unseen` predict"));
}

TEST(CheckupScene, DerivedFeaturesAreNotExamined) {
  Scene scene;
  scene.description.features.push_back({"vx", "m/s", 1, 0, /*derived=*/true});
  const Checkup check = check_up(scene.make());
  ASSERT_EQ(check.features.size(), 3U);
  EXPECT_EQ(check.features[2].values, 0);
  EXPECT_FALSE(check.features[2].absent);
  for (const auto& warning : check.warnings) ADD_FAILURE() << warning.what;
}

TEST(CheckupScene, CountsWhoComesAndGoes) {
  Scene scene;
  scene.objects = 5;
  scene.stay = [](int, int o) {
    const std::pair<int, int> stays[] = {{0, 9}, {1, 8}, {2, 9}, {0, 7}, {6, 7}};
    return stays[o];
  };
  const Presence presence = check_up(scene.make()).presence;
  EXPECT_EQ(presence.stay, 2 * 16);  // one step late is within 1.5 gaps
  EXPECT_EQ(presence.enter, 16);
  EXPECT_EQ(presence.leave, 16);
  EXPECT_EQ(presence.enter_and_leave, 16);
  EXPECT_EQ(presence.late, 16);
}

TEST(CheckupScene, WhoIsFirstSeenAfterTheMiddleGetsNoForecast) {
  Scene scene;
  scene.origin = [](int s) { return 100.0 * s; };
  const auto late = [&](int first) {
    scene.stay = [first](int, int o) { return std::pair{o == 0 ? first : 0, 19}; };
    return check_up(scene.make()).presence.late;
  };
  EXPECT_EQ(late(4), 0);
  EXPECT_EQ(late(5), 16);
  EXPECT_EQ(late(9), 16);
  EXPECT_EQ(late(10), 0);  // beyond the first range
}

TEST(CheckupScene, RulesHaveNoLooseObjects) {
  Scene scene;
  EXPECT_EQ(check_up(scene.make()).loose, 0);
  scene.description.edges.kind = EdgeRule::Kind::kListed;
  EXPECT_EQ(check_up(scene.make()).loose, 48);
}

TEST(CheckupScene, EstimatesRelations) {
  Scene scene;
  scene.objects = 4;  // at y = 0, 2, 4, 6
  const auto related = [&](const EdgeRule& rule) {
    scene.description.edges = rule;
    return check_up(scene.make()).pairs.related;
  };
  EXPECT_EQ(related({EdgeRule::Kind::kAll, 0, 0, {}}), 3);
  EXPECT_EQ(related({EdgeRule::Kind::kNearest, 2, 0, {0, 1}}), 2);
  EXPECT_EQ(related({EdgeRule::Kind::kNearest, 8, 0, {0, 1}}), 3);
  EXPECT_EQ(related({EdgeRule::Kind::kWithin, 0, 2.5, {0, 1}}), 1.5);
  // Objects that come after the first range are not shown.
  scene.stay = [](int, int o) { return o == 3 ? std::pair{12, 15} : std::pair{0, 9}; };
  EXPECT_EQ(related({EdgeRule::Kind::kAll, 0, 0, {}}), 2);
}

TEST(CheckupScene, WarnsAboutATinyRadius) {
  Scene scene;
  scene.description.edges = {EdgeRule::Kind::kWithin, 0, 0.1, {0, 1}};
  EXPECT_TRUE(has(warnings_with(check_up(scene.make()), "an object has 0 others within 0.1"), "within=R"));
  scene.description.edges.radius = 3;
  EXPECT_TRUE(warnings_with(check_up(scene.make()), "others within").empty());
}

TEST(CheckupScene, WarnsAboutManyPairs) {
  Scene scene;
  scene.train = 2, scene.test = 0;
  scene.objects = 201;
  const auto warnings = [&] { return warnings_with(check_up(scene.make()), "all pairs are many"); };
  EXPECT_TRUE(has(warnings(), "system s0 has 201 objects, 4.02e+04 pairs; a batch of 2 typical systems"));
  EXPECT_TRUE(
      has(warnings(), "`edges` k-nearest=8 or within=R at the import, and train with `interaction` neighbours"));
  scene.description.edges = {EdgeRule::Kind::kNearest, 8, 0, {0, 1}};
  EXPECT_FALSE(has(warnings(), "`edges`"));
  EXPECT_TRUE(has(warnings(), "train with `interaction` neighbours"));
  scene.description.edges = {};
  scene.objects = 200;
  EXPECT_TRUE(warnings().empty());
  // Objects beyond the first range do not count.
  scene.description.edges.kind = EdgeRule::Kind::kAll;
  scene.objects = 250;
  scene.stay = [](int, int o) { return o < 200 ? std::pair{0, 3} : std::pair{11, 14}; };
  EXPECT_TRUE(warnings().empty());
}

TEST(CheckupScene, FindsRegularGaps) {
  Scene scene;
  const Checkup regular = check_up(scene.make());
  EXPECT_TRUE(regular.grid.regular);
  EXPECT_EQ(regular.grid.step, 1);
  EXPECT_EQ(regular.grid.longer, 0);
  // Objects 0 lack the time 4: 16 of 48 x 9 - 16 gaps.
  scene.change = [](int, int o, double& time, std::vector<double>& values) {
    if (o == 0 && time == 4) values = {kMissing, kMissing};
  };
  const Checkup multiples = check_up(scene.make());
  EXPECT_FALSE(multiples.grid.regular);
  EXPECT_EQ(multiples.grid.step, 1);
  EXPECT_EQ(multiples.grid.multiples, (std::vector<std::int64_t>{48 * 9 - 32, 16, 0, 0}));
  EXPECT_EQ(multiples.grid.longer, 16);
  // One system lacks it: 2 of 48 x 9 - 1 gaps are gone, and that is less than 1 %.
  scene.change = [](int s, int o, double& time, std::vector<double>& values) {
    if (s == 0 && o == 0 && time == 4) values = {kMissing, kMissing};
  };
  const Checkup nearly = check_up(scene.make());
  EXPECT_TRUE(nearly.grid.regular);
  EXPECT_EQ(nearly.grid.longer, 1);
}

TEST(CheckupScene, OddGapsHaveNoGrid) {
  Scene scene;
  scene.change = [](int s, int o, double& time, std::vector<double>&) { time += 0.4 * std::sin(7 * time + s + 3 * o); };
  const Checkup check = check_up(scene.make());
  EXPECT_EQ(check.grid.step, 0);
  EXPECT_GT(check.gaps.histogram.size(), 1U);
}

Scene windows(int train_a, int gap, int test_a) {
  Scene scene;
  scene.train = train_a + test_a;
  scene.test = 12;
  scene.recordings.assign(static_cast<std::size_t>(train_a + test_a), "a");
  scene.recordings.resize(static_cast<std::size_t>(train_a + test_a) + 12, "b");
  scene.part = [=](int s) { return s < train_a || s >= train_a + test_a ? Part::kTrain : Part::kTest; };
  scene.origin = [=](int s) {
    return 10.0 * (s < train_a ? s : s < train_a + test_a ? s + gap : s - train_a - test_a);
  };
  return scene;
}

TEST(CheckupScene, CountsWindows) {
  const Checkup check = check_up(windows(8, 1, 3).make());
  EXPECT_EQ(check.windows.windows, (std::vector<std::int64_t>{11, 12}));
  EXPECT_EQ(check.windows.train, 1);
  EXPECT_EQ(check.windows.test, 0);
  EXPECT_EQ(check.windows.both, 1);
  EXPECT_EQ(check.windows.length, 10);
  EXPECT_TRUE(check_up(Scene().make()).windows.windows.empty());
}

TEST(CheckupScene, WindowsMayBeShortOfObservations) {
  Scene scene = windows(8, 1, 3);
  scene.stay = [](int s, int) { return std::pair{0, s == 0 ? 1 : 9}; };
  EXPECT_TRUE(warnings_with(check_up(scene.make()), "differ in length").empty());
  scene.recordings.clear();
  EXPECT_EQ(warnings_with(check_up(scene.make()), "differ in length").size(), 1U);
}

TEST(CheckupScene, WarnsAboutNearWindowsInBothParts) {
  const auto warnings = [](const Scene& scene) {
    return warnings_with(check_up(scene.make()), "windows in both parts");
  };
  EXPECT_TRUE(warnings(windows(8, 1, 3)).empty());
  EXPECT_TRUE(has(warnings(windows(8, 0, 3)),
                  "1 recording has windows in both parts that are less than a window (10) "
                  "apart, 0 at least in recording a; "));
  EXPECT_TRUE(has(warnings(windows(8, 0, 3)), "`test_systems`"));
  Scene overlapping = windows(8, 0, 3);
  overlapping.origin = [](int s) { return 5.0 * s; };
  EXPECT_TRUE(has(warnings(overlapping), "that overlap, by up to 5 in recording a; "));
  EXPECT_TRUE(warnings(windows(8, 0, 0)).empty());
}

TEST(CheckupScene, WarnsWhereTheTestPartDiffers) {
  Scene scene;
  scene.change = [&](int s, int, double&, std::vector<double>& values) {
    if (s >= 12) values[0] = 3 * values[0];
    if (s >= 12) values[1] = 100 + 0.9 * values[1];
  };
  const Checkup check = check_up(scene.make());
  EXPECT_GE(check.differences.size(), 2U);
  EXPECT_TRUE(has(warnings_with(check, "the test part differs: "), "'x' are outside"));
  EXPECT_TRUE(has(warnings_with(check, "of 'x' are outside"), "expect a larger error"));
  // Only the place differs.
  EXPECT_TRUE(has(warnings_with(check, "of 'y' are outside"), "`centre` system"));
}

}  // namespace
}  // namespace lgode::data
