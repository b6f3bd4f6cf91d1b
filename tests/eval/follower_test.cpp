// A follower against predictions over the whole past: objects that come, go and come back, missing values, derived
// velocities, late rows, restarts, bounded memory.
#include "lgode/eval/follower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/eval/predict.h"
#include "support/runs.h"
#include "support/temp_folder.h"

namespace lgode::eval {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Scenes {
  data::EdgeRule::Kind edges = data::EdgeRule::Kind::kAll;
  bool derived = false;  // velocities, instead of given ones
  bool grid = false;     // objects share their times
  double missing = 0.0;
  data::Centre centre = data::Centre::kSystem;
  model::Gain gain = model::Gain::kOne;
  bool apart = false;     // objects stay where they are: each has the same neighbours throughout, but not all others
  bool together = false;  // all are present from the begin to the end
  bool outliers = false;  // one glitch of object 0, and a lasting jump of object 3, of which the run has a gate
  int systems = 2, objects = 4;
  double end = 9;  // the training range is 5
  std::optional<Classical> base = {};
};

// Places of objects that are apart: pairs are within 2 of each other, and the two nearest are not mutual.
constexpr double kPlaces[] = {0, 1, 4, 5.5};

// Objects enter at different times; object 1 pauses for longer than the memory of 2.5, and object 2 stops early.
data::Dataset make(const Scenes& scenes) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"vx", "m/s", 1, 0}};
  d.features[2].derived = scenes.derived;
  d.relation_types = {"near", "far"};
  d.edges.kind = scenes.edges;
  // Unless they are apart, all are near: neighbours do not change with time.
  d.edges.positions = {0, 1}, d.edges.radius = scenes.apart ? 2 : 100, d.edges.neighbours = scenes.apart ? 2 : 100;
  d.time_scale = d.conditioning_length = 5;
  data::DatasetBuilder builder(d);
  for (int s = 0; s < scenes.systems; ++s) {
    Random random(5, RandomUse::kTest, {static_cast<std::uint64_t>(s)});
    builder.begin_system(data::Part::kTrain, 100.0, "scene " + std::to_string(s));
    for (int i = 0; i < scenes.objects; ++i) {
      builder.add_object("o" + std::to_string(i));
      const double phase = random.uniform(0, 6);
      int glitches = 0;
      for (double t = 100 + (scenes.together ? 0.0 : 0.5 * i); t < 100 + scenes.end;
           t += scenes.grid ? 0.25 : random.uniform(0.1, 0.6)) {
        if (!scenes.together && i == 1 && t > 102 && t < 105.2) continue;
        if (!scenes.together && i == 2 && t > 104) continue;
        std::vector<double> values = {3.0 + std::sin(t + phase), std::cos(1.3 * t), std::cos(t + phase)};
        if (scenes.apart) values[0] = kPlaces[i] + 0.1 * std::sin(t + phase), values[1] *= 0.1, values[2] *= 0.1;
        for (double& x : values)
          if (random.uniform() < scenes.missing) x = kNaN;
        if (scenes.derived) values[2] = kNaN;
        if (scenes.outliers && i == 0 && t > 103 && glitches++ == 0) values[0] = 4000;
        if (scenes.outliers && i == 3 && t > 105) values[0] += 50;
        if (std::isnan(values[0]) && std::isnan(values[1]) && std::isnan(values[2])) values[1] = 0.5;
        builder.add_observation(t, values);
      }
    }
    if (scenes.edges == data::EdgeRule::Kind::kListed)
      for (int i = 1; i < scenes.objects; ++i)
        builder.add_relation({i, i - 1, i % 2, 0.5F}), builder.add_relation({i - 1, i});
  }
  return builder.finish("scenes");
}

