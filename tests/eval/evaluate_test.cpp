// Evaluations of a model in memory: objects that enter late, positions far away, and batches.
#include "lgode/eval/evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "lgode/eval/predict.h"
#include "support/batches.h"
#include "support/runs.h"

namespace lgode::eval {
namespace {

using lgode::testing::run_on;

// Objects that move on lines. In every test system two of them are there from the start and one enters after it.
data::Dataset street(double shift = 0) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}};
  d.relation_types = {"r"};
  d.time_unit = "s";
  d.time_scale = d.conditioning_length = 2;
  data::DatasetBuilder builder(d);
  for (int s = 0; s < 6; ++s) {
    const bool test = s >= 3;
    builder.begin_system(test ? data::Part::kTest : data::Part::kTrain);
    for (int o = 0; o < 3; ++o) {
      builder.add_object();
      for (double t = test && o == 2 ? 2.4 : 0.0; t < (test ? 4.0 : 2.0); t += 0.2)
        builder.add_observation(t, std::vector<double>{shift + s + (1 + o) * t, shift - o + 0.5 * t});
    }
    builder.add_relation({0, 1, 0, 1.0F});
    builder.add_relation({1, 2, 0, 1.0F});
  }
  return builder.finish("street");
}

data::TaskOptions forecast() {
  data::TaskOptions task;
  task.task = data::Task::kExtrapolate;
  task.centre = data::Centre::kNone;
  task.observed = 0.8;
  return task;
}

const Scores& classical(const Evaluation& evaluation, const std::string& name) {
  for (const auto& [kind, scores] : evaluation.classical)
    if (kind == name) return scores;
  throw std::runtime_error(name);
}

TEST(EvaluateTest, ObjectsThatEnterAfterTheStartAreCountedOnTheirOwn) {
  const data::Dataset set = street();
  const Evaluation out = evaluate_run(run_on(set, forecast()), set, {});
  EXPECT_EQ(out.model.objects, 3 * 2);
  EXPECT_EQ(out.model.never_seen.objects, 3);
  EXPECT_EQ(out.model.never_seen.values, 3 * 8 * 2);
  EXPECT_GT(out.model.never_seen.mse, 0.0);
  EXPECT_TRUE(std::isfinite(out.model.mse));
  // The others move on lines: what needs no model is exact, because nothing else counts.
  for (const char* name : {"constant_velocity", "damped_velocity", "cubic_hermite"}) {
    EXPECT_LT(classical(out, name).feature_rmse[0], 1e-4) << name;
    EXPECT_EQ(classical(out, name).objects, 3 * 2);
  }
  // By hand: the mean of the context against the targets of the third object.
  EXPECT_GT(out.model.never_seen.feature_rmse[0], 1.0);
}

TEST(EvaluateTest, AModelThatPredictsUnseenObjectsIsMeasuredOnThem) {
  const data::Dataset set = street();
  data::TaskOptions task = forecast();
  task.unseen = data::Unseen::kPredict;
  const Evaluation out = evaluate_run(run_on(set, task), set, {});
  EXPECT_EQ(out.model.objects, 3 * 3);
  EXPECT_EQ(out.model.never_seen.objects, 0);
  EXPECT_GT(classical(out, "constant_velocity").feature_rmse[0], 0.1);
}

TEST(EvaluateTest, SystemsThatStayWithinABoundAreMeasuredOnTheirOwn) {
  const data::Dataset set = street();
  const eval::Run run = run_on(set, forecast());
  EXPECT_FALSE(evaluate_run(run, set, {}).within);
  const std::vector<std::int64_t> test = set.systems_in(data::Part::kTest);
  const data::BatchMaker maker(set, run.info.normalisation, run.info.task);
  const Evaluation one = evaluate(*run.model, maker, {test[0]}, data::View::kTest, {});
  // x reaches s + 3 * 3.8, of the third object: 14.4, 15.4 and 16.4.
  const Evaluation out = evaluate_run(run, set, {.within = 15.0});
  ASSERT_TRUE(out.within);
  EXPECT_EQ(out.model.systems, 3);
  EXPECT_EQ(out.within->model.systems, 1);
  EXPECT_EQ(out.within->model.mse, one.model.mse);
  EXPECT_EQ(out.within->model.mse_first_half, one.model.mse_first_half);
  EXPECT_EQ(out.within->classical[0].second.mse, one.classical[0].second.mse);
  EXPECT_EQ(out.to_json(set.description().features)["within"]["bound"], 15.0);
  EXPECT_EQ(evaluate_run(run, set, {.within = 1.0}).within->model.systems, 0);
}

