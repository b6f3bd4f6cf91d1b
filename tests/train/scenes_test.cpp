// The model of scenes where nothing names a model, and whether place is an input of it.
#include "lgode/train/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/file.h"
#include "lgode/core/options.h"
#include "lgode/train/run.h"
#include "lgode/train/run_folder.h"
#include "support/scenes.h"
#include "support/temp_folder.h"

namespace lgode::train {
namespace {

using Flags = std::vector<std::pair<std::string, std::string>>;
using model::ModelKind;
using model::Place;

RunConfig resolved(const Flags& flags) {
  RunConfig config;
  OptionSet options;
  declare(options, config);
  resolve(options, config, flags, nullptr, "");
  return config;
}

data::Dataset data_of(std::vector<data::Feature> features, data::EdgeRule rule = {}) {
  data::Description d;
  d.features = std::move(features);
  d.relation_types = {"related"};
  d.edges = rule;
  data::DatasetBuilder builder(d);
  for (int s = 0; s < 2; ++s) {
    builder.begin_system(data::Part::kTrain);
    for (int i = 0; i < 2; ++i) {
      builder.add_object();
      for (int k = 0; k < 4; ++k) builder.add_observation(0.25 * k, std::vector<double>(d.features.size(), k + i));
    }
  }
  return builder.finish("set");
}

TEST(SceneTest, IsAPlaneOrSpaceWithPositionsAndVelocitiesOnly) {
  EXPECT_TRUE(is_scene(data_of({{"x", "", 0, -1}, {"y", "", 0, -1}})));
  EXPECT_TRUE(is_scene(data_of({{"east", "m", 0, -1}, {"north", "m", 0, -1}, {"up", "m", 0, -1}})));
  EXPECT_TRUE(is_scene(data_of({{"a", "", 0, -1}, {"b", "", 0, -1}, {"va", "", 1, 0}, {"vb", "", 1, 1}})));
  EXPECT_FALSE(is_scene(data_of({{"x", "m", 0, -1}})));
  EXPECT_FALSE(is_scene(data_of({{"x", "m", 0, -1}, {"y", "cm", 0, -1}})));
  EXPECT_FALSE(is_scene(data_of({{"temperature", "", 0, -1}, {"humidity", "", 0, -1}})));
  EXPECT_FALSE(is_scene(
      data_of({{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"vx", "", 1, 0}, {"vy", "", 1, 1}, {"temperature", "", 0, -1}})));
}

TEST(SceneTest, RelationsAreARuleOrAbsent) {
  const auto with = [](bool relations) { return lgode::testing::scene_set({.relations = relations}); };
  EXPECT_TRUE(is_scene(with(false)));
  EXPECT_FALSE(is_scene(with(true)));
}

TEST(SceneTest, TheModelFollowsFromTheDataWhereNothingNamesOne) {
  const data::Dataset scene = lgode::testing::scene_set({});
  const data::Dataset sensors = data_of({{"temperature", "", 0, -1}, {"humidity", "", 0, -1}});
  const auto kind = [&](const Flags& flags, const data::Dataset& set) {
    return settle_model(resolved(flags), set).model.kind;
  };
  EXPECT_EQ(kind({{"task", "extrapolate"}}, scene), ModelKind::kFrames);
  EXPECT_EQ(kind({{"task", "extrapolate"}}, sensors), ModelKind::kAssimilate);
  EXPECT_EQ(kind({{"task", "interpolate"}}, scene), ModelKind::kAssimilate);
  EXPECT_EQ(kind({{"task", "extrapolate"}, {"model", "assimilate"}}, scene), ModelKind::kAssimilate);
  EXPECT_EQ(kind({{"task", "extrapolate"}, {"hidden", "32"}, {"seed", "3"}}, scene), ModelKind::kFrames);
  // Options that only one of the two has name it.
  for (const auto& [key, value] : Flags{{"base", "kalman"},
                                        {"turn", "random"},
                                        {"kl_weight", "0.1"},
                                        {"centre", "none"},
                                        {"solver", "euler"},
                                        {"gain", "learned"}})
    EXPECT_EQ(kind({{"task", "extrapolate"}, {key, value}}, scene), ModelKind::kAssimilate) << key;
  for (const auto& [key, value] : Flags{{"neighbours", "moving"}, {"place", "off"}, {"loss", "distance"}})
    EXPECT_EQ(resolved({{"task", "extrapolate"}, {key, value}}).model.kind, ModelKind::kFrames) << key;
}

TEST(SceneTest, SettingsOfTheUserReachTheModelOfScenes) {
  const RunConfig config =
      settle_model(resolved({{"task", "extrapolate"}, {"hidden", "32"}, {"seed", "3"}, {"lr", "0.002"}}),
                   lgode::testing::scene_set({}));
  EXPECT_EQ(config.model.hidden, 32);
  EXPECT_EQ(config.task.seed, 3U);
  EXPECT_EQ(config.train.lr, 0.002);
  EXPECT_EQ(config.model.loss, model::Loss::kDistance);
}

// Objects walk straight until they come to x = 0, and turn there to the left: seen from themselves nothing tells when.
data::Dataset corner() {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}};
  d.relation_types = {"related"};
  d.time_scale = d.conditioning_length = 8;
  data::DatasetBuilder builder(d);
  for (int s = 0; s < 60; ++s) {
    builder.begin_system(data::Part::kTrain);
    builder.add_object();
    const double begin = -2.0 - 4.0 * (s % 13) / 13;
    for (int k = 0; k < 20; ++k) {
      const double way = begin + 0.4 * k;
      builder.add_observation(0.4 * k, std::vector<double>{std::min(way, 0.0), std::max(way, 0.0)});
    }
  }
  return builder.finish("corner");
}

