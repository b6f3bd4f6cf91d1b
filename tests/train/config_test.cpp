// Run configurations: recipes, sources of values, invalid combinations.
#include "lgode/train/config.h"

#include <gtest/gtest.h>

#include "lgode/core/error.h"
#include "lgode/core/options.h"

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
  EXPECT_EQ(b.config.train.epochs, 30);
  EXPECT_EQ(b.options.find("lr")->source, Source::kFlag);
  EXPECT_EQ(b.options.find("samples")->source, Source::kFile);
  EXPECT_EQ(b.options.find("grid")->source, Source::kRecipe);
  EXPECT_EQ(b.options.find("epochs")->source, Source::kDefault);
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

}  // namespace
}  // namespace lgode::train