Run run_of(const data::Dataset& set, const Scenes& scenes, double step = 0.05) {
  data::TaskOptions task;
  task.task = data::Task::kExtrapolate;
  task.centre = scenes.centre;
  if (scenes.outliers)
    task.gate = {.reach = {10, 10, data::OutlierGate::kAny}, .gap = 0.5, .forget = 0.5 * set.description().time_scale};
  Run run = lgode::testing::run_on(set, task);
  const data::Description& about = set.description();
  model::ModelOptions& m = run.info.model;
  m.kind = model::ModelKind::kAssimilate, m.gain = scenes.gain;
  m.encoder_width = 8, m.sequence_width = 6, m.hidden = 9, m.state = 5, m.latent = 3, m.heads = 2, m.step = step;
  model::ModelShape& shape = run.info.shape;
  shape.append_mask = true, shape.forecast = true, shape.window = 0.3, shape.memory = 0.5;
  shape.ties = {{0, 2, 1.3, scenes.derived}};
  if (scenes.base) {
    const data::ClassicalFit fit{{0.8, 0.3, 1.7}, {{0.9, 0.02, 0.05, 1.2}, {0.5, 0.2, 0.01, 0.7}, {}}};
    shape.base = data::base_path(*scenes.base, about.features, run.info.normalisation, about.time_scale, fit);
    if (scenes.gain == model::Gain::kLearned) data::set_stationary_gains(*shape.base, 0.06, 0.99);
  }
  run.info.task.leave = 0.5 * about.time_scale;
  run.info.table = about;
  run.model = model::make_model(m, shape, 7);
  at::NoGradGuard no_grad;
  at::Tensor& flat = run.model->parameters().flat();
  flat.add_(at::sin(at::arange(flat.numel(), at::kDouble) * 0.7).to(at::kFloat) * 0.15);
  return run;
}

FollowOptions options_of(const data::Dataset& set, double late = 0) {
  FollowOptions options;
  options.late = late;
  for (std::int64_t s = 0; s < set.systems(); ++s)
    for (std::int64_t e = 0; e < set.relations_of(s); ++e) {
      const data::Relation r = set.relation(set.first_relation(s) + e);
      options.relations.push_back(
          {set.system_id(s), set.object_id(s, r.source), set.object_id(s, r.target), r.type, r.weight});
    }
  return options;
}

// All rows by time.
std::vector<StreamRow> rows_of(const data::Dataset& set) {
  std::vector<StreamRow> rows;
  const auto width = static_cast<std::size_t>(set.features());
  for (std::int64_t s = 0; s < set.systems(); ++s)
    for (std::int64_t i = 0; i < set.objects_of(s); ++i) {
      const std::int64_t object = set.first_object(s) + i;
      const auto times = set.times_of(object), values = set.values_of(object);
      for (std::size_t k = 0; k < times.size(); ++k)
        rows.push_back({set.system_id(s),
                        set.object_id(s, i),
                        times[k],
                        {values.begin() + static_cast<std::ptrdiff_t>(k * width),
                         values.begin() + static_cast<std::ptrdiff_t>((k + 1) * width)}});
    }
  std::stable_sort(rows.begin(), rows.end(), [](const StreamRow& a, const StreamRow& b) { return a.time < b.time; });
  return rows;
}

const std::vector<double> kAhead = {0.0, 0.3, 1.1, 2.0};