// A model with two futures for each object, of probabilities 0.2 and 0.8: its mean path, and the same moved by 1 in all
// normalised features.
class WithFutures : public model::Model {
 public:
  explicit WithFutures(const model::Model& inner)
      : Model(inner.options(), inner.shape(), at::kFloat, inner.device()), inner_(inner) {}
  std::unique_ptr<Model> fresh() const override { return inner_.fresh(); }
  std::int64_t latent() const override { return inner_.latent(); }
  using Model::prepare;
  std::shared_ptr<const model::Rollout> prepare(const data::Batch& batch, const model::RolloutOptions& options,
                                                ops::Upload& upload) const override {
    return inner_.prepare(batch, options, upload);
  }
  model::Paths paths(const model::BatchTensors& batch, const model::Rollout& rollout, const at::Tensor& noise,
                     const model::Dropout& dropout) const override {
    model::Paths out = inner_.paths(batch, rollout, noise, dropout);
    out.futures = at::cat({out.values, out.values + 1});
    out.scores = at::tensor({std::log(0.2F), std::log(0.8F)}).repeat({batch.batch.objects(), 1}) + 3;
    return out;
  }

 private:
  const model::Model& inner_;
};

double number(const Scores& scores, const std::string& key) {
  const MetricScore* found = scores.find(Metric::Shape::kNumber, key);
  return found != nullptr ? found->values[0] : -1;
}

TEST(EvaluateTest, FuturesHaveMetricsOfTheirOwn) {
  const data::Dataset set = street();
  const eval::Run run = run_on(set, forecast());
  const WithFutures model(*run.model);
  const data::BatchMaker maker(set, run.info.normalisation, run.info.task);
  const std::vector<std::int64_t> systems = set.systems_in(data::Part::kTest);
  const Evaluation one = evaluate(*run.model, maker, systems, data::View::kTest, {});
  const Evaluation out = evaluate(model, maker, systems, data::View::kTest, {});
  EXPECT_EQ(number(one.model, "min_ade"), -1);
  EXPECT_EQ(one.positions.futures, 0);
  EXPECT_EQ(out.positions.futures, 2);
  EXPECT_EQ(out.model.mse, one.model.mse) << "the mean path is the first one";
  EXPECT_EQ(number(out.model, "ade"), number(one.model, "ade"));
  EXPECT_LE(number(out.model, "min_ade"), number(out.model, "ade"));
  EXPECT_NE(number(out.model, "min_ade_1"), number(out.model, "ade")) << "of the second future";
  const double other = number(out.model, "brier_min_fde") - number(out.model, "min_fde");
  EXPECT_GE(other, 0.2 * 0.2 - 1e-6);
  EXPECT_LE(other, 0.8 * 0.8 + 1e-6);
  EXPECT_EQ(number(classical(out, "hold"), "min_ade"), -1);
  EXPECT_GT(number(classical(out, "hold"), "ade"), 0);
  // In JSON with names of two futures.
  const nlohmann::json json = out.to_json(set.description().features);
  EXPECT_EQ(json["positions"]["futures"], 2);
  EXPECT_EQ(json["positions"]["unit"], "m");
  std::vector<std::string> names;
  for (const nlohmann::json& metric : json["positions"]["metrics"]) names.push_back(metric["name"]);
  EXPECT_NE(std::find(names.begin(), names.end(), "brier-minFDE_2"), names.end());
  EXPECT_FALSE(json["classical"]["hold"].contains("min_ade"));
  EXPECT_TRUE(json["classical"]["hold"]["horizon"][0].contains("ade"));
}