RunConfig small_frames() {
  RunConfig config = default_config(ModelKind::kFrames);
  config.train.epochs = 80, config.train.schedule = RateSchedule::kCosine, config.train.batch = 8;
  config.train.lr = 5e-3, config.task.validation = 0.2, config.task.observed = 1.0;
  config.model.encoder_width = 16, config.model.hidden = 16, config.model.state = 4, config.model.heads = 2;
  config.model.neighbours = model::Neighbours::kNone;
  return config;
}

TEST(PlaceTest, IsAnInputWhereItMakesForecastsBetter) {
  std::vector<Trial::Kind> trials;
  TrainHooks hooks;
  hooks.on_trial = [&](const Trial& t) { trials.push_back(t.kind); };
  const PlaceChoice choice = choose_place(small_frames(), corner(), {}, hooks);
  ASSERT_TRUE(choice.with && choice.without);
  EXPECT_LT(*choice.with, 0.99 * *choice.without);
  EXPECT_TRUE(choice.on);
  ASSERT_FALSE(trials.empty());
  EXPECT_EQ(trials.front(), Trial::Kind::kPlace);
}

TEST(PlaceTest, IsNoInputOfAShortRunAndAGivenChoiceIsKept) {
  RunConfig config = small_frames();
  config.train.epochs = 2;
  EXPECT_FALSE(choose_place(config, corner(), {}).on);
  EXPECT_TRUE(choose_place(config, corner(), {}).too_few_steps);
  config.model.place = Place::kOn;
  const PlaceChoice given = choose_place(config, corner(), {});
  EXPECT_TRUE(given.on);
  EXPECT_FALSE(given.too_few_steps);
}

TEST(PlaceTest, TheRunSavesWhatAutoBecameAndWhy) {
  const lgode::testing::TempFolder folder;
  TrainHooks hooks;
  int places = 0;
  hooks.on_place = [&](const PlaceChoice& choice) { places += choice.on ? 1 : 0; };
  hooks.stop_after = 1;
  train(small_frames(), corner(), folder / "run", Overwrite::kRefuse, {}, hooks);
  EXPECT_EQ(places, 1);
  EXPECT_EQ(load_config(folder / "run").model.place, Place::kOn);
  EXPECT_NE(read_text(folder / "run" / "config.json").find("_place_trial"), std::string::npos);
}

}  // namespace
}  // namespace lgode::train
