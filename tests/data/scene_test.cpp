// Batches of scenes in which objects come and go: who is present, what is shown of them, and what follows from it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/data/batch_maker.h"

namespace lgode::data {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Row {
  double time, x, y;
};

Description about(EdgeRule edges = {}, bool derived = false) {
  Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 1, -1}};
  if (derived) {
    d.features.push_back({"vx", "m/s", 2, 0, true});
    d.features.push_back({"vy", "m/s", 3, 1, true});
  }
  d.relation_types = {"related"};
  d.time_scale = d.conditioning_length = 10;
  d.edges = std::move(edges);
  return d;
}

Dataset scene(const std::vector<std::vector<Row>>& objects, EdgeRule edges = {}, bool derived = false) {
  DatasetBuilder builder(about(std::move(edges), derived));
  builder.begin_system(Part::kTrain, 0, "scene");
  for (std::size_t i = 0; i < objects.size(); ++i) {
    builder.add_object(std::string(1, static_cast<char>('a' + i)));
    for (const Row& row : objects[i]) {
      std::vector<double> values = {row.x, row.y};
      if (derived) values.insert(values.end(), 2, kNaN);
      builder.add_observation(row.time, values);
    }
  }
  return builder.finish("scene");
}

TaskOptions forecast() {
  TaskOptions task;
  task.task = Task::kExtrapolate;
  task.observed = 1;
  task.centre = Centre::kNone;
  return task;
}

Batch make(const Dataset& set, const TaskOptions& task, View view = View::kValidate, std::int64_t draw = 0) {
  Normalisation ones;
  ones.scale.assign(static_cast<std::size_t>(set.features()), 1.0);
  return BatchMaker(set, ones, task).make({0}, view, draw);
}

EdgeRule nearest(std::int64_t count) {
  return {.kind = EdgeRule::Kind::kNearest, .neighbours = count, .radius = 0, .positions = {0, 1}};
}
EdgeRule within(double radius) {
  return {.kind = EdgeRule::Kind::kWithin, .neighbours = 0, .radius = radius, .positions = {0, 1}};
}

std::vector<std::int64_t> sources_of(const Batch& batch, std::int64_t target) {
  const auto begin = batch.relation_sources.begin();
  return {begin + batch.relation_offsets[target], begin + batch.relation_offsets[target + 1]};
}

// The start is at 5: a is there throughout, b leaves before, c enters after.
const std::vector<std::vector<Row>> kComeAndGo = {
    {{1, 1, 0}, {2, 2, 0}, {6, 6, 0}, {7, 7, 0}}, {{1, 0, 3}, {3, 0, 4}}, {{6, 9, 9}, {8, 9, 10}}};