TEST(EvaluateTest, FuturesOfShardsAddUp) {
  const data::Dataset set = street();
  const eval::Run run = run_on(set, forecast());
  const WithFutures model(*run.model);
  const data::BatchMaker maker(set, run.info.normalisation, run.info.task);
  const std::vector<std::int64_t> systems = set.systems_in(data::Part::kTest);
  const Evaluation whole = evaluate(model, maker, systems, data::View::kTest, {});
  std::vector<nlohmann::json> parts;
  Evaluation joined;
  for (std::int64_t shard = 0; shard < 2; ++shard) {
    EvaluateOptions options;
    options.shard = shard, options.shards = 2;
    options.exchange = [&](const nlohmann::json& own) -> std::optional<std::vector<nlohmann::json>> {
      parts.push_back(nlohmann::json::parse(own.dump()));
      if (parts.size() < 2) return {};
      return std::vector<nlohmann::json>{parts.front()};
    };
    joined = evaluate(model, maker, systems, data::View::kTest, options);
  }
  EXPECT_EQ(joined.positions.futures, 2);
  ASSERT_EQ(joined.model.metrics.size(), whole.model.metrics.size());
  for (const char* key : {"ade", "min_fde", "min_ade_scene", "miss_rate", "collision_rate", "brier_min_fde"})
    EXPECT_NEAR(number(joined.model, key), number(whole.model, key), 1e-5) << key;
}

TEST(EvaluateTest, DistancesOfMissesAndCollisionsAreOptions) {
  const data::Dataset set = street();
  const eval::Run run = run_on(set, forecast());
  const Evaluation usual = evaluate_run(run, set, {});
  EXPECT_EQ(usual.positions.features, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(usual.positions.limits.miss, 2);
  EXPECT_EQ(usual.positions.limits.collision, 0.2);
  EXPECT_TRUE(usual.positions.note.empty()) << usual.positions.note;
  // Constant velocity is exact on lines, and the objects of a system stay apart.
  EXPECT_EQ(number(classical(usual, "constant_velocity"), "miss_rate"), 0);
  EXPECT_EQ(number(classical(usual, "constant_velocity"), "collision_rate"), 0);
  const Evaluation strict = evaluate_run(run, set, {.miss_distance = 1e-12, .collision_distance = 1000.0});
  EXPECT_EQ(number(strict.model, "miss_rate"), 1);
  EXPECT_EQ(number(classical(strict, "constant_velocity"), "collision_rate"), 1);
  EXPECT_EQ(number(strict.model, "ade"), number(usual.model, "ade"));
}

TEST(EvaluateTest, WithoutPositionsOneLineSaysSo) {
  data::Description d;
  d.features = {{"level", "m", 0, -1}, {"heat", "K", 0, -1}};
  d.relation_types = {"r"};
  d.time_scale = d.conditioning_length = 2;
  data::DatasetBuilder builder(d);
  for (int s = 0; s < 4; ++s) {
    builder.begin_system(s >= 2 ? data::Part::kTest : data::Part::kTrain);
    builder.add_object();
    for (double t = 0; t < (s >= 2 ? 4.0 : 2.0); t += 0.2)
      builder.add_observation(t, std::vector<double>{t + s, 1 - t});
  }
  const data::Dataset set = builder.finish("levels");
  const Evaluation out = evaluate_run(run_on(set, forecast()), set, {});
  EXPECT_TRUE(std::isfinite(out.model.mse));
  EXPECT_EQ(number(out.model, "ade"), -1);
  EXPECT_NE(out.positions.note.find("level [m], heat [K]"), std::string::npos) << out.positions.note;
  const nlohmann::json json = out.to_json(set.description().features);
  EXPECT_TRUE(json["positions"]["features"].empty());
  EXPECT_TRUE(json["positions"]["metrics"].empty());
  EXPECT_FALSE(json["model"].contains("ade"));
}

TEST(EvaluateTest, NoDampedVelocityAtInterpolation) {
  const data::Dataset set = street();
  const Evaluation out = evaluate_run(run_on(set), set, {});
  EXPECT_EQ(out.classical.size(), 5U);
  for (const auto& [name, scores] : out.classical) EXPECT_NE(name, "damped_velocity");
}

TEST(EvaluateTest, BatchesDoNotMatter) {
  lgode::testing::SetShape shape;
  shape.objects.assign(40, 3);
  const data::Dataset set = lgode::testing::random_dataset(shape);
  const eval::Run run = run_on(set);
  const data::BatchMaker maker(set, run.info.normalisation, run.info.task);
  const std::vector<std::int64_t> systems = set.systems_in(data::Part::kTrain);
  EvaluateOptions one;
  one.batch = 1;
  std::vector<PreparedBatch> kept;
  EvaluateOptions keeping;
  keeping.batch = 7;
  keeping.kept = &kept;
  const double all = evaluate(*run.model, maker, systems, data::View::kValidate, {}).model.mse;
  EXPECT_NEAR(evaluate(*run.model, maker, systems, data::View::kValidate, one).model.mse, all, 1e-5 * all);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(evaluate(*run.model, maker, systems, data::View::kValidate, keeping).model.mse, all, 1e-5 * all);
    EXPECT_EQ(kept.size(), 6U);
  }
}

