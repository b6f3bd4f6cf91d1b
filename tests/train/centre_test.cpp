// The choice between coordinates of the world and relative ones.
#include "lgode/train/centre.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/train/run.h"
#include "lgode/train/run_folder.h"
#include "support/temp_folder.h"

namespace lgode::train {
namespace {

// Pairs of objects that swing about a place; places are `apart` from each other, the first at `offset`.
data::Dataset scenes(double apart, double offset = 0) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}};
  d.relation_types = {"related"};
  d.time_scale = d.conditioning_length = 6;
  data::DatasetBuilder builder(d);
  for (int s = 0; s < 24; ++s) {
    builder.begin_system(s < 20 ? data::Part::kTrain : data::Part::kTest);
    for (int i = 0; i < 2; ++i) {
      builder.add_object();
      for (int k = 0; k < 12; ++k)
        builder.add_observation(0.5 * k, std::vector<double>{offset + apart * s + std::sin(0.5 * k + i + 0.37 * s)});
    }
  }
  return builder.finish("scenes");
}

RunConfig tiny(std::int64_t epochs) {
  RunConfig config;
  config.train.schedule = RateSchedule::kCosine;
  config.train.epochs = epochs, config.train.batch = 2, config.train.lr = 1e-2;
  config.task.validation = 0.2;
  model::ModelOptions& m = config.model;
  m.encoder_width = 8, m.sequence_width = 8, m.latent = 4, m.augment = 4, m.hidden = 8;
  return config;
}

TEST(CentreTest, AGivenChoiceIsKept) {
  RunConfig config = tiny(1);
  config.task.centre = data::Centre::kSystem;
  EXPECT_EQ(choose_centre(config, scenes(0), {}).centre, data::Centre::kSystem);
  config.task.centre = data::Centre::kNone;
  EXPECT_EQ(choose_centre(config, scenes(100), {}).centre, data::Centre::kNone);
}

TEST(CentreTest, AShortRunGoesByHowFarSystemsLieApart) {
  const CentreChoice together = choose_centre(tiny(1), scenes(0), {}), apart = choose_centre(tiny(1), scenes(100), {});
  EXPECT_EQ(together.centre, data::Centre::kNone);
  EXPECT_EQ(apart.centre, data::Centre::kSystem);
  EXPECT_FALSE(apart.none.has_value());
  EXPECT_TRUE(apart.too_few_steps);
}

// Values are divided by the largest one: an offset that all systems share hides their motion as well.
TEST(CentreTest, AShortRunSeesAnOffsetFromZero) {
  EXPECT_EQ(choose_centre(tiny(1), scenes(0, 1000), {}).centre, data::Centre::kSystem);
  EXPECT_EQ(choose_centre(tiny(1), scenes(0, 0.1), {}).centre, data::Centre::kNone);
}

// Two objects in a plane, or on a line.
data::Dataset walk(int dimensions) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}};
  if (dimensions == 2) d.features.push_back({"y", "m", 0, -1});
  d.relation_types = {"related"};
  d.time_scale = d.conditioning_length = 6;
  data::DatasetBuilder builder(d);
  for (int s = 0; s < 8; ++s) {
    builder.begin_system(data::Part::kTrain);
    for (int i = 0; i < 2; ++i) {
      builder.add_object();
      for (int k = 0; k < 12; ++k)
        builder.add_observation(
            0.5 * k, std::vector<double>(static_cast<std::size_t>(dimensions), std::sin(0.5 * k + i + 0.37 * s)));
    }
  }
  return builder.finish("walk");
}

