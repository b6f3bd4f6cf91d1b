// The filter, time by time, against a forecast of the unrolled model over the same past.
#include "lgode/model/assimilate/filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "lgode/model/assimilate/model.h"
#include "support/batches.h"
#include "support/numeric.h"

namespace lgode::model {
namespace {

struct Scene {
  const char* name;
  bool grid = false;  // objects share their times
  double missing = 0.0;
  Gain gain = Gain::kOne;
  double memory = std::numeric_limits<double>::infinity();
};
const std::vector<Scene> kScenes = {{"alone"},
                                    {"simultaneous", true},
                                    {"missing", false, 0.4},
                                    {"leaving", false, 0.0, Gain::kOne, 0.35},
                                    {"gain", true, 0.4, Gain::kLearned},
                                    {"everything", true, 0.3, Gain::kLearned, 0.35}};

// Objects enter one after another; object 1 pauses, object 2 stops early. Related are neighbours in the list only, with
// weights and two types.
data::BatchMaker maker_of(const Scene& scene) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"q", "", 1, -1}, {"vx", "m/s", 2, 0}};
  d.relation_types = {"near", "far"};
  d.time_scale = d.conditioning_length = 2;
  data::DatasetBuilder builder(d);
  Random random(9, RandomUse::kTest);
  builder.begin_system(data::Part::kTrain);
  for (int i = 0; i < 5; ++i) {
    builder.add_object();
    const double phase = random.uniform(0, 6);
    for (double t = 0.4 * i; t < 4; t += scene.grid ? 0.125 : random.uniform(0.05, 0.4)) {
      if ((i == 1 && t > 1 && t < 2.5) || (i == 2 && t > 2)) continue;
      std::vector<double> values{std::sin(t + phase), random.uniform(-1, 1), std::cos(t + phase)};
      for (std::size_t f = 1; f < values.size(); ++f)
        if (random.uniform() < scene.missing) values[f] = std::numeric_limits<double>::quiet_NaN();
      builder.add_observation(t, values);
    }
  }
  for (int i = 1; i < 5; ++i) builder.add_relation({i, i - 1, i % 2, 0.5F}), builder.add_relation({i - 1, i});
  const data::Dataset set = builder.finish("scene");
  data::TaskOptions task;
  task.task = data::Task::kExtrapolate;
  task.centre = data::Centre::kNone, task.context = data::Context::kAll;
  return {set, data::fit_normalisation(set, {0}), task};
}

std::shared_ptr<Assimilate> model_of(const Scene& scene, bool forecast = true) {
  ModelOptions options;
  options.kind = ModelKind::kAssimilate, options.gain = scene.gain;
  options.encoder_width = 8, options.sequence_width = 6, options.hidden = 9, options.state = 5, options.latent = 3;
  options.heads = 2, options.step = 0.05;
  ModelShape shape{3, 2, true, 0.4};
  shape.forecast = forecast, shape.memory = scene.memory;
  shape.ties = {{0, 2, 1.3}};
  auto model = std::make_shared<Assimilate>(options, shape, 7);
  at::NoGradGuard no_grad;
  at::Tensor& flat = model->parameters().flat();
  flat.add_(at::sin(at::arange(flat.numel(), at::kDouble) * 0.7).to(at::kFloat) * 0.15);
  return model;
}

Relations relations_of(const data::Batch& batch) {
  return [&batch](const std::vector<std::int64_t>& objects) {
    std::map<std::int64_t, std::int32_t> at;
    for (std::size_t i = 0; i < objects.size(); ++i) at[objects[i]] = static_cast<std::int32_t>(i);
    std::vector<data::Relation> list;
    for (const std::int64_t target : objects)
      for (std::int64_t e = batch.relation_offsets[target]; e < batch.relation_offsets[target + 1]; ++e)
        if (const auto source = at.find(batch.relation_sources[e]); source != at.end())
          list.push_back({source->second, at[target], batch.relation_types[e], batch.relation_weights[e]});
    return list;
  };
}

// The observations of a batch by time.
std::map<double, Filter::Rows> rows_of(const data::Batch& batch) {
  std::map<double, Filter::Rows> rows;
  for (std::int64_t i = 0; i < batch.objects(); ++i)
    for (std::int64_t m = batch.observation_offsets[i]; m < batch.observation_offsets[i + 1]; ++m) {
      Filter::Rows& at = rows[batch.observation_times[m]];
      const auto from = m * batch.features, to = from + batch.features;
      at.object.push_back(i);
      at.values.insert(at.values.end(), batch.observation_values.begin() + from, batch.observation_values.begin() + to);
      at.mask.insert(at.mask.end(), batch.observation_mask.begin() + from, batch.observation_mask.begin() + to);
    }
  return rows;
}