// The forecast, and a prediction of the same; at least `least` values are compared.
void expect_same(const SceneForecast& forecast, const Run& run, const data::Dataset& set, std::int64_t system,
                 std::int64_t samples, std::size_t least) {
  PredictOptions options;
  options.systems = {system};
  options.own_times = {forecast.times};
  options.start = forecast.start;
  options.include_start = true;
  options.samples = samples;
  options.context = data::Context::kAll;
  SystemPrediction expected;
  predict(run, set, options, [&](const SystemPrediction& p) { expected = p; });
  const std::size_t each = kAhead.size() * 3;
  std::size_t compared = 0;
  for (std::int64_t i = 0; i < expected.objects; ++i) {
    const auto found = std::find(forecast.objects.begin(), forecast.objects.end(), set.object_id(system, i));
    ASSERT_EQ(found != forecast.objects.end(), has_prediction(expected, i)) << i << " at " << forecast.start;
    if (found == forecast.objects.end()) continue;
    const std::size_t own = static_cast<std::size_t>(found - forecast.objects.begin()) * each;
    for (std::size_t k = 0; k < each; ++k) {
      const double mean = expected.mean[static_cast<std::size_t>(i) * each + k];
      if (std::isnan(mean)) {
        EXPECT_TRUE(std::isnan(forecast.mean[own + k]));
        continue;
      }
      ++compared;
      EXPECT_NEAR(forecast.mean[own + k], mean, 3e-5 + 3e-7 * std::abs(mean))
          << i << " " << k << " at " << forecast.start;
      EXPECT_NEAR(forecast.deviation[own + k], expected.deviation[static_cast<std::size_t>(i) * each + k], 3e-5);
    }
  }
  EXPECT_GE(compared, least);
}

// Whether the newest rows of a scene are complete: the next row of it is later.
bool complete(const std::vector<StreamRow>& rows, std::size_t at) {
  for (std::size_t k = at + 1; k < rows.size(); ++k)
    if (rows[k].system == rows[at].system) return rows[k].time > rows[at].time;
  return true;
}

TEST(FollowerTest, ForecastsEqualPredictionsOverTheWholePast) {
  using Kind = data::EdgeRule::Kind;
  for (const Scenes& scenes :
       {Scenes{}, Scenes{.edges = Kind::kListed, .missing = 0.3}, Scenes{.derived = true, .missing = 0.2},
        Scenes{.derived = true, .grid = true, .centre = data::Centre::kNone}, Scenes{.edges = Kind::kWithin},
        Scenes{.edges = Kind::kNearest}, Scenes{.missing = 0.3, .gain = model::Gain::kLearned},
        Scenes{.missing = 0.4, .gain = model::Gain::kLearned, .base = Classical::kKalman},
        Scenes{.derived = true, .missing = 0.2, .base = Classical::kDampedVelocity},
        Scenes{.missing = 0.3, .base = Classical::kConstantVelocity}, Scenes{.base = Classical::kHold}}) {
    const data::Dataset set = make(scenes);
    for (const double step : {0.05, 0.013}) {
      const eval::Run run = run_of(set, scenes, step);
      Follower follower(run, options_of(set));
      const std::vector<StreamRow> rows = rows_of(set);
      std::int64_t compared = 0;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        ASSERT_EQ(follower.observe(rows[k]), Follower::Taken::kTaken);
        if (k % 5 != 3 || !complete(rows, k)) continue;
        ++compared;
        const std::int64_t system = rows[k].system == "scene 0" ? 0 : 1;
        expect_same(follower.forecast(rows[k].system, {kAhead, 0}), run, set, system, 0, 8);
        if (::testing::Test::HasFailure()) return;
      }
      EXPECT_GT(compared, 10);
    }
  }
}

// The forecasts of a whole stream against predictions.
void expect_same_stream(const Scenes& scenes) {
  const data::Dataset set = make(scenes);
  const eval::Run run = run_of(set, scenes);
  Follower follower(run, options_of(set));
  const std::vector<StreamRow> rows = rows_of(set);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    ASSERT_EQ(follower.observe(rows[k]), Follower::Taken::kTaken);
    if (k % 7 != 3 || !complete(rows, k)) continue;
    expect_same(follower.forecast(rows[k].system, {kAhead, 0}), run, set, rows[k].system == "scene 0" ? 0 : 1, 0, 8);
    if (::testing::Test::HasFailure()) return;
  }
}

// Relations of the last prediction that a batch makes of system 0.
std::size_t relations_in_batch(const Scenes& scenes) {
  const data::Dataset set = make(scenes);
  const data::BatchMaker maker = batch_maker(run_of(set, scenes).info, set);
  return maker.make_prediction({{0, {}, {maker.default_start(0)}}}).relation_sources.size();
}