TEST(SceneTest, ObjectsFirstSeenAfterTheStartAreAbsent) {
  const Batch batch = make(scene(kComeAndGo, {.kind = EdgeRule::Kind::kAll, .positions = {}}), forecast());
  EXPECT_EQ(batch.object, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(batch.objects(), 2);
  EXPECT_EQ(batch.targets(), 2);  // targets of a
  EXPECT_EQ(batch.relation_sources, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(batch.unseen_objects, 1);
  // Differences from the mean of what is shown: x (1 + 2 + 0 + 0) / 4, y (0 + 0 + 3 + 4) / 4.
  EXPECT_EQ(batch.unseen_errors, (std::vector<float>{8.25F, 7.25F, 8.25F, 8.25F}));
}

TEST(SceneTest, UnseenObjectsTakePartWhereAskedFor) {
  TaskOptions task = forecast();
  task.unseen = Unseen::kPredict;
  const Batch batch = make(scene(kComeAndGo), task);
  EXPECT_EQ(batch.objects(), 3);
  EXPECT_EQ(batch.targets(), 4);
  EXPECT_EQ(batch.unseen_objects, 0);
}

TEST(SceneTest, ASystemOfWhichNothingIsShownIsAbsent) {
  const Batch batch = make(scene({{{6, 1, 1}, {7, 1, 1}}}), forecast());
  EXPECT_EQ(batch.systems(), 0);
  EXPECT_FALSE(batch.asks_something());
  EXPECT_EQ(batch.unseen_objects, 1);
  EXPECT_EQ(batch.unseen_errors.size(), 4U);
}

TEST(SceneTest, EmptyRowsAreNeitherShownNorAskedFor) {
  const Dataset set = scene({{{1, 1, 0}, {2, kNaN, kNaN}, {3, 3, 0}, {6, kNaN, kNaN}, {7, 7, kNaN}}});
  EXPECT_EQ(set.rows(), 5);
  EXPECT_EQ(set.observations(), 3);
  EXPECT_EQ(set.empty_rows(), 2);
  EXPECT_TRUE(set.has_missing());  // y at 7
  EXPECT_EQ(set.description().max_length, 3);
  const Batch batch = make(set, forecast());
  EXPECT_EQ(batch.observations(), 2);
  EXPECT_EQ(batch.targets(), 1);
  // The same as without them.
  const Batch other = make(scene({{{1, 1, 0}, {3, 3, 0}, {7, 7, kNaN}}}), forecast());
  EXPECT_EQ(batch.observation_times, other.observation_times);
  EXPECT_EQ(batch.observation_values, other.observation_values);
  EXPECT_EQ(batch.target_times, other.target_times);
}

TEST(SceneTest, AForecastStartsAtTheLastObservationNotAtAnEmptyRow) {
  const Dataset set = scene({{{1, 1, 0}, {4, 4, 0}, {9, kNaN, kNaN}}});
  const BatchMaker maker(set, {{1.0, 1.0}}, forecast());
  EXPECT_EQ(maker.default_start(0), 4);
}

TEST(SceneTest, PositionsAreRelativeToTheMeanOfWhatIsShown) {
  TaskOptions task = forecast();
  task.centre = Centre::kSystem;
  const Batch batch = make(scene(kComeAndGo), task);
  EXPECT_EQ(batch.centre, (std::vector<double>{0.75, 1.75}));
  EXPECT_FLOAT_EQ(batch.observation_values[0], 0.25F);
  EXPECT_FLOAT_EQ(batch.target_values[0], 5.25F);
  // The centre follows from what is shown alone.
  auto moved = kComeAndGo;
  moved[0][2].x = 100, moved[2][0].y = -100;
  EXPECT_EQ(make(scene(moved), task).centre, batch.centre);
  // A scene elsewhere looks the same.
  for (auto& object : moved = kComeAndGo)
    for (Row& row : object) row.x += 1024;
  const Batch there = make(scene(moved), task);
  EXPECT_EQ(there.observation_values, batch.observation_values);
  EXPECT_EQ(there.target_values, batch.target_values);
  EXPECT_EQ(there.centre[0], 1024.75);
}

TEST(SceneTest, VelocitiesAreNotCentred) {
  Description d = about();
  d.features[1] = {"v", "m/s", 1, 0};
  DatasetBuilder builder(d);
  builder.begin_system(Part::kTrain);
  builder.add_object();
  for (const double t : {1.0, 2.0, 6.0}) builder.add_observation(t, std::vector<double>{t + 10, 1.0});
  TaskOptions task = forecast();
  task.centre = Centre::kSystem;
  const Batch batch = make(builder.finish("moving"), task);
  EXPECT_EQ(batch.centre, (std::vector<double>{11.5, 0}));
  EXPECT_FLOAT_EQ(batch.target_values[1], 1.0F);
}

TEST(SceneTest, DerivedVelocitiesComeFromShownNeighboursOnly) {
  // Interpolation, half of the observations shown.
  std::vector<Row> rows;
  for (int k = 0; k < 9; ++k) rows.push_back({static_cast<double>(k), static_cast<double>(k * k), 0});
  TaskOptions task;
  task.observed = 0.5;
  const Batch batch = make(scene({rows}, {}, true), task);
  ASSERT_EQ(batch.observations(), 4);
  for (std::size_t m = 0; m < 4; ++m) {
    // x = t^2: exact in the middle, the slope of the only neighbour at the ends.
    const auto t = [&](std::size_t k) { return batch.observation_times[k] * 10; };
    const double expected = m == 0 ? t(0) + t(1) : m == 3 ? t(2) + t(3) : 2 * t(m);
    EXPECT_NEAR(batch.observation_values[m * 4 + 2], expected, 1e-4) << m;
    EXPECT_EQ(batch.observation_mask[m * 4 + 2], 1.0F);
  }
  // Masked values have no effect, and velocities are not targets.
  auto other = rows;
  for (std::size_t t = 0; t < rows.size(); ++t)
    if (batch.target_seen[t] == 0) other[t].x = -50;
  EXPECT_EQ(make(scene({other}, {}, true), task).observation_values, batch.observation_values);
  for (std::int64_t t = 0; t < batch.targets(); ++t) {
    EXPECT_EQ(batch.target_mask[t * 4 + 0], 1.0F);
    EXPECT_EQ(batch.target_mask[t * 4 + 2], 0.0F);
  }
}

TEST(SceneTest, ASingleObservationHasNoDerivedVelocity) {
  const Dataset set = scene({{{1, 5, 5}, {7, 5, 5}}}, {}, true);
  EXPECT_FALSE(set.has_missing());
  EXPECT_EQ(set.empty_rows(), 0);
  const Batch batch = make(set, forecast());
  EXPECT_EQ(batch.observation_mask, (std::vector<float>{1, 1, 0, 0}));
}

// For models that follow streams: the centre and velocities of a time do not change with what is shown later.
TEST(SceneTest, WithLeaveABatchLooksBackOnly) {
  const std::vector<std::vector<Row>> early = {{{0.5, 1, 8}, {1, 3, 8}, {7, 0, 0}}, {{0.5, 2, kNaN}, {7, 0, 0}}};
  TaskOptions task = forecast();
  task.centre = Centre::kSystem;
  task.leave = 2;
  const Batch batch = make(scene(early, {}, true), task);
  EXPECT_EQ(batch.centre, (std::vector<double>{1.5, 8, 0, 0}));
  auto more = early;
  more[0].insert(more[0].begin() + 2, {4, 9, 9});  // after more than 2 unseen
  more[1].insert(more[1].begin() + 1, {2, 5, 6});
  const Batch later = make(scene(more, {}, true), task);
  EXPECT_EQ(later.centre, batch.centre);
  EXPECT_EQ(later.observation_mask, (std::vector<float>{1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0}));
  EXPECT_FLOAT_EQ(later.observation_values[6], 4.0F);
  EXPECT_FLOAT_EQ(later.observation_values[18], 2.0F);
}

TEST(SceneTest, NearObjectsAreThoseNearInWhatIsShown) {
  // At the start b is nearest to a; over the whole recording c would be.
  const std::vector<std::vector<Row>> rows = {
      {{1, 0, 0}, {4, 0, 0}, {6, 0, 0}}, {{1, 9, 0}, {4, 1, 0}, {6, 50, 0}}, {{1, 3, 0}, {4, 3, 0}, {6, 0, 0}}};
  EXPECT_EQ(sources_of(make(scene(rows, nearest(1)), forecast()), 0), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(sources_of(make(scene(rows, within(2)), forecast()), 0), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(sources_of(make(scene(rows, within(3)), forecast()), 0), (std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(sources_of(make(scene(rows, within(0.5)), forecast()), 0).empty());
  EXPECT_EQ(sources_of(make(scene(rows, nearest(9)), forecast()), 2).size(), 2U);
  // Unseen values do not change relations.
  auto other = rows;
  other[1][2].x = 0.1, other[2][2].x = -70;
  EXPECT_EQ(make(scene(other, nearest(1)), forecast()).relation_sources,
            make(scene(rows, nearest(1)), forecast()).relation_sources);
}

TEST(SceneTest, ListedRelationsAreKeptAmongThosePresent) {
  DatasetBuilder builder(about());
  builder.begin_system(Part::kTrain);
  for (const auto& object : kComeAndGo) {
    builder.add_object();
    for (const Row& row : object) builder.add_observation(row.time, std::vector<double>{row.x, row.y});
  }
  builder.add_relation({2, 0}), builder.add_relation({1, 0, 0, 0.5F}), builder.add_relation({0, 2});
  const Batch batch = make(builder.finish("listed"), forecast());
  EXPECT_EQ(batch.relation_sources, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(batch.relation_weights, (std::vector<float>{0.5F}));
  EXPECT_EQ(batch.relation_offsets, (std::vector<std::int64_t>{0, 1, 1}));
}

TEST(SceneTest, TrainingHidesValuesButNeverAWholeObservation) {
  std::vector<Row> rows;
  for (int k = 0; k < 400; ++k) rows.push_back({0.01 * k, 1, 2});
  TaskOptions task;
  task.observed = 1;
  task.hide_values = 0.3;
  const Dataset set = scene({rows});
  const auto hidden = [](const Batch& batch) {
    return std::count(batch.observation_mask.begin(), batch.observation_mask.end(), 0.0F);
  };
  const Batch first = make(set, task, View::kTrain, 0);
  // Of both values 9 % would be hidden; then the second stays.
  EXPECT_NEAR(static_cast<double>(hidden(first)) / 800, 0.3 - 0.045, 0.06);
  for (std::size_t m = 0; m < 400; ++m)
    EXPECT_GT(first.observation_mask[2 * m] + first.observation_mask[2 * m + 1], 0.0F);
  EXPECT_NE(make(set, task, View::kTrain, 1).observation_mask, first.observation_mask);
  EXPECT_EQ(make(set, task, View::kTrain, 0).observation_mask, first.observation_mask);
  EXPECT_EQ(hidden(make(set, task, View::kValidate)), 0);
  EXPECT_EQ(std::count(first.target_mask.begin(), first.target_mask.end(), 0.0F), 0);
}

TEST(SceneTest, ValuesAreHiddenWhereTheSetLacksSome) {
  EXPECT_EQ(hidden_share(scene({{{1, 1, 1}}}), {}), 0);
  EXPECT_EQ(hidden_share(scene({{{1, 1, 1}, {2, kNaN, kNaN}}}), {}), 0);
  EXPECT_EQ(hidden_share(scene({{{1, 1, 1}, {2, 1, kNaN}}}), {}), 0.1);
  TaskOptions task;
  task.hide_values = 0;
  EXPECT_EQ(hidden_share(scene({{{1, 1, 1}, {2, 1, kNaN}}}), task), 0);
  // A complete training part, and a test part that lacks a third.
  DatasetBuilder builder(about());
  builder.begin_system(Part::kTrain);
  builder.add_object();
  builder.add_observation(1, std::vector<double>{1, 1});
  builder.begin_system(Part::kTest);
  builder.add_object();
  builder.add_observation(1, std::vector<double>{1, 1});
  builder.add_observation(2, std::vector<double>{kNaN, 1});
  builder.add_observation(3, std::vector<double>{kNaN, 1});
  EXPECT_EQ(hidden_share(builder.finish("gaps"), {}), 0);  // the test part decides nothing
}

TEST(SceneTest, ScalesOfCentredPositionsAndDerivedVelocities) {
  const Dataset set = scene({{{1, 1000, 0}, {2, 1001, 0}, {4, 1007, 0}}}, {}, true);
  EXPECT_EQ(fit_normalisation(set, {0}).scale[0], 1007);
  EXPECT_NEAR(fit_normalisation(set, {0}, true).scale[0], 1007 - 3008.0 / 3, 1e-9);
  EXPECT_EQ(fit_normalisation(set, {0}).scale[2], 3);
}

TEST(SceneTest, RulesAreCheckedAndSurviveAFile) {
  EXPECT_THROW(scene(kComeAndGo, nearest(0)), DataError);
  EXPECT_THROW(scene(kComeAndGo, within(-1)), DataError);
  EdgeRule beyond = within(1);
  beyond.positions = {7};
  EXPECT_THROW(scene(kComeAndGo, beyond), DataError);
  for (const EdgeRule& rule : {nearest(3), within(2.5), EdgeRule{.kind = EdgeRule::Kind::kAll, .positions = {}}}) {
    const Description d = read_description(description_json(about(rule, true)), "here");
    EXPECT_EQ(d.edges.kind, rule.kind);
    EXPECT_EQ(d.edges.neighbours, rule.neighbours);
    EXPECT_EQ(d.edges.radius, rule.radius);
    EXPECT_EQ(d.edges.positions, rule.positions);
    EXPECT_TRUE(d.features[2].derived);
    EXPECT_FALSE(d.features[0].derived);
  }
  EXPECT_NE(scene(kComeAndGo, nearest(3)).fingerprint(), scene(kComeAndGo, nearest(2)).fingerprint());
}

}  // namespace
}  // namespace lgode::data
