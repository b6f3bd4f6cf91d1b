// Scenes by row numbers: batches keep them, callers choose them, and rows may be in no data set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/data/batch_maker.h"
#include "support/batches.h"

namespace lgode::data {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

BatchMaker maker_of(Task task, double missing = 0.0) {
  TaskOptions options;
  options.task = task;
  options.observed = 0.5;
  return lgode::testing::random_maker({.objects = {3, 1, 4, 2}, .missing = missing}, options);
}

// A copy of a system's arrays, as a caller may have them.
struct OwnArrays {
  OwnArrays(const Dataset& set, std::int64_t system) : origin(set.origin(system)) {
    for (std::int64_t i = set.first_object(system); i < set.first_object(system) + set.objects_of(system); ++i) {
      times.insert(times.end(), set.times_of(i).begin(), set.times_of(i).end());
      values.insert(values.end(), set.values_of(i).begin(), set.values_of(i).end());
      offsets.push_back(static_cast<std::int64_t>(times.size()));
    }
  }
  SceneSource source(std::size_t features) const {
    return {.offsets = offsets, .times = times, .values = values, .origin = origin, .features = features};
  }
  std::vector<std::int64_t> offsets{0};
  std::vector<double> times, values;
  double origin;
};

void expect_same(const Batch& a, const Batch& b) {
  EXPECT_EQ(a.object, b.object);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.centre, b.centre);
  EXPECT_EQ(a.relation_sources, b.relation_sources);
  EXPECT_EQ(a.relation_offsets, b.relation_offsets);
  EXPECT_EQ(a.relation_types, b.relation_types);
  EXPECT_EQ(a.relation_weights, b.relation_weights);
  EXPECT_EQ(a.observation_times, b.observation_times);
  EXPECT_EQ(a.observation_values, b.observation_values);
  EXPECT_EQ(a.observation_mask, b.observation_mask);
  EXPECT_EQ(a.observation_rows, b.observation_rows);
  EXPECT_EQ(a.target_times, b.target_times);
  EXPECT_EQ(a.target_rows, b.target_rows);
}

TEST(SceneRowsTest, ABatchKeepsTheRowsOfObservationsAndTargets) {
  for (const Task task : {Task::kInterpolate, Task::kExtrapolate}) {
    const BatchMaker maker = maker_of(task, 0.2);
    const Dataset& set = maker.dataset();
    const Batch batch = maker.make({2, 0, 3}, View::kTrain, 1);
    ASSERT_EQ(batch.observation_rows.size(), batch.observation_times.size());
    ASSERT_EQ(batch.target_rows.size(), batch.target_times.size());
    for (std::int64_t b = 0; b < batch.systems(); ++b)
      for (std::int64_t n = batch.object_offsets[b]; n < batch.object_offsets[b + 1]; ++n) {
        const std::int64_t i = set.first_object(batch.system[b]) + batch.object[n];
        const auto model_time = [&](std::int32_t row) {
          return (set.times_of(i)[static_cast<std::size_t>(row)] - set.origin(batch.system[b])) /
                     maker.clock().time_scale -
                 batch.start[b];
        };
        for (std::int64_t m = batch.observation_offsets[n]; m < batch.observation_offsets[n + 1]; ++m)
          EXPECT_EQ(batch.observation_times[m], model_time(batch.observation_rows[m]));
        for (std::int64_t t = batch.target_offsets[n]; t < batch.target_offsets[n + 1]; ++t)
          EXPECT_EQ(batch.target_times[t], std::max(model_time(batch.target_rows[t]), 0.0));
      }
    EXPECT_TRUE(maker.make_prediction({{0, {}, {maker.default_start(0) + 0.1}}}).target_rows.empty());
  }
}

TEST(SceneRowsTest, ScenesMakeTheSameBatchAsSystems) {
  const BatchMaker maker = maker_of(Task::kExtrapolate);
  const std::vector<Scene> scenes = {maker.scene(1, View::kTrain, 2, 7), maker.scene(2, View::kTrain, 2, 7)};
  const Batch batch = maker.assemble(scenes), systems = maker.make({1, 2}, View::kTrain, 2, 7);
  expect_same(batch, systems);
  EXPECT_EQ(batch.system, systems.system);
  EXPECT_EQ(batch.place, systems.place);
  EXPECT_EQ(batch.horizons()[0], maker.horizon(scenes[static_cast<std::size_t>(batch.place[0])]));
}