// The k of nearest objects counts all objects present, so all are: in a batch an object that has left is still a
// neighbour.
TEST(FollowerTest, RulesCutAsInBatches) {
  using Kind = data::EdgeRule::Kind;
  const Scenes nearest{.edges = Kind::kNearest, .grid = true, .apart = true, .together = true};
  EXPECT_EQ(relations_in_batch(nearest), 8U);  // of 12
  expect_same_stream(nearest);
  for (const bool together : {true, false}) {
    const Scenes within{.edges = Kind::kWithin, .apart = true, .together = together};
    if (together) {
      EXPECT_EQ(relations_in_batch(within), 4U);
    }
    expect_same_stream(within);
  }
  const Scenes listed{.edges = Kind::kListed, .derived = true, .apart = true};
  EXPECT_EQ(relations_in_batch({.edges = Kind::kListed, .apart = true, .together = true}), 6U);
  expect_same_stream(listed);
}

// Neighbours decide: the same rows under another rule give other forecasts.
TEST(FollowerTest, ForecastsDependOnTheRule) {
  using Kind = data::EdgeRule::Kind;
  const auto forecast = [](Kind kind) {
    const Scenes scenes{.edges = kind, .grid = true, .apart = true, .together = true};
    const data::Dataset set = make(scenes);
    Follower follower(run_of(set, scenes), options_of(set));
    for (const StreamRow& row : rows_of(set)) follower.observe(row);
    return follower.forecast("scene 0", {kAhead, 0}).mean;
  };
  const std::vector<double> all = forecast(Kind::kAll), nearest = forecast(Kind::kNearest),
                            within = forecast(Kind::kWithin);
  double from_all = 0, between = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (std::isnan(all[k])) continue;
    from_all = std::max(from_all, std::abs(static_cast<double>(all[k]) - nearest[k]));
    between = std::max(between, std::abs(static_cast<double>(nearest[k]) - within[k]));
  }
  EXPECT_GT(from_all, 1e-3);
  EXPECT_GT(between, 1e-3);
}

TEST(FollowerTest, OutliersAreJudgedAsInBatches) {
  expect_same_stream({.outliers = true});
  expect_same_stream({.derived = true, .outliers = true});
}

// One glitch moves nobody: forecasts are those of the stream without it, and it is reported once.
TEST(FollowerTest, AGlitchMovesNobody) {
  const Scenes scenes{.together = true, .outliers = true, .systems = 1};
  const data::Dataset set = make(scenes);
  const eval::Run run = run_of(set, scenes);
  std::vector<std::string> reported;
  FollowOptions options = options_of(set);
  options.on_outlier = [&](const std::string& scene, const std::string& object, double time) {
    reported.push_back(scene + " " + object + " " + std::to_string(static_cast<int>(time)));
  };
  Follower all(run, options), without(run, options_of(set)),
      believing(
          [&] {
            eval::Run open = run;
            open.info.task.gate.reset();
            return open;
          }(),
          options_of(set));
  int compared = 0;
  for (const StreamRow& row : rows_of(set)) {
    if (row.time > 105) break;
    all.observe(row), believing.observe(row);
    if (row.values[0] < 1000) without.observe(row);
    if (row.time < 103.5) continue;
    ++compared;
    const SceneForecast a = all.forecast("scene 0", {kAhead, 0}, row.time),
                        b = without.forecast("scene 0", {kAhead, 0}, row.time);
    ASSERT_EQ(a.mean.size(), b.mean.size());
    for (std::size_t k = 0; k < a.mean.size(); ++k)
      EXPECT_TRUE(a.mean[k] == b.mean[k] || std::isnan(a.mean[k])) << k << " " << a.mean[k] << " " << b.mean[k];
  }
  EXPECT_GT(compared, 5);
  EXPECT_EQ(reported, (std::vector<std::string>{"scene 0 o0 103"}));
  EXPECT_EQ(all.kept().outliers, 1);
  EXPECT_EQ(without.kept().outliers, 0);
  const SceneForecast moved = believing.forecast("scene 0", {kAhead, 0}), still = all.forecast("scene 0", {kAhead, 0});
  double most = 0;
  for (std::size_t k = 0; k < moved.mean.size(); ++k)
    if (!std::isnan(moved.mean[k])) most = std::max(most, std::abs(static_cast<double>(moved.mean[k] - still.mean[k])));
  EXPECT_GT(most, 0.01);
}

