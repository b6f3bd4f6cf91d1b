// Data sets of motion: windows, sampling, velocities, relations.
#include "lgode/data/motion/motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "lgode/core/error.h"
#include "support/fixtures.h"
#include "support/temp_folder.h"

namespace lgode::data {
namespace {

using lgode::testing::expect_error;
using lgode::testing::fixture_text;

Skeleton arm() { return parse_asf(fixture_text("motion/arm.asf"), "arm.asf"); }

// Joint j is at (f^2, 10 j, -f) in frame f.
Trial trial(const std::string& name, Part part, std::int64_t frames) {
  Trial t{name, part, 1, {}};
  for (std::int64_t f = 0; f < frames; ++f) {
    for (int j = 0; j < 4; ++j) {
      const auto x = static_cast<double>(f);
      t.positions.insert(t.positions.end(), {x * x, 10.0 * j, -x});
    }
  }
  return t;
}

Dataset make(const std::vector<Trial>& trials, const MotionOptions& options = {}) {
  return motion_dataset(arm(), trials, options, "test");
}

std::int64_t frame_of(double time) { return std::llround(time * 120.0); }

TEST(MotionDataset, ThePapersWindows) {
  const MotionOptions options;
  EXPECT_EQ(windows_of(49, Part::kTrain, options), 0);
  EXPECT_EQ(windows_of(50, Part::kTrain, options), 1);
  EXPECT_EQ(windows_of(98, Part::kTrain, options), 1);
  EXPECT_EQ(windows_of(99, Part::kTrain, options), 2);
  EXPECT_EQ(windows_of(199, Part::kTest, options), 1);
  EXPECT_EQ(windows_of(200, Part::kTest, options), 2);
  const Dataset d =
      make({trial("a", Part::kTrain, 120), trial("b", Part::kTest, 210), trial("short", Part::kTrain, 20)});
  ASSERT_EQ(d.systems(), 4);
  EXPECT_EQ(d.system_id(0), "a:1");
  EXPECT_EQ(d.system_id(1), "a:50");
  EXPECT_EQ(d.system_id(2), "b:1");
  EXPECT_EQ(d.system_id(3), "b:101");
  EXPECT_EQ(d.part(1), Part::kTrain);
  EXPECT_EQ(d.part(2), Part::kTest);
  EXPECT_EQ(d.objects_of(0), 4);
  EXPECT_EQ(d.object_id(0, 0), "root");
  EXPECT_EQ(d.object_id(3, 3), "tip");
}

TEST(MotionDataset, Describes) {
  const Description d = make({trial("a", Part::kTrain, 50)}).description();
  EXPECT_EQ(d.name, "motion");
  EXPECT_EQ(d.source, "test");
  EXPECT_EQ(d.time_unit, "s");
  ASSERT_EQ(d.features.size(), 6U);
  EXPECT_EQ(d.features[2].name, "z");
  EXPECT_EQ(d.features[2].velocity_of, -1);
  EXPECT_EQ(d.features[5].name, "vz");
  EXPECT_EQ(d.features[5].velocity_of, 2);
  EXPECT_NE(d.features[0].scale_group, d.features[3].scale_group);
  EXPECT_EQ(d.features[3].scale_group, d.features[5].scale_group);
  EXPECT_EQ(d.time_scale, 49.0 / 120.0);           // frame / 49
  EXPECT_EQ(d.conditioning_length, 50.0 / 120.0);  // frame 50 is beyond it
  EXPECT_EQ(d.max_length, 49);                     // (49 - 30 share) / 49
  EXPECT_EQ(d.min_length, 30);
  EXPECT_EQ(d.relation_types, std::vector<std::string>{"bone"});
}

TEST(MotionDataset, ThePapersSampling) {
  std::vector<Trial> trials;
  trials.reserve(30);
  for (int i = 0; i < 30; ++i) trials.push_back(trial(std::to_string(i), i < 20 ? Part::kTrain : Part::kTest, 100));
  const Dataset d = make(trials);
  std::set<std::size_t> counts;
  std::set<std::int64_t> seen;
  for (std::int64_t s = 0; s < d.systems(); ++s) {
    for (std::int64_t o = d.first_object(s); o < d.first_object(s) + 4; ++o) {
      std::size_t first = 0;
      std::size_t later = 0;
      for (const double t : d.times_of(o)) {
        const std::int64_t f = frame_of(t);
        EXPECT_EQ(static_cast<double>(f) / 120.0, t);
        EXPECT_NE(f, 50);
        first += f < 50 ? 1 : 0;
        later += f > 50 ? 1 : 0;
        EXPECT_EQ(f < 50, t < d.origin(s) + d.description().conditioning_length);
        seen.insert(f);
      }
      counts.insert(first);
      EXPECT_EQ(later, d.part(s) == Part::kTest ? 40U : 0U);
    }
  }
  EXPECT_EQ(*counts.begin(), 30U);
  EXPECT_EQ(*counts.rbegin(), 42U);
  EXPECT_EQ(counts.size(), 13U);
  EXPECT_EQ(seen.size(), 99U);
  EXPECT_EQ(*seen.rbegin(), 99);
}

TEST(MotionDataset, SamplingDependsOnSeedAndTrialOnly) {
  const Trial a = trial("a", Part::kTrain, 50);
  const Trial b = trial("b", Part::kTrain, 50);
  const Dataset both = make({a, b});
  const Dataset alone = make({b});
  const auto times = [](const Dataset& d, std::int64_t object) {
    const auto span = d.times_of(object);
    return std::vector<double>(span.begin(), span.end());
  };
  EXPECT_EQ(times(both, 5), times(alone, 1));
  EXPECT_NE(times(both, 1), times(both, 5));
  EXPECT_NE(times(both, 4), times(both, 5));
  MotionOptions other;
  other.seed = 2;
  EXPECT_NE(times(make({b}, other), 1), times(alone, 1));
}

TEST(MotionDataset, Velocities) {
  MotionOptions options;
  options.sampling = Sampling::kNone;
  const std::vector<Trial> trials = {trial("a", Part::kTrain, 99)};
  // Column 3 is the velocity of f^2: backward 2 f - 1, central 2 f; one-sided at the trial's ends.
  const auto velocity = [](const Dataset& d, std::int64_t system, std::size_t k) {
    return d.values_of(d.first_object(system) + 1)[6 * k + 3] / 120.0;
  };
  const Dataset backward = make(trials, options);
  EXPECT_DOUBLE_EQ(velocity(backward, 0, 0), 1);
  EXPECT_DOUBLE_EQ(velocity(backward, 0, 1), 1);
  EXPECT_DOUBLE_EQ(velocity(backward, 0, 10), 19);
  EXPECT_DOUBLE_EQ(velocity(backward, 1, 0), 2 * 49 - 1);  // the second window starts within the trial
  options.velocity = VelocityRule::kCentral;
  const Dataset central = make(trials, options);
  EXPECT_DOUBLE_EQ(velocity(central, 0, 0), 1);
  EXPECT_DOUBLE_EQ(velocity(central, 0, 10), 20);
  EXPECT_DOUBLE_EQ(velocity(central, 1, 49), 98 * 98 - 97 * 97);
  const auto row = central.values_of(1).subspan(60, 6);
  EXPECT_EQ(row[0], 100);
  EXPECT_EQ(row[1], 10);
  EXPECT_EQ(row[2], -10);
  EXPECT_EQ(row[4], 0);
  EXPECT_DOUBLE_EQ(row[5], -120);
}

TEST(MotionDataset, AllFramesOfWholeTrials) {
  MotionOptions options;
  options.sampling = Sampling::kNone;
  options.window = 0;
  options.rate = 60;
  const Dataset d =
      make({trial("a", Part::kTrain, 70), trial("b", Part::kTrain, 31), trial("c", Part::kTest, 100)}, options);
  ASSERT_EQ(d.systems(), 3);
  EXPECT_EQ(d.system_id(2), "c");
  EXPECT_EQ(d.times_of(0).size(), 70U);
  EXPECT_EQ(d.times_of(4).size(), 31U);
  EXPECT_EQ(d.times_of(8).size(), 100U);
  EXPECT_EQ(d.times_of(8).back(), 99.0 / 60.0);
  EXPECT_EQ(d.description().conditioning_length, 70.0 / 60.0);
  EXPECT_EQ(d.description().max_length, 70);
  EXPECT_EQ(d.description().min_length, 31);
}

TEST(MotionDataset, OneFrameHasNoVelocity) {
  MotionOptions options;
  options.window = 0;
  options.sampling = Sampling::kNone;
  const Dataset d = make({trial("a", Part::kTrain, 1)}, options);
  EXPECT_EQ(d.values_of(1)[1], 10);
  EXPECT_TRUE(std::isnan(d.values_of(1)[3]));
}

TEST(MotionDataset, BonesRelateBothWays) {
  const Dataset d = make({trial("a", Part::kTrain, 50)});
  std::set<std::pair<int, int>> got;
  for (std::int64_t e = 0; e < d.relations(); ++e) got.insert({d.relation(e).source, d.relation(e).target});
  EXPECT_EQ(got, (std::set<std::pair<int, int>>{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 2}}));
  EXPECT_EQ(d.relations(), 6);
}

TEST(MotionDataset, OtherLengthsKeepTheProportions) {
  MotionOptions options;
  options.window = 10;
  options.stride = 10;
  options.test_window = 30;
  options.test_stride = 5;
  const Dataset d = make({trial("a", Part::kTrain, 40), trial("b", Part::kTest, 40)}, options);
  EXPECT_EQ(d.systems_in(Part::kTrain).size(), 4U);
  EXPECT_EQ(d.systems_in(Part::kTest).size(), 3U);
  for (std::int64_t o = 0; o < 16; ++o) {
    EXPECT_GE(d.times_of(o).size(), 6U);
    EXPECT_LE(d.times_of(o).size(), 8U);
  }
}

TEST(MotionDataset, RefusesWhatMakesNoSense) {
  const std::vector<Trial> trials = {trial("a", Part::kTrain, 20)};
  const auto refuse = [&](const std::function<void(MotionOptions&)>& change, const std::string& part) {
    MotionOptions options;
    change(options);
    expect_error<ConfigError>([&] { make(trials, options); }, {part});
  };
  refuse([](MotionOptions& o) { o.rate = 0; }, "`rate` 0");
  refuse([](MotionOptions& o) { o.rate = std::nan(""); }, "`rate` nan");
  refuse([](MotionOptions& o) { o.window = 1; }, "`window` 1");
  refuse([](MotionOptions& o) { o.window = -5; }, "`window` -5");
  refuse([](MotionOptions& o) { o.stride = 0; }, "`stride` 0");
  refuse([](MotionOptions& o) { o.test_window = 1; }, "`test_window` 1");
  refuse([](MotionOptions& o) { o.test_stride = -1; }, "`test_stride` -1");
  refuse([](MotionOptions& o) { o.window = 0, o.stride = 5; }, "whole trials");
  expect_error<DataError>([&] { make(trials); }, {"longest has 20 frames", "a window 50", "`window`"});
}

TEST(MotionDataset, ThePapersSet) {
  const std::filesystem::path folder = lgode::testing::recorded_data() / "cmu-mocap-35";
  if (!std::filesystem::exists(folder / "35.asf"))
    GTEST_SKIP() << "no recorded motion at " << folder << "; LGODE_TEST_DATA says where it is";
  const Skeleton skeleton = read_asf(folder / "35.asf");
  std::vector<Trial> trials;
  const auto add = [&](int first, int last, Part part) {
    for (int i = first; i <= last; ++i) {
      const std::string name = (i < 10 ? "35_0" : "35_") + std::to_string(i);
      trials.push_back(make_trial(skeleton, read_amc(folder / (name + ".amc"), skeleton), name, part));
    }
  };
  add(2, 16, Part::kTrain);
  add(28, 34, Part::kTest);
  const Dataset d = motion_dataset(skeleton, trials, {}, "test");
  EXPECT_EQ(d.systems_in(Part::kTrain).size(), 120U);
  EXPECT_EQ(d.systems_in(Part::kTest).size(), 27U);
  EXPECT_EQ(d.objects(), 147 * 31);
  EXPECT_EQ(d.relations(), 147 * 60);
  EXPECT_FALSE(d.has_missing());
}

}  // namespace
}  // namespace lgode::data
