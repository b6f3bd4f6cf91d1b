// What follows from the data before the first step: parts, scales, shapes, ties, and what cannot be trained.
#include "lgode/train/prepare.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "train/small_training.h"

namespace lgode::train {
namespace {

// Runs `call` and expects a DataError with these words.
template <class Call>
void expect_refused(const Call& call, const std::vector<std::string>& words) {
  try {
    call();
    ADD_FAILURE() << "not refused";
  } catch (const DataError& error) {
    for (const std::string& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(PrepareTest, FillsInWhatFollowsFromTheData) {
  const data::Dataset set = small_set();
  RunConfig config = small_config();
  config.train.batch.reset();
  const Preparation made = prepare(config, set, {});
  EXPECT_EQ(made.parts.train.size() + made.parts.validation.size() + made.parts.test.size(), 11U);
  // A quarter of the systems, so that an epoch has at least three steps.
  EXPECT_EQ(made.config.train.batch, static_cast<std::int64_t>(made.parts.train.size() + 3) / 4);
  EXPECT_EQ(made.config.model.window, made.info.shape.window);
  EXPECT_TRUE(made.info.shape == shape_for(set, config));
  EXPECT_EQ(made.info.config, config_json(made.config));
  EXPECT_EQ(made.info.normalisation.scale, made.maker.normalisation().scale);
  EXPECT_EQ(made.info.data_fingerprint, set.fingerprint());
  EXPECT_EQ(made.info.step, 0);
}

// Scales, clock and shape decide what the weights mean.
TEST(PrepareTest, WeightsOfAnotherRunKeepItsScalesClockAndShape) {
  const data::Dataset set = small_set();
  eval::RunInfo previous = prepare(small_config(), set, {}).info;
  for (double& scale : previous.normalisation.scale) scale *= 2;
  previous.time_scale = 9.0, previous.conditioning_length = 4.5, previous.shape.window = 0.125;
  const Preparation made = prepare(small_config(), set, {}, &previous);
  EXPECT_EQ(made.info.normalisation.scale, previous.normalisation.scale);
  EXPECT_EQ(made.maker.normalisation().scale, previous.normalisation.scale);
  EXPECT_EQ(made.maker.clock().time_scale, 9.0);
  EXPECT_EQ(made.info.time_scale, 9.0);
  EXPECT_EQ(made.info.conditioning_length, 4.5);
  EXPECT_EQ(made.info.shape.window, 0.125);
  EXPECT_EQ(made.config.model.window, 0.125);
}

// x, its velocity, a second velocity of x, and the velocity of the velocity.
TEST(PrepareTest, APositionIsTiedToItsFirstVelocityOnly) {
  data::Description d;
  d.features = {{"x", "", 0, -1}, {"vx", "", 1, 0}, {"wx", "", 1, 0}, {"ax", "", 2, 1}};
  d.relation_types = {"r"};
  data::DatasetBuilder builder(d);
  for (int s = 0; s < 4; ++s) {
    builder.begin_system(data::Part::kTrain);
    builder.add_object();
    for (double t = 0; t < 0.95; t += 0.1)
      builder.add_observation(t, std::vector<double>{t * t + s, 2 * t, 2 * t, 2.0});
  }
  const data::Dataset set = builder.finish("falling");
  const RunConfig config = assimilating_config();
  const std::vector<model::TiedPair> ties = shape_for(set, config).ties;
  ASSERT_EQ(ties.size(), 1U);
  EXPECT_EQ(ties[0].position, 0);
  EXPECT_EQ(ties[0].velocity, 1);
  const std::vector<double> scale = prepare(config, set, {}).maker.normalisation().scale;
  EXPECT_EQ(ties[0].factor, scale[1] * d.time_scale / scale[0]);
}

TEST(PrepareTest, RefusesDataThatTheModelCannotUse) {
  const data::Dataset set = small_set();
  RunConfig config = small_config();
  config.model.kind = model::ModelKind::kRnnNri;
  expect_refused([&] { shape_for(set, config); }, {"rnn-nri needs systems of one size", "has 3 objects", "has 2"});
  data::Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  data::DatasetBuilder builder(d);
  builder.begin_system(data::Part::kTest);
  builder.add_object();
  builder.add_observation(0.5, std::vector<double>{1.0});
  const data::Dataset untrained = builder.finish("untrained");
  expect_refused([&] { prepare(small_config(), untrained, {}); }, {"has no training systems"});
}

// Three training systems: one as usual, one that is observed only before the middle, one that is never observed.
TEST(TrainerTest, SystemsThatAreLeftOutAreCountedByReason) {
  data::Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  data::DatasetBuilder builder(d);
  for (const double last : {0.9, 0.4, 0.0}) {
    builder.begin_system(data::Part::kTrain);
    builder.add_object();
    for (double t = 0.1; t <= last; t += 0.1) builder.add_observation(t, std::vector<double>{t});
  }
  RunConfig config = small_config(1);
  config.task.task = data::Task::kExtrapolate, config.task.validation = 0;
  const StartReport report = Trainer(config, builder.finish("three"), {}).start();
  EXPECT_EQ(report.train_systems, 1);
  EXPECT_EQ(report.left_out.without_targets, 1);
  EXPECT_EQ(report.left_out.unseen, 1);
  EXPECT_EQ(report.left_out.between, 0);
}

TEST(TrainerTest, AModelOfAnotherShapeIsRefused) {
  const data::Dataset set = small_set();
  RunConfig config = small_config(1);
  model::ModelShape shape = shape_for(set, config);
  shape.window = 0.123;
  EXPECT_THROW(Trainer(config, set, {}, model::make_model(config.model, shape, 1)), c10::ValueError);
}

}  // namespace
}  // namespace lgode::train