// A forecast from a time whose only row is flagged starts then, and not at the row before.
TEST(FollowerTest, AFlaggedRowMovesTheClock) {
  const Scenes scenes{.outliers = true, .systems = 1};
  const data::Dataset set = make(scenes);
  const eval::Run run = run_of(set, scenes);
  Follower all(run, options_of(set)), without(run, options_of(set));
  for (const StreamRow& row : rows_of(set)) {
    all.observe(row);
    if (row.values[0] > 1000) {
      const SceneForecast a = all.forecast("scene 0", {kAhead, 0}),
                          b = without.forecast("scene 0", {kAhead, 0}, row.time);
      EXPECT_EQ(a.start, row.time);
      ASSERT_EQ(a.mean.size(), b.mean.size());
      for (std::size_t k = 0; k < a.mean.size(); ++k) EXPECT_TRUE(a.mean[k] == b.mean[k] || std::isnan(a.mean[k])) << k;
      return;
    }
    without.observe(row);
  }
  FAIL() << "no glitch";
}

// The first row of an object may be a glitch: where it is far from all others it moves nobody, and the object enters
// with the next one; a group that is far for good enters once three of its rows agree.
TEST(FollowerTest, AFarFirstRowMovesNobody) {
  const Scenes scenes{.grid = true, .centre = data::Centre::kSystem, .together = true, .systems = 1};
  const data::Dataset set = make(scenes);
  eval::Run run = run_of(set, scenes);
  const double any = data::OutlierGate::kAny;
  run.info.task.gate = {.reach = {10, 10, any}, .gap = 0.5, .forget = 2.5, .extent = {50, 50, any}};
  Follower glitched(run, options_of(set)), plain(run, options_of(set)), far(run, options_of(set));
  std::int64_t rows = 0;
  for (StreamRow row : rows_of(set)) {
    const bool last = row.object == "o3";
    if (!(last && row.time == 100)) plain.observe(row);
    StreamRow other = row;
    if (last && row.time == 100) row.values[0] = 4000;
    if (last) other.values[0] += 4000, ++rows;
    glitched.observe(row), far.observe(other);
    if (!last) continue;
    const SceneForecast a = glitched.forecast("scene 0", {kAhead, 0}), b = plain.forecast("scene 0", {kAhead, 0});
    ASSERT_EQ(std::set(a.objects.begin(), a.objects.end()), std::set(b.objects.begin(), b.objects.end()));
    const std::size_t each = kAhead.size() * 3;
    for (std::size_t i = 0; i < a.objects.size(); ++i) {
      const auto j =
          static_cast<std::size_t>(std::find(b.objects.begin(), b.objects.end(), a.objects[i]) - b.objects.begin());
      for (std::size_t k = 0; k < each; ++k)
        if (!std::isnan(a.mean[i * each + k])) EXPECT_NEAR(a.mean[i * each + k], b.mean[j * each + k], 1e-4);
    }
    EXPECT_EQ(far.forecast("scene 0", {kAhead, 0}).objects.size(), rows < 3 ? 3U : 4U);
  }
  EXPECT_EQ(glitched.kept().outliers, 1);
  EXPECT_EQ(far.kept().outliers, 2);
}