TEST(SceneRowsTest, RowsMayBeInNoDataSet) {
  for (const Task task : {Task::kInterpolate, Task::kExtrapolate}) {
    const BatchMaker maker = maker_of(task, 0.2);
    const Dataset& set = maker.dataset();
    const double start = maker.default_start(2);
    const std::vector<double> times = {start, start + 0.2};
    OwnArrays own(set, 2);
    const SceneSource source = own.source(static_cast<std::size_t>(set.features()));
    EXPECT_EQ(maker.default_start(source), start);
    Scene scene = maker.scene(source, times);
    scene.relations = source_of(set, 2).relations();
    const Batch batch = maker.assemble({&scene, 1}), expected = maker.make_prediction({{2, {}, times}});
    expect_same(batch, expected);
    EXPECT_EQ(batch.system[0], 0);  // the scene's number
    // Another clock: the same rows at other model times.
    for (double& t : own.times) t += 1000;
    own.origin += 1000;
    Scene later = maker.scene(own.source(source.features), {times[0] + 1000, times[1] + 1000});
    EXPECT_EQ(maker.assemble({&later, 1}).observation_rows, batch.observation_rows);
  }
}

TEST(SceneRowsTest, ACallerChoosesTheContextAndTheTargets) {
  const BatchMaker maker = maker_of(Task::kExtrapolate);
  Scene scene = maker.scene(0, View::kValidate);
  ObjectRows context, targets;
  for (std::int64_t i = 0; i < scene.source.objects(); ++i) {
    context.add(std::vector<RowIndex>(i == 1 ? 0 : 1, 2));
    targets.add(std::vector<RowIndex>{4, 5});
  }
  scene.context = context, scene.targets = targets;
  const Batch batch = maker.assemble({&scene, 1});
  EXPECT_EQ(batch.object, (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(batch.observation_rows, (std::vector<std::int32_t>{2, 2}));
  EXPECT_EQ(batch.target_rows, (std::vector<std::int32_t>{4, 5, 4, 5}));
  EXPECT_EQ(batch.unseen_objects, 1);
  // Times instead of rows.
  scene.targets.reset(), scene.times = {scene.start + 0.5};
  EXPECT_EQ(maker.assemble({&scene, 1}).targets(), 2);
  EXPECT_EQ(maker.assemble({&scene, 1}).observation_values, batch.observation_values);
  EXPECT_FALSE(maker.time_before_start(scene));
  scene.times = {scene.start - 0.5, scene.start};
  EXPECT_EQ(maker.time_before_start(scene), scene.times.front());
}

TEST(SceneRowsTest, ACallerMayChooseTheCentre) {
  TaskOptions options;
  options.task = Task::kExtrapolate, options.centre = Centre::kSystem;
  const BatchMaker maker = lgode::testing::random_maker({.objects = {3, 1, 4, 2}}, options);
  Scene scene = maker.scene(0, View::kValidate);
  const Batch own = maker.assemble({&scene, 1});
  scene.centre = own.centre;
  expect_same(maker.assemble({&scene, 1}), own);
  scene.centre->front() += 3;
  const Batch moved = maker.assemble({&scene, 1});
  EXPECT_EQ(moved.centre, *scene.centre);
  EXPECT_NEAR(moved.observation_values[0], own.observation_values[0] - 3 / maker.normalisation().scale[0], 1e-6);
}

TEST(SceneRowsTest, ABatchHasTargetRowsOrTimes) {
  const BatchMaker maker = maker_of(Task::kInterpolate);
  const std::vector<Scene> scenes = {maker.scene(0, View::kTest), maker.scene({1, {}, {0.5}})};
  EXPECT_THROW(maker.assemble(scenes), ConfigError);
  EXPECT_EQ(maker.assemble({}).systems(), 0);
}

TEST(SceneRowsTest, ASystemIsObservedWhereARowHasAValue) {
  const std::vector<std::int64_t> offsets = {0, 3, 3, 5};
  const std::vector<double> times = {1, 2, 3, 0, 2.5}, values = {kNaN, 5, 6, kNaN, 7};
  const SceneSource source{.offsets = offsets, .times = times, .values = values, .features = 1};
  const std::optional<TimeSpan> span = observed_span(source);
  ASSERT_TRUE(span);
  EXPECT_EQ(span->first, 2);
  EXPECT_EQ(span->last, 3);
  const std::vector<double> nothing(5, kNaN);
  EXPECT_FALSE(observed_span({.offsets = offsets, .times = times, .values = nothing, .features = 1}));
}

TEST(SceneRowsTest, TheFirstMeanIsOverTheFirstTimeThatShowsAFeature) {
  FirstMean mean(3);
  mean.add(2, std::vector<double>{8, 1, kNaN});
  mean.add(1, std::vector<double>{1, kNaN, kNaN});
  mean.add(1, std::vector<double>{3, kNaN, kNaN});
  mean.add(3, std::vector<double>{50, 50, kNaN});
  EXPECT_EQ(mean[0], 2);
  EXPECT_EQ(mean[1], 1);
  EXPECT_FALSE(mean.known(2));
  EXPECT_EQ(mean[2], 0);
  EXPECT_EQ(velocity_since({1, 4}, {3, 8}, 2), 2);
  EXPECT_TRUE(std::isnan(velocity_since({1, 4}, {3, 8}, 1.9)));
  EXPECT_TRUE(std::isnan(velocity_since({}, {3, 8}, 5)));
}

}  // namespace
}  // namespace lgode::data
