// A follower against predictions over the whole past: objects that come, go and come back, missing values, derived
// velocities, late rows, restarts, bounded memory.
#include "lgode/eval/follower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "eval/stream_scenes.h"
#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/eval/predict.h"
#include "support/temp_folder.h"

namespace lgode::eval {
namespace {

using namespace lgode::testing;

// Of model frames, with this base path; null: model assimilate.
class FollowedModel : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, FollowedModel, ::testing::Values(nullptr, "kalman"),
                         [](const auto& info) { return info.param == nullptr ? "Assimilate" : "Frames"; });

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

TEST(FollowerTest, ForecastsOfFramesEqualPredictionsOverTheWholePast) {
  using Kind = data::EdgeRule::Kind;
  using model::Neighbours;
  for (const Scenes& scenes :
       {Scenes{.frames = "kalman"}, Scenes{.missing = 0.3, .frames = "kalman"},
        Scenes{.edges = Kind::kListed, .missing = 0.3, .frames = "constant_velocity"},
        Scenes{.derived = true, .missing = 0.2, .frames = "constant_velocity"},
        Scenes{.derived = true, .grid = true, .centre = data::Centre::kNone, .frames = "damped_velocity"},
        Scenes{.edges = Kind::kWithin, .missing = 0.6, .frames = "hold"},
        Scenes{.edges = Kind::kNearest, .frames = "kalman"},
        Scenes{.missing = 0.2, .frames = "kalman", .neighbours = Neighbours::kMoving},
        Scenes{.edges = Kind::kListed, .frames = "kalman", .neighbours = Neighbours::kMoving},
        Scenes{.missing = 0.2, .frames = "kalman", .neighbours = Neighbours::kNone}}) {
    SCOPED_TRACE(scenes.frames);
    expect_same_stream(scenes);
    if (HasFailure()) return;
  }
}

TEST(FollowerTest, FuturesEqualPredictionsOverTheWholePast) {
  for (const Scenes& scenes :
       {Scenes{.missing = 0.2, .frames = "kalman", .futures = 4}, Scenes{.missing = 0.2, .futures = 3}}) {
    SCOPED_TRACE(scenes.frames == nullptr ? "assimilate" : "frames");
    expect_same_stream(scenes);
    if (HasFailure()) return;
  }
  const data::Dataset set = make({});
  Follower follower(run_of(set, {}), options_of(set));
  ASSERT_EQ(follower.observe(rows_of(set)[0]), Follower::Taken::kTaken);
  lgode::testing::expect_error<ConfigError>([&] { follower.forecast("scene 0", {.ahead = kAhead, .futures = 2}); },
                                            {"`futures` 2", "mean path only"});
}

// Relations of the last prediction that a batch makes of system 0.
std::size_t relations_in_batch(const Scenes& scenes) {
  const data::Dataset set = make(scenes);
  const data::BatchMaker maker = batch_maker(run_of(set, scenes).info, set);
  return maker.make_prediction({{0, {}, {maker.default_start(0)}}}).relation_sources.size();
}

// The k of nearest objects counts all objects present, so all are: in a batch an object that has left is still a
// neighbour.
TEST_P(FollowedModel, RulesCutAsInBatches) {
  using Kind = data::EdgeRule::Kind;
  const Scenes nearest{.edges = Kind::kNearest, .grid = true, .apart = true, .together = true, .frames = GetParam()};
  EXPECT_EQ(relations_in_batch(nearest), 8U);  // of 12
  expect_same_stream(nearest);
  for (const bool together : {true, false}) {
    const Scenes within{.edges = Kind::kWithin, .apart = true, .together = together, .frames = GetParam()};
    if (together) {
      EXPECT_EQ(relations_in_batch(within), 4U);
    }
    expect_same_stream(within);
  }
  const Scenes listed{.edges = Kind::kListed, .derived = true, .apart = true, .frames = GetParam()};
  EXPECT_EQ(relations_in_batch({.edges = Kind::kListed, .apart = true, .together = true}), 6U);
  expect_same_stream(listed);
}

// Neighbours decide: the same rows under another rule give other forecasts.
TEST_P(FollowedModel, ForecastsDependOnTheRule) {
  using Kind = data::EdgeRule::Kind;
  const auto forecast = [](Kind kind) {
    const Scenes scenes{.edges = kind, .grid = true, .apart = true, .together = true, .frames = GetParam()};
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

TEST_P(FollowedModel, OutliersAreJudgedAsInBatches) {
  expect_same_stream({.outliers = true, .frames = GetParam()});
  expect_same_stream({.derived = true, .outliers = true, .frames = GetParam()});
}

// One glitch moves nobody: forecasts are those of the stream without it, and it is reported once.
TEST_P(FollowedModel, AGlitchMovesNobody) {
  const Scenes scenes{.together = true, .outliers = true, .systems = 1, .frames = GetParam()};
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
TEST_P(FollowedModel, AFlaggedRowMovesTheClock) {
  const Scenes scenes{.outliers = true, .systems = 1, .frames = GetParam()};
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
TEST_P(FollowedModel, AFarFirstRowMovesNobody) {
  const Scenes scenes{
      .grid = true, .centre = data::Centre::kSystem, .together = true, .systems = 1, .frames = GetParam()};
  const data::Dataset set = make(scenes);
  eval::Run run = run_of(set, scenes);
  const double any = data::OutlierGate::kAny;
  run.info.task.gate = {.reach = {10, 10}, .gap = 0.5, .forget = 2.5, .extent = {50, 50}};
  for (std::vector<double>* bound : {&run.info.task.gate->reach, &run.info.task.gate->extent})
    bound->resize(static_cast<std::size_t>(set.features()), any);
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
    const std::size_t each = kAhead.size() * static_cast<std::size_t>(set.features());
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

TEST_P(FollowedModel, AForecastMayStartAfterTheNewestRow) {
  const Scenes scenes{.frames = GetParam()};
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
TEST_P(FollowedModel, IntervalsAreThoseOfPredictions) {
  const Scenes scenes{.systems = 1, .objects = 2, .end = 1.9, .frames = GetParam()};
  const data::Dataset set = make(scenes);
  const eval::Run run = run_of(set, scenes);
  Follower follower(run, options_of(set));
  for (const StreamRow& row : rows_of(set)) follower.observe(row);
  const SceneForecast forecast = follower.forecast("scene 0", {kAhead, 30});
  expect_same(forecast, run, set, 0, 30, 24);
  for (std::size_t k = 0; k < forecast.mean.size(); ++k) EXPECT_LT(forecast.low[k], forecast.high[k]);
}

TEST_P(FollowedModel, LateRowsEqualSortedRows) {
  const Scenes scenes{.derived = true, .grid = true, .missing = 0.2, .frames = GetParam()};
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
  old.time += 1, old.values.assign(old.values.size(), kNaN);
  EXPECT_EQ(late.observe(old), Follower::Taken::kEmpty);
}

struct Path {
  std::optional<Classical> base = {};
  const char* frames = nullptr;
};
class FollowerStateTest : public ::testing::TestWithParam<Path> {};
INSTANTIATE_TEST_SUITE_P(All, FollowerStateTest,
                         ::testing::Values(Path{}, Path{Classical::kKalman}, Path{Classical::kConstantVelocity},
                                           Path{{}, "kalman"}, Path{{}, "constant_velocity"}));

TEST_P(FollowerStateTest, GoesOnWithTheSameNumbers) {
  const Scenes scenes{.derived = true,
                      .grid = true,
                      .gain = model::Gain::kLearned,
                      .outliers = true,
                      .base = GetParam().base,
                      .frames = GetParam().frames};
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

TEST_P(FollowedModel, WhatIsKeptIsBounded) {
  const Scenes scenes{.derived = true, .systems = 1, .frames = GetParam()};
  const data::Dataset set = make(scenes);
  Follower follower(run_of(set, scenes), options_of(set, 0.5));
  // Ten objects at a time, each there for 3 time units; scenes change every 50.
  std::int64_t most = 0;
  for (int k = 0; k < 6000; ++k) {
    const double t = 0.1 * k;
    StreamRow row{"scene " + std::to_string(k / 500),
                  std::to_string(k / 30) + "/" + std::to_string(k % 10),
                  t,
                  {std::sin(t), std::cos(t), kNaN}};
    row.values.resize(static_cast<std::size_t>(set.features()), kNaN);
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