const std::vector<double> kAhead{0.0, 0.1, 0.33, 0.9};  // model time

class FilterTest : public ::testing::TestWithParam<Scene> {};
INSTANTIATE_TEST_SUITE_P(All, FilterTest, ::testing::ValuesIn(kScenes), [](const auto& c) { return c.param.name; });

TEST_P(FilterTest, IteratesWhatTheModelUnrolls) {
  const data::BatchMaker maker = maker_of(GetParam());
  const auto model = model_of(GetParam());
  const Filter filter(model);
  const std::int64_t samples = 2, features = 3, each = static_cast<std::int64_t>(kAhead.size());
  bool any_left = false;
  for (const double start : {0.03, 0.9, 2.0, 2.6, 3.99}) {
    SCOPED_TRACE(start);
    std::vector<double> times;
    for (const double t : kAhead) times.push_back(start + 2 * t);
    const data::Batch batch = maker.make_prediction({{0, start, times}});
    const at::Tensor noise =
        latent_noise(batch, samples, model->latent(), 5, RandomUse::kPredict, 0, at::kFloat);  // [S*N, L]
    const at::Tensor unrolled =
        model->paths(model->tensors(batch), *model->prepare(batch, {.samples = samples}), noise, {}).values.detach();

    const Relations relations = relations_of(batch);
    SceneState state;
    for (const auto& [time, rows] : rows_of(batch)) filter.observe(state, time, rows, relations);
    if (state.time < 0) filter.advance(state, 0, relations);
    std::vector<std::int64_t> present;
    for (std::int64_t i = 0; i < batch.objects(); ++i)
      if (!outlasts(-batch.observation_times[batch.observation_offsets[i + 1] - 1], GetParam().memory))
        present.push_back(i);
    std::vector<std::int64_t> found = state.objects;
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, present);
    ASSERT_FALSE(present.empty());
    any_left = any_left || static_cast<std::int64_t>(present.size()) < batch.objects();

    const at::Tensor order = at::tensor(state.objects, at::kLong);
    const at::Tensor own_noise =
        noise.view({samples, batch.objects(), -1}).index_select(1, order).reshape({-1, model->latent()});
    const at::Tensor z = state.z.clone();
    const at::Tensor path = filter.forecast(state, kAhead, samples, own_noise, relations);
    lgode::testing::expect_close(path.view({samples, -1, each, features}),
                                 unrolled.view({samples, -1, each, features}).index_select(1, order), 2e-5);
    EXPECT_TRUE(state.z.equal(z));  // a forecast leaves the scene as it is
    EXPECT_GT((path[0] - path[1]).abs().max().item<double>(), 1e-4);
  }
  EXPECT_EQ(any_left, GetParam().memory < 1);
}

// Observations that neither window nor memory reaches are forgotten; rows may be empty.
TEST(FilterStateTest, IsBounded) {
  const Scene& scene = kScenes.back();
  const data::BatchMaker maker = maker_of(scene);
  const auto model = model_of(scene);
  const Filter filter(model);
  const data::Batch batch = maker.make_prediction({{0, 3.99, {3.99}}});
  const Relations relations = relations_of(batch);
  SceneState state;
  for (const auto& [time, rows] : rows_of(batch)) {
    filter.observe(state, time, rows, relations);
    EXPECT_GE(state.times.front(), time - 0.4 - kSameTime);  // the window
    EXPECT_EQ(state.h.size(0), static_cast<std::int64_t>(state.times.size()));
    EXPECT_EQ(state.z.size(0), static_cast<std::int64_t>(state.objects.size()));
  }
  filter.observe(state, state.time + 0.1, {}, relations);
  EXPECT_GE(state.objects.size(), 1U);
  filter.observe(state, state.time + 1.0, {}, relations);
  EXPECT_TRUE(state.objects.empty() && state.times.empty() && !state.z.defined());
  EXPECT_EQ(filter.forecast(state, kAhead, 3, {}, relations).sizes(), (std::vector<std::int64_t>{3, 0, 3}));
}

TEST(FilterStateTest, RefusesWhatItCannotIterate) {
  const Scene& scene = kScenes.front();
  EXPECT_THROW(Filter(model_of(scene, /*forecast=*/false)), c10::ValueError);
  EXPECT_THROW(Filter(nullptr), c10::ValueError);
  const Filter filter(model_of(scene));
  const data::Batch batch = maker_of(scene).make_prediction({{0, 1.0, {1.0}}});
  const auto rows = rows_of(batch);
  SceneState state;
  filter.observe(state, rows.begin()->first, rows.begin()->second, relations_of(batch));
  EXPECT_THROW(filter.observe(state, rows.begin()->first, rows.begin()->second, relations_of(batch)), c10::ValueError);
}

}  // namespace
}  // namespace lgode::model