// More objects than the CPU takes at once: several batches, the same errors.
TEST(EvaluateTest, ManyObjectsAreEvaluatedInSmallBatches) {
  lgode::testing::SetShape shape;
  shape.objects.assign(6, 900);
  shape.min_length = shape.max_length = 3;
  shape.types = 1;
  data::Description d = lgode::testing::random_dataset({}).description();
  data::DatasetBuilder builder(d);
  for (int s = 0; s < 6; ++s) {
    builder.begin_system(data::Part::kTrain);
    for (int o = 0; o < 900; ++o) {
      builder.add_object();
      for (int k = 0; k < 3; ++k) builder.add_observation(0.5 * k, std::vector<double>{0.1 * s, 0.001 * o, 1.0});
    }
  }
  const data::Dataset set = builder.finish("crowd");
  const eval::Run run = run_on(set);
  const data::BatchMaker maker(set, run.info.normalisation, run.info.task);
  std::vector<PreparedBatch> kept;
  EvaluateOptions options;
  options.classical = false;
  options.kept = &kept;
  const Scores scores =
      evaluate(*run.model, maker, set.systems_in(data::Part::kTrain), data::View::kValidate, options).model;
  EXPECT_EQ(scores.systems, 6);
  EXPECT_EQ(kept.size(), 3U);
}

// A centred run does not see where a scene is: errors stay, predictions move with the data.
TEST(EvaluateTest, ACentredRunMovesWithTheData) {
  for (const data::Task kind : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const data::Dataset here = street(), there = street(1000);
    data::TaskOptions task = forecast();
    task.task = kind;
    task.centre = data::Centre::kSystem;
    eval::Run run = run_on(here, task);
    run.info.normalisation = data::fit_normalisation(here, data::normalisation_systems(here, task), true);
    const Evaluation a = evaluate_run(run, here, {}), b = evaluate_run(run, there, {});
    EXPECT_NEAR(a.model.mse, b.model.mse, 1e-4 * a.model.mse);
    EXPECT_NEAR(a.model.feature_rmse[0], b.model.feature_rmse[0], 1e-3 * a.model.feature_rmse[0]);
    for (std::size_t i = 0; i < a.classical.size(); ++i)
      EXPECT_NEAR(a.classical[i].second.feature_rmse[0], b.classical[i].second.feature_rmse[0], 1e-3);

    PredictOptions options;
    options.systems = {3};
    options.samples = 4;
    options.times = {3.9};
    if (kind == data::Task::kExtrapolate) options.start = 2.0;
    SystemPrediction p, q;
    predict(run, here, options, [&](const SystemPrediction& out) { p = out; });
    predict(run, there, options, [&](const SystemPrediction& out) { q = out; });
    int compared = 0;
    for (std::size_t i = 0; i < p.mean.size(); ++i) {
      EXPECT_EQ(std::isnan(p.mean[i]), std::isnan(q.mean[i]));
      if (std::isnan(p.mean[i])) continue;
      EXPECT_NEAR(q.mean[i] - p.mean[i], 1000, 1e-2);
      EXPECT_NEAR(q.low[i] - p.low[i], 1000, 1e-2);
      EXPECT_NEAR(q.deviation[i], p.deviation[i], 1e-3);
      ++compared;
    }
    EXPECT_EQ(compared, 4);  // the third object is not seen in the range, or before the start
  }
}

}  // namespace
}  // namespace lgode::eval
