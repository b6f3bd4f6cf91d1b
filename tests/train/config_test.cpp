// Run configurations: recipes, sources of values, invalid combinations.
#include "lgode/train/config.h"

#include <gtest/gtest.h>

#include "lgode/core/error.h"
#include "lgode/core/options.h"
#include "lgode/train/progress.h"
#include "support/temp_folder.h"

namespace lgode::train {
namespace {

struct Bound {
  RunConfig config;
  OptionSet options;
  Bound() { declare(options, config); }
};

TEST(ConfigTest, FlagsWinOverTheFileAndTheFileOverTheRecipe) {
  Bound b;
  resolve(b.options, b.config, {{"lr", "0.25"}, {"recipe", "paper"}}, {{"lr", 0.5}, {"samples", 2}}, "run.json");
  EXPECT_DOUBLE_EQ(b.config.train.lr, 0.25);
  EXPECT_EQ(b.config.train.samples, 2);
  EXPECT_EQ(b.config.model.grid, model::Grid::kUnion);
  EXPECT_EQ(b.config.model.gradient, ode::Gradient::kAdjoint);
  EXPECT_EQ(b.config.train.schedule, RateSchedule::kCosine);
  EXPECT_EQ(b.options.find("lr")->source, Source::kFlag);
  EXPECT_EQ(b.options.find("samples")->source, Source::kFile);
  EXPECT_EQ(b.options.find("grid")->source, Source::kRecipe);
  EXPECT_EQ(b.options.find("epochs")->source, Source::kDefault);
  EXPECT_EQ(default_config().train.schedule, RateSchedule::kPlateau);
  EXPECT_EQ(default_config().train.epochs, std::nullopt);
}

TEST(ConfigTest, TheRecipeMayComeFromTheFile) {
  Bound b;
  resolve(b.options, b.config, {}, {{"recipe", "paper"}}, "run.json");
  EXPECT_EQ(b.config.train.optimizer, Optimizer::kAdam);
  EXPECT_DOUBLE_EQ(b.config.train.lr, 5e-4);
  EXPECT_DOUBLE_EQ(b.config.task.validation, 0.0);
  EXPECT_DOUBLE_EQ(b.config.model.dropout, 0.2);
}

TEST(ConfigTest, SavedConfigIsExactToTheLastDigit) {
  Bound a, b;
  resolve(a.options, a.config, {{"step", "0.06666666666666667"}, {"lr", "1.2345678901234567e-4"}, {"window", "0.1"}},
          nullptr, "");
  const std::string text = a.options.to_json().dump();
  resolve(b.options, b.config, {}, nlohmann::json::parse(text), "config.json");
  EXPECT_EQ(a.config.model.step, b.config.model.step);
  EXPECT_EQ(a.config.train.lr, b.config.train.lr);
  EXPECT_EQ(a.config.model.window, b.config.model.window);
  EXPECT_EQ(b.options.to_json(), a.options.to_json());
}

TEST(ConfigTest, CombinationsThatCannotWorkAreRefused) {
  Bound b;
  EXPECT_THROW(resolve(b.options, b.config, {{"heads", "3"}}, nullptr, ""), ConfigError);
  Bound c;
  EXPECT_THROW(resolve(c.options, c.config, {{"start_low", "0.8"}, {"start_high", "0.2"}}, nullptr, ""), ConfigError);
}

TEST(ConfigTest, VariantsAreOfLgOdeOnly) {
  for (const char* model : {"latent-ode", "weight-decay", "edge-gnn", "rnn-nri"}) {
    Bound b;
    try {
      resolve(b.options, b.config, {{"model", model}, {"variant", "no-pe"}}, nullptr, "");
      FAIL() << model;
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(model), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("no-pe"), std::string::npos) << error.what();
    }
    Bound alone;
    resolve(alone.options, alone.config, {{"model", model}}, nullptr, "");
    EXPECT_EQ(model::model_name(alone.config.model.kind), model);
  }
}

TEST(ConfigTest, RestartsAreAListOfEpochsAndRates) {
  TrainOptions o;
  EXPECT_TRUE(restarts_of(o).empty());
  o.restarts = "30:0.0001,60:2e-05";
  const std::vector<Restart> restarts = restarts_of(o);
  ASSERT_EQ(restarts.size(), 2U);
  EXPECT_EQ(restarts[1].epoch, 60);
  EXPECT_DOUBLE_EQ(restarts[1].rate, 2e-5);
  for (const char* wrong :
       {"30", "30:0", "30:-1", "0:1", "30:1,30:1", "30:1,20:1", "a:1", "30:1x", "30:1,,40:1", ":1"}) {
    o.restarts = wrong;
    EXPECT_THROW(restarts_of(o), ConfigError) << wrong;
    Bound b;
    EXPECT_THROW(resolve(b.options, b.config, {{"restarts", wrong}}, nullptr, ""), ConfigError) << wrong;
  }
}

Progress after(std::int64_t epochs) {
  Progress progress;
  progress.epoch = epochs;
  return progress;
}

TEST(ConfigTest, ARunIsLengthenedWithANewCosine) {
  RunConfig config;
  config.train.schedule = RateSchedule::kCosine, config.train.epochs = 30, config.train.lr = 2e-3;
  RunConfig longer = lengthen(config, after(30), {.epochs = 50});
  EXPECT_EQ(longer.train.epochs, 50);
  EXPECT_EQ(longer.train.restarts, "30:0.002");
  longer = lengthen(longer, after(40), {.epochs = 60, .rate = 5e-4});
  EXPECT_EQ(longer.train.restarts, "30:0.002,50:0.0005");
  EXPECT_EQ(lengthen(config, after(12), {.epochs = 30}).train.restarts, "");  // its own number
  EXPECT_THROW(lengthen(config, after(30), {.epochs = 30}), ConfigError);     // nothing is left
  EXPECT_THROW(lengthen(config, after(12), {.epochs = 12}), ConfigError);
  EXPECT_THROW(lengthen(config, after(12), {.epochs = 20}), ConfigError);  // shorter
  EXPECT_THROW(lengthen(config, after(12), {.minutes = 20}), ConfigError);
  config.train.schedule = RateSchedule::kConstant;
  EXPECT_EQ(lengthen(config, after(30), {.epochs = 50}).train.restarts, "");
  EXPECT_EQ(lengthen(config, after(30), {.epochs = 50, .rate = 1e-4}).train.restarts, "30:0.0001");
  config.train.epochs = 0;
  EXPECT_DOUBLE_EQ(lengthen(config, after(0), {.epochs = 5, .rate = 1e-4}).train.lr, 1e-4);
}

TEST(ConfigTest, ALimitIsReplacedByThoseThatAreGiven) {
  RunConfig config;
  config.train.minutes = 60;
  RunConfig longer = lengthen(config, after(10), {.epochs = 20});
  EXPECT_EQ(longer.train.epochs, 20);
  EXPECT_EQ(longer.train.minutes, std::nullopt);
  EXPECT_EQ(longer.train.restarts, "");
  longer = lengthen(longer, after(10), {.minutes = 5});
  EXPECT_EQ(longer.train.epochs, std::nullopt);
  EXPECT_EQ(longer.train.minutes, 5);
  EXPECT_THROW(lengthen(config, after(10), {.epochs = 10}), ConfigError);
  EXPECT_THROW(lengthen(config, after(10), {.epochs = 20, .rate = 1e-4}), ConfigError);
  Progress over = after(10);
  over.plateau.over = true;
  EXPECT_THROW(lengthen(config, over, {.minutes = 120}), ConfigError);
}

TEST(ConfigTest, BudgetsAndSchedulesThatContradictAreRefused) {
  for (const auto& [key, value] : {std::pair{"minutes", "5"}, std::pair{"epochs", "x"}}) {
    Bound b;
    EXPECT_THROW(resolve(b.options, b.config, {{"schedule", "cosine"}, {key, value}}, nullptr, ""), ConfigError) << key;
  }
  Bound b, c;
  EXPECT_THROW(resolve(b.options, b.config, {{"restarts", "3:1e-4"}}, nullptr, ""), ConfigError);
  EXPECT_THROW(resolve(c.options, c.config, {{"gaps", "2s"}, {"task", "extrapolate"}}, nullptr, ""), ConfigError);
}

// What the help shows is what a training without options has.
TEST(ConfigTest, DefaultsAreThoseOfTheDefaultModel) {
  Bound b;
  name_defaults(b.options);
  const nlohmann::json own = config_json(default_config());
  for (const Option& option : b.options.options()) EXPECT_EQ(option.default_value, own[option.key]) << option.key;
  for (const char* key : {"start", "start_low", "start_high", "kl_weight", "sigma"})
    EXPECT_NE(b.options.find(key)->shown_default.find("models of the paper"), std::string::npos) << key;
  for (const auto& [key, text] : {std::pair{"model", "assimilate; frames for forecasts of scenes"},
                                  {"loss", "squared; distance with frames"},
                                  {"encoder_width", "64; 96 with frames"},
                                  {"start", "random; middle with models of the paper"}})
    EXPECT_EQ(b.options.find(key)->shown_default, text) << key;
  EXPECT_EQ(b.config.train.kl_weight, RunConfig().train.kl_weight);  // values stay
}

// Earlier versions had a bridge for the other models.
TEST(ConfigTest, ABridgeOfAnEarlierVersionIsRefusedUnlessThereIsNone) {
  Bound none, linear;
  resolve(none.options, none.config, {}, {{"bridge", "none"}, {"model", "lg-ode"}}, "config.json");
  EXPECT_EQ(none.config.model.kind, model::ModelKind::kLgOde);
  EXPECT_FALSE(config_json(none.config).contains("bridge"));
  lgode::testing::expect_error<ConfigError>(
      [&] {
        resolve(linear.options, linear.config, {}, {{"bridge", "linear"}, {"model", "lg-ode"}}, "config.json");
      },
      {"config.json", "bridge", "\"linear\"", "`model` assimilate"});
}

TEST(ConfigTest, AGainIsOfTheAssimilatingModel) {
  Bound b, other;
  resolve(b.options, b.config, {{"gain", "learned"}, {"model", "assimilate"}}, nullptr, "");
  EXPECT_EQ(b.config.model.gain, model::Gain::kLearned);
  EXPECT_THROW(resolve(other.options, other.config, {{"gain", "learned"}, {"model", "lg-ode"}}, nullptr, ""),
               ConfigError);
}

TEST(ConfigTest, TurningNeedsCentredPositions) {
  const auto resolved = [](const std::vector<std::pair<std::string, std::string>>& flags) {
    Bound b;
    resolve(b.options, b.config, flags, nullptr, "");
    return b.config;
  };
  EXPECT_EQ(resolved({{"turn", "random"}}).task.centre, data::Centre::kSystem);
  EXPECT_EQ(resolved({}).task.centre, data::Centre::kAuto);
  EXPECT_THROW(resolved({{"turn", "random"}, {"centre", "none"}}), ConfigError);
  EXPECT_THROW(resolved({{"turn", "random"}, {"centre", "auto"}}), ConfigError);
}

TEST(ConfigTest, TheAssimilatingModelHasItsOwnDefaultsAndNeedsFixedSteps) {
  Bound b;
  resolve(b.options, b.config, {{"model", "assimilate"}, {"sigma", "0.02"}}, nullptr, "");
  EXPECT_EQ(b.config.train.kl_weight, 1e-3);
  EXPECT_EQ(b.config.task.start, data::Start::kRandom);
  EXPECT_EQ(b.config.model.sigma, 0.02);  // a flag wins
}

model::ModelKind kind_of(const std::vector<std::pair<std::string, std::string>>& flags,
                         const nlohmann::json& file = nullptr) {
  Bound b;
  resolve(b.options, b.config, flags, file, "run.json");
  return b.config.model.kind;
}

TEST(ConfigTest, TheDefaultModelAssimilatesAndThePapersOptionsMeanLgOde) {
  EXPECT_EQ(kind_of({}), model::ModelKind::kAssimilate);
  EXPECT_EQ(kind_of({{"recipe", "paper"}}), model::ModelKind::kLgOde);
  EXPECT_EQ(kind_of({}, {{"recipe", "paper"}}), model::ModelKind::kLgOde);
  EXPECT_EQ(kind_of({{"variant", "mean"}}), model::ModelKind::kLgOde);
  EXPECT_EQ(kind_of({{"variant", "full"}}), model::ModelKind::kAssimilate);
  EXPECT_EQ(kind_of({{"recipe", "paper"}, {"model", "latent-ode"}}), model::ModelKind::kLatentOde);
  EXPECT_EQ(kind_of({}, {{"model", "lg-ode"}}), model::ModelKind::kLgOde);
  const RunConfig config = default_config();
  EXPECT_EQ(config.model.kind, model::ModelKind::kAssimilate);
  EXPECT_EQ(config.model.sigma, 0.003);
}

TEST(ConfigTest, WhatTheDefaultModelCannotTakeIsRefusedWithAWayOut) {
  const auto refused = [](const std::vector<std::pair<std::string, std::string>>& flags,
                          const std::vector<std::string>& words) {
    try {
      kind_of(flags);
      ADD_FAILURE() << words[0];
    } catch (const ConfigError& error) {
      for (const std::string& word : words)
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refused({{"solver", "dopri5"}}, {"default `model`", "fixed steps", "`model` lg-ode `solver` dopri5"});
  refused({{"solver", "tsit5"}, {"model", "assimilate"}}, {"fixed steps", "`model` lg-ode `solver` tsit5"});
  refused({{"model", "assimilate"}, {"variant", "mean"}}, {"mean", "assimilate"});
  refused({{"model", "assimilate"}, {"recipe", "paper"}}, {"`recipe` paper", "assimilate"});
  EXPECT_EQ(kind_of({{"solver", "dopri5"}, {"model", "lg-ode"}}), model::ModelKind::kLgOde);
}

}  // namespace
}  // namespace lgode::train