TEST(TurnTest, AutoTurnsForTheAssimilatingModelWhereTheDataAndTheCentreAllowIt) {
  const auto settled = [](model::ModelKind kind, data::Centre centre, Turn turn, int dimensions) {
    RunConfig config = tiny(1);
    config.model.kind = kind, config.task.centre = centre, config.train.turn = turn;
    const RunConfig now = settle_turn(config, walk(dimensions));
    return std::pair(now.train.turn, now.task.centre);
  };
  using data::Centre;
  constexpr auto kOwn = model::ModelKind::kAssimilate, kPaper = model::ModelKind::kLgOde;
  EXPECT_EQ(settled(kOwn, Centre::kAuto, Turn::kAuto, 2), std::pair(Turn::kRandom, Centre::kSystem));
  EXPECT_EQ(settled(kOwn, Centre::kSystem, Turn::kAuto, 2), std::pair(Turn::kRandom, Centre::kSystem));
  EXPECT_EQ(settled(kOwn, Centre::kNone, Turn::kAuto, 2), std::pair(Turn::kNone, Centre::kNone));
  EXPECT_EQ(settled(kOwn, Centre::kAuto, Turn::kAuto, 1), std::pair(Turn::kNone, Centre::kAuto));
  EXPECT_EQ(settled(kPaper, Centre::kAuto, Turn::kAuto, 2), std::pair(Turn::kNone, Centre::kAuto));
  EXPECT_EQ(settled(kOwn, Centre::kAuto, Turn::kNone, 2), std::pair(Turn::kNone, Centre::kAuto));
  EXPECT_EQ(settled(kPaper, Centre::kSystem, Turn::kRandom, 2), std::pair(Turn::kRandom, Centre::kSystem));
}

TEST(TurnTest, TheRunSavesWhatAutoBecameAndNothingIsCompared) {
  const lgode::testing::TempFolder folder;
  RunConfig config = tiny(30);
  config.model.kind = model::ModelKind::kAssimilate, config.model.state = 4;
  bool turned = false;
  TrainHooks hooks;
  hooks.on_start = [&](const StartReport& r) { turned = r.turned; };
  hooks.on_trial = [](const Trial&) { ADD_FAILURE() << "a comparison"; };
  hooks.stop_after = 1;
  train(config, walk(2), folder / "run", Overwrite::kRefuse, {}, hooks);
  EXPECT_TRUE(turned);
  EXPECT_EQ(load_config(folder / "run").train.turn, Turn::kRandom);
  EXPECT_EQ(load_config(folder / "run").task.centre, data::Centre::kSystem);
}

TEST(CentreTest, TheCostIsToldBeforeTheComparison) {
  std::vector<std::string> told;
  std::int64_t steps = 0;
  TrainHooks hooks;
  hooks.on_start = [&](const StartReport& r) {
    EXPECT_TRUE(r.cost.has_value());
    told.emplace_back("start");
  };
  hooks.on_trial = [&](const Trial& t) {
    if (t.done == 0) {
      EXPECT_GT(t.seconds, 0);
      told.emplace_back("trial");
    }
    steps = t.done;
  };
  const CentreChoice choice = choose_centre(tiny(60), scenes(100), {}, hooks);
  EXPECT_EQ(told, (std::vector<std::string>{"start", "trial"}));
  EXPECT_EQ(steps, 2 * choice.steps);
}

TEST(CentreTest, AStopWithinTheComparisonLeavesNothing) {
  const lgode::testing::TempFolder folder;
  StopFlag stop;
  TrainHooks hooks;
  hooks.stop = &stop;
  hooks.on_trial = [&](const Trial& t) {
    if (t.done == 3) stop.request();
  };
  hooks.on_begin = [] { FAIL() << "nothing was begun"; };
  EXPECT_THROW(train(tiny(60), scenes(100), folder / "a" / "run", Overwrite::kRefuse, {}, hooks), Interrupted);
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

TEST(CentreTest, ALongerRunComparesBothOnTheValidationPart) {
  const CentreChoice choice = choose_centre(tiny(60), scenes(100), {});
  ASSERT_TRUE(choice.none && choice.system);
  EXPECT_EQ(choice.steps, 48);
  EXPECT_LT(*choice.system, *choice.none);  // places hundreds of swings apart hide the swings
  EXPECT_EQ(choice.centre, data::Centre::kSystem);
}

TEST(CentreTest, TheChoiceIsInTheConfigOfTheRun) {
  const lgode::testing::TempFolder folder;
  int told = 0, started = 0;
  TrainHooks hooks;
  hooks.on_start = [&](const StartReport&) { ++started; };
  hooks.on_centre = [&](const CentreChoice& c) {
    EXPECT_EQ(started, 1);
    EXPECT_EQ(c.centre, data::Centre::kSystem);
    ++told;
  };
  train(tiny(1), scenes(100), folder / "run", Overwrite::kRefuse, {}, hooks);
  EXPECT_EQ(told, 1);
  EXPECT_EQ(started, 1);
  EXPECT_EQ(load_config(folder / "run").task.centre, data::Centre::kSystem);
}

}  // namespace
}  // namespace lgode::train