TEST(FollowerTest, AForecastMayStartAfterTheNewestRow) {
  const Scenes scenes;
  const data::Dataset set = make(scenes);
  const eval::Run run = run_of(set, scenes);
  Follower follower(run, options_of(set));
  for (const StreamRow& row : rows_of(set)) follower.observe(row);
  const double newest = follower.newest("scene 0").value();
  for (const double later : {0.01, 0.4, 2.0}) {
    expect_same(follower.forecast("scene 0", {kAhead, 0}, newest + later), run, set, 0, 0, 8);
  }
  EXPECT_TRUE(follower.forecast("scene 0", {kAhead, 0}, newest + 3).objects.empty());
  EXPECT_THROW(follower.forecast("scene 0", {kAhead, 0}, newest - 0.1), ConfigError);
  EXPECT_THROW(follower.forecast("scene 7", {kAhead, 0}), ConfigError);
}

// With as many objects as the prediction has, the samples are the same.
TEST(FollowerTest, IntervalsAreThoseOfPredictions) {
  const Scenes scenes{.systems = 1, .objects = 2, .end = 1.9};
  const data::Dataset set = make(scenes);
  const eval::Run run = run_of(set, scenes);
  Follower follower(run, options_of(set));
  for (const StreamRow& row : rows_of(set)) follower.observe(row);
  const SceneForecast forecast = follower.forecast("scene 0", {kAhead, 30});
  expect_same(forecast, run, set, 0, 30, 24);
  for (std::size_t k = 0; k < forecast.mean.size(); ++k) EXPECT_LT(forecast.low[k], forecast.high[k]);
}

TEST(FollowerTest, LateRowsEqualSortedRows) {
  const Scenes scenes{.derived = true, .grid = true, .missing = 0.2};
  const data::Dataset set = make(scenes);
  const eval::Run run = run_of(set, scenes);
  std::vector<StreamRow> rows = rows_of(set), shuffled = rows;
  Random random(1, RandomUse::kTest);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < rows.size(); ++k) order.emplace_back(rows[k].time + random.uniform(0, 0.9), k);
  std::sort(order.begin(), order.end());
  for (std::size_t k = 0; k < rows.size(); ++k) shuffled[k] = rows[order[k].second];
  Follower sorted(run, options_of(set)), late(run, options_of(set, 1.0));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    ASSERT_EQ(sorted.observe(rows[k]), Follower::Taken::kTaken);
    ASSERT_EQ(late.observe(shuffled[k]), Follower::Taken::kTaken);
    if (k % 11 == 0) late.forecast(shuffled[k].system, {kAhead, 0});  // changes nothing
  }
  for (const std::string& scene : sorted.scenes()) {
    const SceneForecast a = sorted.forecast(scene, {kAhead, 0}), b = late.forecast(scene, {kAhead, 0});
    ASSERT_EQ(a.objects, b.objects);
    EXPECT_EQ(a.start, b.start);
    for (std::size_t k = 0; k < a.mean.size(); ++k) EXPECT_TRUE(a.mean[k] == b.mean[k] || std::isnan(a.mean[k])) << k;
  }
  StreamRow old = rows.back();
  old.time -= 1.5, old.object = "new";
  EXPECT_EQ(late.observe(old), Follower::Taken::kTooLate);
  EXPECT_EQ(late.observe(rows.back()), Follower::Taken::kRepeated);
  old.time += 1, old.values = {kNaN, kNaN, kNaN};
  EXPECT_EQ(late.observe(old), Follower::Taken::kEmpty);
}

class FollowerStateTest : public ::testing::TestWithParam<std::optional<Classical>> {};
INSTANTIATE_TEST_SUITE_P(All, FollowerStateTest,
                         ::testing::Values(std::nullopt, Classical::kKalman, Classical::kConstantVelocity));

