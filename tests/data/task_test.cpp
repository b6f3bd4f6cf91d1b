// What the encoder sees and what is asked: shares, starts, contexts, parts, requests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "lgode/core/error.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/simulate.h"
#include "support/batches.h"

namespace lgode::data {
namespace {

using lgode::testing::random_maker;

BatchMaker springs(TaskOptions task, std::int64_t train = 20, std::int64_t test = 5) {
  const Dataset set = simulate({.train = train, .test = test, .threads = 1});
  return {set, fit_normalisation(set, normalisation_systems(set, task)), task};
}

TEST(TaskTest, InterpolationSeesTheShareAndAsksForEverything) {
  for (double share : {0.4, 0.6, 0.8}) {
    const BatchMaker maker = springs({.observed = share});
    const Batch b = maker.make({0, 3}, View::kTrain, 1);
    for (std::int64_t i = 0; i < b.objects(); ++i) {
      const std::int64_t seen = b.observation_offsets[i + 1] - b.observation_offsets[i];
      const std::int64_t asked = b.target_offsets[i + 1] - b.target_offsets[i];
      EXPECT_GE(asked, 40);
      EXPECT_LE(asked, 52);
      EXPECT_EQ(seen, static_cast<std::int64_t>(std::floor(share * static_cast<double>(asked) + 1e-9)));
      EXPECT_EQ(
          std::count(b.target_seen.begin() + b.target_offsets[i], b.target_seen.begin() + b.target_offsets[i + 1], 1),
          seen);
    }
    EXPECT_GE(*std::min_element(b.target_times.begin(), b.target_times.end()), 0.0);
    EXPECT_LT(*std::max_element(b.target_times.begin(), b.target_times.end()), 1.0);
  }
}

TEST(TaskTest, AtLeastOneObservationIsSeen) {
  const BatchMaker maker = springs({.observed = 1e-6});
  const Batch b = maker.make({0}, View::kTrain);
  for (std::int64_t i = 0; i < b.objects(); ++i) EXPECT_EQ(b.observation_offsets[i + 1] - b.observation_offsets[i], 1);
}

TEST(TaskTest, ExtrapolationTrainsFromTheMiddle) {
  const BatchMaker maker = springs({.task = Task::kExtrapolate});
  for (View view : {View::kTrain, View::kValidate}) {
    const Batch b = maker.make({0, 1}, view);
    for (double s : b.start) EXPECT_DOUBLE_EQ(s, 0.5);
    for (double t : b.observation_times) EXPECT_LT(t, 0.0);
    for (double t : b.observation_times) EXPECT_GE(t, -0.5);
    for (double t : b.target_times) EXPECT_GE(t, 0.0);
    for (double t : b.target_times) EXPECT_LT(t, 0.5);
    EXPECT_EQ(std::count(b.target_seen.begin(), b.target_seen.end(), 1), 0);
  }
}

TEST(TaskTest, ExtrapolationTestsBeyondTheRangeWithMatchedOrWholeContext) {
  for (Context context : {Context::kMatched, Context::kAll}) {
    const BatchMaker maker = springs({.task = Task::kExtrapolate, .context = context});
    const Batch b = maker.make({20, 21, 22}, View::kTest);
    double earliest = 0;
    for (double t : b.observation_times) earliest = std::min(earliest, t);
    for (double s : b.start) EXPECT_DOUBLE_EQ(s, 1.0);
    if (context == Context::kMatched) {
      EXPECT_GE(earliest, -0.5 - 1e-9);
    } else {
      EXPECT_LT(earliest, -0.9);
    }
    EXPECT_EQ(b.targets(), 40 * b.objects());
    for (double t : b.target_times) EXPECT_LT(t, 1.0);
  }
}

TEST(TaskTest, RandomStartsDifferFromStepToStepAndWidenTheContext) {
  const BatchMaker maker =
      springs({.task = Task::kExtrapolate, .start = Start::kRandom, .start_low = 0.3, .start_high = 0.7});
  std::set<double> starts;
  for (std::int64_t step = 0; step < 20; ++step) {
    const Batch b = maker.make({0, 1}, View::kTrain, 0, step);
    EXPECT_DOUBLE_EQ(b.start[0], b.start[1]);
    EXPECT_GE(b.start[0], 0.3);
    EXPECT_LE(b.start[0], 0.7);
    starts.insert(b.start[0]);
  }
  EXPECT_GT(starts.size(), 15U);
  EXPECT_DOUBLE_EQ(maker.context_span(), 0.7);
}

TEST(TaskTest, DrawsAreFixedForValidationAndAnewEachEpochInTraining) {
  const BatchMaker maker = springs({});
  EXPECT_EQ(maker.make({0}, View::kValidate, 1).observation_times,
            maker.make({0}, View::kValidate, 2).observation_times);
  EXPECT_NE(maker.make({0}, View::kTrain, 1).observation_times, maker.make({0}, View::kTrain, 2).observation_times);
  EXPECT_EQ(maker.make({0}, View::kTrain, 1).observation_times, maker.make({0}, View::kTrain, 1).observation_times);
  const BatchMaker fixed = springs({.resample = Resample::kFixed});
  EXPECT_EQ(fixed.make({0}, View::kTrain, 1).observation_times, fixed.make({0}, View::kTrain, 2).observation_times);
}

TEST(TaskTest, ASystemsDrawDoesNotDependOnItsBatch) {
  const BatchMaker maker = springs({});
  const Batch alone = maker.make({3}, View::kTrain, 4), both = maker.make({7, 3}, View::kTrain, 4);
  const auto b = std::find(both.system.begin(), both.system.end(), 3) - both.system.begin();
  const std::vector<double> part(both.observation_times.begin() + both.observation_offsets[both.object_offsets[b]],
                                 both.observation_times.begin() + both.observation_offsets[both.object_offsets[b + 1]]);
  EXPECT_EQ(part, alone.observation_times);
}

TEST(TaskTest, SystemsStandByFallingHorizon) {
  const BatchMaker maker = random_maker({.objects = {3, 1, 4, 2, 2}});
  const std::vector<double> horizons = maker.make({0, 1, 2, 3}, View::kValidate).horizons();
  EXPECT_TRUE(std::is_sorted(horizons.rbegin(), horizons.rend()));
}

TEST(TaskTest, CleanProtocolHoldsOutTrainingSystemsAndScalesOnThemOnly) {
  const Dataset set = simulate({.train = 30, .test = 5, .threads = 1});
  const Parts parts = split_parts(set, {});
  EXPECT_EQ(parts.train.size(), 27U);
  EXPECT_EQ(parts.validation.size(), 3U);
  EXPECT_EQ(parts.test.size(), 5U);
  for (std::int64_t s : parts.validation) EXPECT_EQ(std::count(parts.train.begin(), parts.train.end(), s), 0);
  EXPECT_EQ(normalisation_systems(set, {}).size(), 30U);
  const TaskOptions paper{.protocol = Protocol::kPaper};
  EXPECT_EQ(split_parts(set, paper).train.size(), 30U);
  EXPECT_EQ(split_parts(set, paper).validation, parts.test);
  EXPECT_EQ(normalisation_systems(set, paper).size(), 35U);
}

// The draws for sets without recordings, written down: they decide what a run of an earlier version validates with.
TEST(TaskTest, SystemsWithoutRecordingsAreHeldOutAsEver) {
  const Dataset set = simulate({.train = 30, .test = 5, .threads = 1});
  EXPECT_EQ(split_parts(set, {}).validation, (std::vector<std::int64_t>{7, 11, 13}));
  EXPECT_EQ(split_parts(set, {.seed = 7}).validation, (std::vector<std::int64_t>{5, 19, 28}));
  EXPECT_TRUE(split_parts(set, {}).between.empty());
  EXPECT_TRUE(split_parts(set, {.validation = 0}).validation.empty());
}

// Windows of length 2, one every `stride`, of recordings with this many windows each.
Dataset windows(const std::vector<int>& counts, double stride, bool backwards = false) {
  Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  d.time_scale = d.conditioning_length = 2.0;
  for (std::size_t r = 0; r < counts.size(); ++r)
    for (int k = 0; k < counts[r]; ++k) d.recordings.push_back("recording " + std::to_string(r));
  DatasetBuilder builder(d);
  for (const int count : counts)
    for (int k = 0; k < count; ++k) {
      const double origin = 100 + stride * (backwards ? count - 1 - k : k);
      builder.begin_system(Part::kTrain, origin);
      builder.add_object();
      for (int j = 0; j < 4; ++j) builder.add_observation(origin + 0.5 * j, std::vector<double>{1.0 * j});
    }
  return builder.finish("windows");
}

// Every window is in one part, and windows of one recording on both sides are `gap` apart.
void expect_apart(const Dataset& set, const Parts& parts, double gap) {
  std::vector<std::int64_t> all = parts.train;
  all.insert(all.end(), parts.validation.begin(), parts.validation.end());
  all.insert(all.end(), parts.between.begin(), parts.between.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, set.systems_in(Part::kTrain));
  const auto& recordings = set.description().recordings;
  for (const std::int64_t t : parts.train)
    for (const std::int64_t v : parts.validation) {
      const bool apart = recordings[t] != recordings[v] || set.origin(t) + 2.0 + gap <= set.origin(v) + 1e-9;
      EXPECT_TRUE(apart) << t << " and " << v;
    }
}

TEST(WindowSplitTest, OneRecordingIsSplitInTime) {
  const Dataset set = windows({20}, 2.0);
  const Parts parts = split_parts(set, {});
  EXPECT_EQ(parts.validation, (std::vector<std::int64_t>{18, 19}));
  EXPECT_TRUE(parts.between.empty());
  EXPECT_EQ(parts.train.size(), 18U);
  expect_apart(set, parts, 0.0);
  EXPECT_EQ(split_parts(windows({20}, 2.0, /*backwards=*/true), {}).validation, (std::vector<std::int64_t>{0, 1}));
}

TEST(WindowSplitTest, OverlappingWindowsAreNeverOnBothSides) {
  for (const double stride : {0.25, 0.5, 0.7, 1.0}) {
    const Dataset set = windows({60}, stride);
    const Parts parts = split_parts(set, {});
    EXPECT_EQ(parts.validation.size(), 6U);
    EXPECT_FALSE(parts.between.empty());
    expect_apart(set, parts, 0.0);
  }
}

TEST(WindowSplitTest, TheGapIsNarrowerWhereNothingElseWouldTrain) {
  const Dataset two = windows({2}, 2.0);  // neighbours: no room for a window between them
  EXPECT_EQ(split_parts(two, {}).train, (std::vector<std::int64_t>{0}));
  EXPECT_EQ(split_parts(two, {}).validation, (std::vector<std::int64_t>{1}));
  const Dataset crowded = windows({3}, 0.5);  // all overlap: nothing can be held out
  EXPECT_EQ(split_parts(crowded, {}).train.size(), 3U);
  EXPECT_TRUE(split_parts(crowded, {}).validation.empty());
  EXPECT_TRUE(split_parts(crowded, {}).between.empty());
}

TEST(WindowSplitTest, ThreeRecordingsAreSplitInTimeEach) {
  const Dataset set = windows({30, 20, 10}, 1.0);
  const Parts parts = split_parts(set, {});
  expect_apart(set, parts, 0.0);
  EXPECT_EQ(parts.validation, (std::vector<std::int64_t>{27, 28, 29, 48, 49, 59}));
  EXPECT_EQ(split_parts(set, {.seed = 9}).validation, parts.validation);
}

TEST(WindowSplitTest, ARecordingOfOneWindowTrains) {
  const Dataset set = windows({1, 12, 1}, 2.0);
  const Parts parts = split_parts(set, {.validation = 0.5});
  expect_apart(set, parts, 0.0);
  for (const std::int64_t s : {0, 13}) EXPECT_EQ(std::count(parts.train.begin(), parts.train.end(), s), 1);
  EXPECT_EQ(parts.validation.size(), 6U);
  EXPECT_EQ(split_parts(windows({1}, 2.0), {}).train.size(), 1U);
}

TEST(WindowSplitTest, OfManyRecordingsWholeOnesAreHeldOut) {
  const Dataset set = windows({10, 10, 10, 10, 10, 10, 10, 10, 10, 10}, 0.5);
  std::set<std::vector<std::int64_t>> choices;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Parts parts = split_parts(set, {.validation = 0.2, .seed = seed});
    EXPECT_EQ(parts.validation.size(), 20U);
    EXPECT_TRUE(parts.between.empty());
    std::set<std::string> held, kept;
    for (const std::int64_t s : parts.validation) held.insert(set.description().recordings[s]);
    for (const std::int64_t s : parts.train) kept.insert(set.description().recordings[s]);
    EXPECT_EQ(held.size(), 2U);
    EXPECT_EQ(kept.size(), 8U);
    choices.insert(parts.validation);
    EXPECT_EQ(split_parts(set, {.validation = 0.2, .seed = seed}).validation, parts.validation);
  }
  EXPECT_GT(choices.size(), 3U);
  // At least one and never all, however small or large the share.
  EXPECT_EQ(split_parts(set, {.validation = 0.001}).validation.size(), 10U);
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    EXPECT_FALSE(split_parts(windows({1, 1, 1, 1, 50}, 1.0), {.validation = 0.9, .seed = seed}).train.empty());
  EXPECT_TRUE(split_parts(set, {.validation = 0}).validation.empty());
}

TEST(TaskTest, WindowFollowsTheLengths) {
  const Dataset set = simulate({.train = 2, .test = 1, .threads = 1});
  EXPECT_DOUBLE_EQ(default_window(set, 0.6), (60 - 40 * 0.6) / 60);
}

TEST(TaskTest, CellIsTheGridOfTheTimes) {
  EXPECT_NEAR(default_grid_step(simulate({.train = 2, .test = 1, .threads = 1})), 1.0 / 60, 1e-12);
  EXPECT_DOUBLE_EQ(default_grid_step(random_maker({.max_length = 40}).dataset()), 0.01);  // no grid
}

TEST(TaskTest, MissingValuesAreZeroAndMasked) {
  const BatchMaker maker = random_maker({.missing = 0.4});
  const Batch b = maker.make({0, 2}, View::kTrain);
  std::int64_t missing = 0;
  for (std::size_t k = 0; k < b.observation_mask.size(); ++k) {
    if (b.observation_mask[k] == 1.0F) continue;
    ++missing;
    EXPECT_EQ(b.observation_values[k], 0.0F);
  }
  EXPECT_GT(missing, 0);
}

// Training systems; only the ones in `usable` are observed after the middle.
Dataset some_usable(int systems, const std::function<bool(int)>& usable) {
  Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  DatasetBuilder builder(d);
  for (int s = 0; s < systems; ++s) {
    builder.begin_system(Part::kTrain);
    builder.add_object();
    for (int k = 0; k < (usable(s) ? 10 : 4); ++k) builder.add_observation(0.1 * k, std::vector<double>{1.0 * k});
  }
  return builder.finish("some");
}

BatchMaker forecasts(const Dataset& set) { return {set, {{1.0}}, {.task = Task::kExtrapolate}}; }

TEST(TaskTest, SystemsThatCanBeUsedAreSplitAsEver) {
  const Dataset set = some_usable(30, [](int) { return true; });
  const Parts all = split_parts(set, {.task = Task::kExtrapolate}), usable = split_parts(forecasts(set));
  EXPECT_EQ(usable.train, all.train);
  EXPECT_EQ(usable.validation, all.validation);
  EXPECT_EQ(usable.validation, (std::vector<std::int64_t>{7, 11, 13}));
}

TEST(TaskTest, SystemsWithoutTargetsAreNotDrawnToValidate) {
  const Dataset set = some_usable(30, [](int s) { return s % 10 == 0; });
  const BatchMaker maker = forecasts(set);
  EXPECT_EQ(maker.use_of(0), Use::kUsable);
  EXPECT_EQ(maker.use_of(1), Use::kWithoutTargets);
  const Parts parts = split_parts(maker);
  EXPECT_EQ(parts.train.size(), 2U);
  EXPECT_EQ(parts.validation.size(), 1U);
  for (const std::int64_t s : parts.train) EXPECT_EQ(s % 10, 0);
}

TEST(PredictionRequestTest, InterpolationSeesTheWholeRangeFromItsBegin) {
  const BatchMaker maker = springs({});
  const Batch b = maker.make_prediction({{20, {}, {0.05, 3.3, 5.99}}});
  EXPECT_DOUBLE_EQ(b.start[0], 0.0);
  EXPECT_EQ(b.targets(), 15);
  EXPECT_TRUE(b.target_values.empty() && b.target_mask.empty() && b.target_seen.empty());
  for (double t : b.observation_times) EXPECT_LT(t, 1.0);
  const Batch all = springs({.observed = 1.0}).make({20}, View::kTest);
  EXPECT_EQ(b.observation_times, all.observation_times);
}

TEST(PredictionRequestTest, ExtrapolationStartsAtTheLastObservationOrWhereTold) {
  const BatchMaker maker = springs({.task = Task::kExtrapolate});
  const double last = maker.default_start(20);
  EXPECT_GT(last, 10.0);
  const Batch b = maker.make_prediction({{20, {}, {last + 1.0}}});
  for (double t : b.observation_times) EXPECT_LE(t, 1e-9);
  for (double t : b.observation_times) EXPECT_GE(t, -0.5 - 1e-9);
  EXPECT_NEAR(maker.make_prediction({{20, 6.0, {9.0}}}).target_times[0], 0.5, 1e-12);
  EXPECT_THROW(maker.make_prediction({{20, 6.0, {5.9}}}), ConfigError);
  EXPECT_THROW(maker.make_prediction({{20, -50.0, {5.9}}}), ConfigError);  // nothing was seen by then
}

// Observations at 0, 0.5, ..., 3: the range is [0, 2), so a forecast of the test part starts at 2.
TEST(PredictionRequestTest, AForecastSeesWhatAnEvaluationSees) {
  Description about;
  about.features = {{"x", "", 0, -1}};
  about.relation_types = {"r"};
  about.time_scale = about.conditioning_length = 2;
  DatasetBuilder builder(about);
  for (const Part part : {Part::kTrain, Part::kTest}) {
    builder.begin_system(part);
    builder.add_object();
    for (int k = 0; k < 7; ++k) builder.add_observation(0.5 * k, std::vector<double>{1.0 * k});
  }
  const BatchMaker maker(builder.finish("set"), {{1}}, {.task = Task::kExtrapolate, .observed = 1});
  const auto context = [](const Scene& scene) {
    return std::vector<RowIndex>(scene.context[0].begin(), scene.context[0].end());
  };
  const Scene evaluated = maker.scene(1, View::kTest);
  EXPECT_DOUBLE_EQ(evaluated.start, 2.0);
  const Scene predicted = maker.scene(BatchMaker::Request{1, 2.0, {2.5}});
  EXPECT_EQ(context(predicted), context(evaluated));
  EXPECT_EQ(context(predicted).back(), 3);  // at 1.5
  BatchMaker::Request with{1, 2.0, {2.5}};
  with.include_start = true;
  EXPECT_EQ(context(maker.scene(with)).back(), 4);
  EXPECT_EQ(context(maker.scene(BatchMaker::Request{1, {}, {3.5}})).back(), 6);  // the last one, where it starts
}

TEST(ClockTest, AModelKeepsTheClockOfItsTrainingData) {
  const Dataset longer = simulate({.train = 2, .test = 1, .horizon = 120, .threads = 1});
  const BatchMaker maker(longer, {{1, 1, 1, 1}}, {}, {6.0, 6.0});
  const Batch b = maker.make_prediction({{0, {}, {3.0}}});
  EXPECT_DOUBLE_EQ(b.target_times[0], 0.5);
  for (double t : b.observation_times) EXPECT_LT(t, 1.0);
}

}  // namespace
}  // namespace lgode::data
