// The check-up of data sets, and sets made from other sets.
#include "lgode/data/checkup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/combine.h"
#include "lgode/data/first_range.h"
#include "lgode/data/simulate.h"
#include "support/temp_folder.h"

namespace lgode::data {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Plan {
  int systems = 12, test = 2;
  bool related = true;
  std::function<void(int system, int k, double& time, std::vector<double>& values)> change;
};

Dataset make(const Plan& plan) {
  Description d;
  d.name = "plan";
  d.features = {{"x", "m", 0, -1}, {"y", "m", 1, -1}};
  d.relation_types = {"r"};
  d.time_scale = d.conditioning_length = 10;
  DatasetBuilder builder(d);
  for (int s = 0; s < plan.systems; ++s) {
    builder.begin_system(s < plan.systems - plan.test ? Part::kTrain : Part::kTest, 0,
                         std::string(1, 's').append(std::to_string(s)));
    for (int o = 0; o < 2; ++o) {
      builder.add_object("o" + std::to_string(o));
      for (int k = 0; k < 10; ++k) {
        double time = k;
        std::vector<double> values = {std::sin(k + s), std::cos(k + o)};
        if (plan.change) plan.change(s, k, time, values);
        builder.add_observation(time, values);
      }
    }
    if (plan.related) builder.add_relation({0, 1, 0, 1.0F});
  }
  return builder.finish("plan");
}

bool warns(const Checkup& check, const std::string& part) {
  return std::any_of(check.warnings.begin(), check.warnings.end(), [&](const Checkup::Warning& w) {
    EXPECT_FALSE(w.advice.empty());
    return w.what.find(part) != std::string::npos;
  });
}

// Times of a clock far from zero have rounding errors above a share of the range: batches, counts and comparisons
// agree.
TEST(Checkup, TheFirstRangeEndsWhereBatchesEndIt) {
  constexpr double kOrigin = 1.7e9;
  Description d;
  d.features = {{"x", "m", 0, -1}};
  d.relation_types = {"r"};
  d.time_scale = d.conditioning_length = 10;
  DatasetBuilder builder(d);
  for (const Part part : {Part::kTrain, Part::kTest}) {
    builder.begin_system(part, kOrigin, part == Part::kTrain ? "train" : "test");
    builder.add_object("a");
    for (int k = 0; k < 10; ++k) builder.add_observation(kOrigin + k, std::vector<double>{1.0 * k});
    builder.add_observation(std::nextafter(kOrigin + 10, 0.0), std::vector<double>{part == Part::kTrain ? 5.0 : 50.0});
  }
  const Dataset set = builder.finish("far");
  std::int64_t inside = 0;
  for (const double time : set.times_of(0)) inside += before_range_end(set, 0, time) ? 1 : 0;
  TaskOptions task;
  task.observed = 1;
  EXPECT_EQ(inside, BatchMaker(set, {{1.0}}, task).make({0}, View::kTrain).targets());
  EXPECT_EQ(inside, 10);
  EXPECT_TRUE(check_up(set).goes_on);
  EXPECT_TRUE(compare_parts(set, /*centred=*/false).empty());  // 50 is after the first range
}

TEST(Checkup, CountsGapsAndLengths) {
  Plan plan;
  plan.change = [](int, int k, double& time, std::vector<double>&) { time = k < 9 ? k : 9.5; };
  const Checkup check = check_up(make(plan));
  EXPECT_EQ(check.gaps.count, 24 * 9);
  EXPECT_EQ(check.gaps.low, 1);
  EXPECT_EQ(check.gaps.median, 1);
  EXPECT_EQ(check.gaps.high, 1.5);
  std::int64_t counted = 0;
  for (const auto& bin : check.gaps.histogram) counted += bin.count;
  EXPECT_EQ(counted, check.gaps.count);
  EXPECT_EQ(check.gaps.histogram.front().count, 24 * 8);
  EXPECT_EQ(check.gaps.histogram.back().count, 24);
  EXPECT_EQ(check.lengths.median, 10);
  EXPECT_NEAR(check.window, 0.4, 1e-12);
  EXPECT_NEAR(check.window_length, 4, 1e-12);
}

TEST(Checkup, GoodSetsPassInSilence) {
  for (const auto& warning : check_up(make({})).warnings) ADD_FAILURE() << warning.what;
  SimulateOptions springs;
  springs.train = 40;
  springs.test = 5;
  const Checkup check = check_up(simulate(springs));
  EXPECT_TRUE(check.goes_on);
  // Springs are drawn, and some balls have none.
  ASSERT_GT(check.loose, 3);
  EXPECT_EQ(check.loose_names.size(), 3U);
  ASSERT_EQ(check.warnings.size(), 1U);
  EXPECT_TRUE(warns(check, " of 225 objects are without any relation: " + check.loose_names[0] + ", "));
  EXPECT_TRUE(warns(check, check.loose_names[2] + ", ..."));
}

TEST(Checkup, NamesLooseObjects) {
  Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  DatasetBuilder builder(d);
  builder.begin_system(Part::kTrain, 0, "s");
  for (int o = 0; o < 20; ++o) builder.add_object("o" + std::to_string(o));
  for (int o = 0; o + 1 < 16; ++o) builder.add_relation({o, o + 1, 0, 1.0F});
  const Checkup check = check_up(builder.finish("loose"));
  EXPECT_EQ(check.loose, 4);
  EXPECT_TRUE(warns(check, "4 of 20 objects are without any relation: o16 of system s, o17 of system s, o18 of "));
}

TEST(Checkup, FindsOddFeatures) {
  Plan plan;
  plan.change = [](int s, int k, double&, std::vector<double>& v) {
    v[1] = s < 10 ? 3.0 : k;
    if (s == 4 && k == 2) v[0] = 1000;
  };
  Checkup check = check_up(make(plan));
  EXPECT_TRUE(check.features[1].constant);
  EXPECT_TRUE(warns(check, "'y' has one value"));
  EXPECT_EQ(check.features[0].outliers, 2);
  EXPECT_EQ(check.features[0].farthest, 1000);
  EXPECT_TRUE(warns(check, "the farthest 1000 (system s4, object o0, time 2)"));

  plan.change = [](int s, int, double&, std::vector<double>& v) {
    v[0] += 500;
    if (s < 10) v[1] = kMissing;
  };
  check = check_up(make(plan));
  EXPECT_TRUE(warns(check, "'x' stays near 500"));
  EXPECT_TRUE(check.features[1].absent);
  EXPECT_TRUE(warns(check, "'y' has no value"));

  // Data to predict with a model that is there: it cannot do without a feature, and nothing is trained.
  plan.test = plan.systems;
  check = check_up(make(plan));
  EXPECT_FALSE(warns(check, "training part"));
}

// Half of the values are equal, and one is still far off.
TEST(Checkup, FindsAnOutlierAmongEqualValues) {
  Plan plan;
  plan.change = [](int s, int k, double&, std::vector<double>& v) {
    v[0] = k % 5 == 0 ? 0.1 * (s + 1) : 0.0;
    if (s == 4 && k == 2) v[0] = 1e9;
  };
  const Checkup check = check_up(make(plan));
  EXPECT_GT(check.features[0].outliers, 0);
  EXPECT_EQ(check.features[0].farthest, 1e9);
}

// A value may be far off without being the largest, which all are divided by. Objects that stay there are believed.
TEST(Checkup, TellsWhatAnOutlierDoes) {
  Plan plan;
  plan.systems = 40;
  double odd = -1000;
  plan.change = [&](int s, int k, double&, std::vector<double>& v) { v[0] = s == 4 && k >= 7 ? odd : 2000 + s + k; };
  const auto advice = [&] {
    for (const auto& warning : check_up(make(plan)).warnings)
      if (warning.what.find("far from all others") != std::string::npos) return warning.advice;
    return std::string("no warning");
  };
  EXPECT_EQ(advice(), "check whether it is an error; correct or remove it if so");
  odd = 1e6;
  EXPECT_NE(advice().find("makes all others small"), std::string::npos);
}

// A glitch that training does not use makes nothing small.
TEST(Checkup, TellsThatAGlitchIsNotUsed) {
  Plan plan;
  plan.systems = 40;
  plan.change = [](int s, int k, double&, std::vector<double>& v) {
    v[0] = 2000 + 0.1 * s + k;
    if (s == 4 && k == 2) v[0] = 1e6;
  };
  const Checkup check = check_up(make(plan));
  EXPECT_GT(check.outliers, 0);
  bool told = false;
  for (const auto& warning : check.warnings) {
    EXPECT_EQ(warning.advice.find("makes all others small"), std::string::npos) << warning.what;
    told |= warning.what.find("far from all others") != std::string::npos &&
            warning.advice.find("do not use it") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

TEST(Checkup, FindsOddTimesAndObjects) {
  Plan plan;
  plan.related = false;
  plan.change = [](int s, int k, double& time, std::vector<double>&) {
    if (k == 1) time = 1e-9;
    if (s == 0) time *= 0.1;
  };
  Checkup check = check_up(make(plan));
  EXPECT_EQ(check.close_times, 24);
  EXPECT_TRUE(warns(check, "24 observations follow"));
  EXPECT_TRUE(warns(check, "differ in length"));
  EXPECT_TRUE(warns(check, "no relations"));
  EXPECT_EQ(check.loose, 24);
  plan = {};
  plan.systems = 4;
  plan.test = 0;
  check = check_up(make(plan));
  EXPECT_TRUE(warns(check, "no test part"));
  EXPECT_TRUE(warns(check, "only 4 training systems"));
}

TEST(Checkup, TakesEmptySets) {
  Plan plan;
  plan.systems = plan.test = 0;
  const Checkup check = check_up(make(plan));
  EXPECT_EQ(check.gaps.count, 0);
  EXPECT_TRUE(check.warnings.empty());
}

TEST(Combine, ChangesParts) {
  const Dataset d = make({});
  const Dataset e = with_parts(d, std::vector<Part>(12, Part::kTest));
  EXPECT_EQ(e.systems_in(Part::kTest).size(), 12U);
  EXPECT_EQ(e.values_of(5)[3], d.values_of(5)[3]);
  EXPECT_THROW(with_parts(d, {Part::kTest}), DataError);
}

TEST(Combine, MergesSets) {
  const Dataset a = make({});
  Plan plan;
  plan.systems = 2;
  plan.test = 1;
  const Dataset b = make(plan);
  const Dataset both = merge({a, b}, {"a", "b"});
  EXPECT_EQ(both.systems(), 14);
  EXPECT_EQ(both.system_id(0), "a/s0");
  EXPECT_EQ(both.system_id(13), "b/s1");
  EXPECT_EQ(both.part(13), Part::kTest);
  EXPECT_EQ(both.relations(), 14);
  EXPECT_EQ(both.values_of(27)[7], b.values_of(3)[7]);
}

TEST(Combine, RefusesSetsThatDiffer) {
  Description d;
  d.features = {{"z", "", 0, -1}};
  d.relation_types = {"r"};
  const Dataset other = DatasetBuilder(d).finish("other");
  lgode::testing::expect_error<DataError>(
      [&] {
        merge({make({}), other}, {"a.file", "b.file"});
      },
      {"b.file", "features", "a.file"});
}

TEST(Combine, RefusesOtherWindowsOfFrames) {
  const auto cut = [](FrameWindows frames) {
    Description d;
    d.features = {{"z", "", 0, -1}};
    d.relation_types = {"r"};
    d.frames = frames;
    return DatasetBuilder(d).finish("cut");
  };
  const Dataset set = cut({.seen = 8, .asked = 12, .step = 0.4, .min_objects = 2});
  const Dataset other = cut({.seen = 8, .asked = 12, .step = 0.4});
  EXPECT_EQ(merge({set, other}, {"a", "b"}).description().frames.min_objects, 1);
  for (const FrameWindows frames : {FrameWindows{}, FrameWindows{8, 12, 0.5}, FrameWindows{8, 8, 0.4},
                                    FrameWindows{8, 12, 0.4, /*all_present=*/true}})
    lgode::testing::expect_error<DataError>(
        [&] {
          merge({set, cut(frames)}, {"a", "b"});
        },
        {"b: is not cut into the same windows of frames as a", "`frames`"});
}

TEST(Combine, JoinsTypesAndDates) {
  const auto dated = [](const char* origin, const char* type) {
    Description d;
    d.features = {{"x", "", 0, -1}};
    d.relation_types = {type};
    d.time_origin = origin;
    d.time_format = "YYYY-MM-DDThh:mm:ssZ";
    DatasetBuilder builder(d);
    builder.begin_system(Part::kTrain, 5, origin);
    builder.add_object();
    builder.add_observation(5, std::vector<double>{1});
    builder.add_object();
    builder.add_relation({0, 1, 0, 1.0F});
    return builder.finish("dated");
  };
  const Dataset both = merge({dated("2024-03-01T00:00:00Z", "one"), dated("2024-03-02T00:00:00Z", "two")}, {"a", "b"});
  EXPECT_EQ(both.times_of(2)[0], 86405);
  EXPECT_EQ(both.origin(1), 86405);
  EXPECT_EQ(both.relation(1).type, 1);
  EXPECT_EQ(both.description().relation_types, (std::vector<std::string>{"one", "two"}));
}

}  // namespace
}  // namespace lgode::data