TEST_P(FollowerStateTest, GoesOnWithTheSameNumbers) {
  const Scenes scenes{
      .derived = true, .grid = true, .gain = model::Gain::kLearned, .outliers = true, .base = GetParam()};
  const data::Dataset set = make(scenes);
  const eval::Run run = run_of(set, scenes);
  const lgode::testing::TempFolder folder;
  const std::vector<StreamRow> rows = rows_of(set);
  // Right after the first observation of a jump, which is waiting for others that agree.
  const auto jump = static_cast<std::size_t>(
      std::find_if(rows.begin(), rows.end(),
                   [](const StreamRow& row) { return row.values[0] > 40 && row.values[0] < 1000; }) -
      rows.begin());
  ASSERT_LT(jump, rows.size());
  for (const double late : {0.0, 1.0}) {
    Follower whole(run, options_of(set, late));
    for (const StreamRow& row : rows) whole.observe(row);
    for (const std::size_t cut : {std::size_t{1}, rows.size() / 2, jump + 1, rows.size() - 1}) {
      {
        Follower first(run, options_of(set, late));
        for (std::size_t k = 0; k < cut; ++k) first.observe(rows[k]);
        first.save(folder / "state");
      }
      Follower second(run, options_of(set, late));
      second.restore(folder / "state");
      for (std::size_t k = cut; k < rows.size(); ++k) second.observe(rows[k]);
      ASSERT_EQ(second.scenes(), whole.scenes());
      for (const std::string& scene : whole.scenes()) {
        const SceneForecast a = whole.forecast(scene, {kAhead, 5}), b = second.forecast(scene, {kAhead, 5});
        ASSERT_EQ(a.objects, b.objects);
        for (std::size_t k = 0; k < a.mean.size(); ++k)
          EXPECT_TRUE((a.mean[k] == b.mean[k] && a.high[k] == b.high[k]) || std::isnan(a.mean[k])) << k;
      }
    }
  }
  eval::Run other = run_of(set, scenes);
  at::NoGradGuard no_grad;
  other.model->parameters().flat().add_(1e-3);
  Follower foreign(other, options_of(set, 1.0));
  EXPECT_THROW(foreign.restore(folder / "state"), DataError);
}

TEST(FollowerTest, WhatIsKeptIsBounded) {
  Scenes scenes{.derived = true, .systems = 1};
  const data::Dataset set = make(scenes);
  Follower follower(run_of(set, scenes), options_of(set, 0.5));
  // Ten objects at a time, each there for 3 time units; scenes change every 50.
  std::int64_t most = 0;
  for (int k = 0; k < 6000; ++k) {
    const double t = 0.1 * k;
    const StreamRow row{"scene " + std::to_string(k / 500),
                        std::to_string(k / 30) + "/" + std::to_string(k % 10),
                        t,
                        {std::sin(t), std::cos(t), kNaN}};
    ASSERT_EQ(follower.observe(row), Follower::Taken::kTaken);
    if (k % 50 == 0) follower.forecast(row.system, {kAhead, 0});
    const Follower::Kept kept = follower.kept();
    // 2.5 time units of one row per 0.1, in every snapshot within `late`, of two scenes at most
    most = std::max(most, kept.observations);
    EXPECT_LE(kept.scenes, 2);
    EXPECT_LE(kept.rows, 14);
    EXPECT_LE(kept.objects, 2 * 8 * 60);
  }
  EXPECT_GT(most, 20);
  EXPECT_LE(most, 2 * 8 * 27);
}

TEST(FollowerTest, RefusesRunsThatCannotBeFollowed) {
  const Scenes scenes;
  const data::Dataset set = make(scenes);
  const auto message = [&](const eval::Run& run) -> std::string {
    try {
      Follower(run, {});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(lgode::testing::run_on(set)).find("`model` lg-ode"), std::string::npos);
  eval::Run earlier = run_of(set, scenes);
  earlier.info.task.leave.reset();
  EXPECT_NE(message(earlier).find("train it again"), std::string::npos);
}

}  // namespace
}  // namespace lgode::eval
