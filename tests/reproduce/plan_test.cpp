// The choice of cells, recipes, and the settings that follow.
#include "lgode/reproduce/plan.h"

#include <gtest/gtest.h>

#include <set>

#include "lgode/core/error.h"
#include "lgode/reproduce/paper_tables.h"
#include "support/temp_folder.h"

namespace lgode::reproduce {
namespace {

using lgode::testing::expect_error;
using nlohmann::json;
using Names = std::vector<std::string>;

TEST(Choose, KeepsTheOrderAndDropsRepetitions) {
  const Names valid = {"a", "bb", "c"};
  EXPECT_EQ(choose("--rows", "c,a,c", valid), (Names{"a", "c"}));
  EXPECT_EQ(choose("--rows", "all", valid), valid);
}

TEST(Choose, ListsWhatIsValid) {
  const Names valid = {"springs", "charged", "motion"};
  expect_error<ConfigError>([&] { choose("--datasets", "springs,chraged", valid); },
                            {"--datasets springs,chraged", "'chraged'", "springs, charged, motion", "mean charged?"});
  expect_error<ConfigError>([&] { choose("--datasets", "", valid); }, {"--datasets", "springs, charged, motion"});
  expect_error<ConfigError>([&] { choose("--datasets", "springs,,motion", valid); }, {"''"});
  expect_error<ConfigError>([&] { choose("--datasets", "springs,", valid); }, {"''"});
}

TEST(Plan, TheFirstTableComesFirst) {
  const Selection selection = {
      {"interpolate", "extrapolate"}, {"latent-ode", "lg-ode"}, {"springs", "motion"}, {"clean"}, {40, 80}, 2};
  const std::vector<Cell> cells = plan(selection);
  ASSERT_EQ(cells.size(), 32U);
  EXPECT_EQ(cells[0], (Cell{"springs", "interpolate", 40, "lg-ode", "clean", 1}));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(cells[i].row, "lg-ode");
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(cells[i].seed, 1U);
  std::set<std::string> names;
  for (const Cell& cell : cells) names.insert(cell.name());
  EXPECT_EQ(names.size(), 32U);
  EXPECT_TRUE(names.contains("motion-80-extrapolate-latent-ode-clean-2"));
}

TEST(Plan, RowsOfManySmallKernelsComeLast) {
  const std::vector<Cell> cells =
      plan({{"interpolate"}, {"latent-ode", "edge-gnn", "rnn-nri", "lg-ode", "mean"}, {"springs"}, {"clean"}, {60}, 1});
  Names rows;
  for (const Cell& cell : cells) rows.push_back(cell.row);
  EXPECT_EQ(rows, (Names{"lg-ode", "edge-gnn", "mean", "latent-ode", "rnn-nri"}));
}

constexpr const char* kText = R"(// a comment
{"small": {"springs": {"train_systems": 10, "test_systems": 5, "both": {"lr": 0.1, "batch": 8},
  "extrapolate": {"lr": 0.2}, "rows": {"mean": {"lr": 0.3, "interpolate": {"lr": 0.4}}}}}})";

TEST(Plan, ShardsMakeUpThePlan) {
  Selection selection;
  selection.tasks = {"interpolate", "extrapolate"}, selection.rows = {"lg-ode"}, selection.datasets = {"springs"};
  selection.protocols = {"clean"}, selection.observed = {40, 60, 80}, selection.seeds = 3;
  const std::vector<Cell> cells = plan(selection);
  for (const std::int64_t count : {1, 4, 50}) {
    std::set<std::string> names;
    for (std::int64_t number = 1; number <= count; ++number)
      for (const Cell& cell : shard_of(cells, number, count)) EXPECT_TRUE(names.insert(cell.name()).second);
    EXPECT_EQ(names.size(), cells.size());
  }
}

TEST(Recipes, TheMoreSpecialWins) {
  const Recipes recipes = Recipes::parse(kText, "x.json");
  EXPECT_EQ(recipes.size("small", "springs").train, 10);
  EXPECT_EQ(recipes.size("small", "springs").test, 5);
  Cell cell{"springs", "interpolate", 40, "lg-ode", "paper", 7};
  EXPECT_EQ(recipes.settings("small", cell), (json{{"lr", 0.1},
                                                   {"batch", 8},
                                                   {"task", "interpolate"},
                                                   {"observed", 0.4},
                                                   {"protocol", "paper"},
                                                   {"seed", 7},
                                                   {"model", "lg-ode"},
                                                   {"centre", "none"},
                                                   {"turn", "none"},
                                                   {"schedule", "cosine"},
                                                   {"unseen", "predict"}}));
  cell.task = "extrapolate";
  EXPECT_EQ(recipes.settings("small", cell)["lr"], 0.2);
  cell.row = "mean";
  EXPECT_EQ(recipes.settings("small", cell)["lr"], 0.3);
  EXPECT_EQ(recipes.settings("small", cell)["variant"], "mean");
  EXPECT_FALSE(recipes.settings("small", cell).contains("interpolate"));
  cell.task = "interpolate";
  EXPECT_EQ(recipes.settings("small", cell)["lr"], 0.4);
  EXPECT_EQ(recipes.settings("small", cell)["model"], "lg-ode");
  cell.row = "rnn-nri";
  EXPECT_EQ(recipes.settings("small", cell)["model"], "rnn-nri");
}

TEST(Recipes, SaysWhatIsWrong) {
  expect_error<DataError>([] { Recipes::parse("{", "x.json"); }, {"x.json", "JSON"});
  expect_error<DataError>([] { Recipes::parse("[]", "x.json"); }, {"x.json", "object"});
  const Recipes recipes = Recipes::parse(R"({"small": {"springs": {}}})", "x.json");
  expect_error<DataError>([&] { recipes.size("small", "charged"); }, {"x.json", "small.charged"});
  expect_error<DataError>([&] { recipes.size("paper", "springs"); }, {"x.json", "paper.springs"});
  const auto refused = [](const std::string& entry, const Names& parts) {
    expect_error<DataError>([&] { Recipes::parse(R"({"small": {"springs": )" + entry + "}}", "x.json"); }, parts);
  };
  refused(R"({"train_systems": "many"})", {"x.json: small.springs.train_systems", "many"});
  refused(R"({"test_systems": 0})", {"test_systems", "0"});
  refused(R"({"both": 3})", {"small.springs.both", "options"});
  refused(R"({"bth": {}})", {"'bth'", "did you mean both?"});
  refused(R"({"rows": 3})", {"small.springs.rows", "object"});
  refused(R"({"rows": {"lgode": {}}})", {"'lgode'", "did you mean lg-ode?"});
  refused(R"({"rows": {"mean": {"model": "rnn-nri"}}})", {"small.springs.rows.mean", "model"});
  refused(R"({"rows": {"mean": {"extrapolate": 3}}})", {"small.springs.rows.mean.extrapolate", "object"});
  refused("3", {"small.springs", "object"});
  expect_error<DataError>([] { Recipes::parse(R"({"smal": {}})", "x.json"); }, {"'smal'", "did you mean small?"});
  expect_error<DataError>([] { Recipes::parse(R"({"small": {"sprngs": {}}})", "x.json"); }, {"did you mean springs?"});
}

TEST(Recipes, TheBuiltInOnesCoverEveryCell) {
  const Recipes recipes = Recipes::builtin();
  for (const char* scale : {"small", "paper"})
    for (const std::string_view dataset : kDatasets)
      for (const std::string_view task : kTasks)
        for (const PaperRow& row : kRows) {
          const json settings =
              recipes.settings(scale, {std::string(dataset), std::string(task), 60, std::string(row.name)});
          for (const char* key : {"epochs", "batch", "lr"}) EXPECT_TRUE(settings.contains(key)) << scale << dataset;
        }
  EXPECT_EQ(recipes.size("paper", "springs").train, 20000);
  EXPECT_EQ(recipes.size("paper", "charged").test, 5000);
  EXPECT_EQ(recipes.size("paper", "motion").train, 0);
}

TEST(Settings, AsFlags) {
  EXPECT_EQ(setting_flags({{"kl_warmup", 10}, {"lr", 0.002}, {"start", "random"}}),
            (Names{"--kl-warmup", "10", "--lr", "0.002", "--start", "random"}));
}

TEST(Settings, DeparturesAreNamed) {
  const json settings = {{"epochs", 5}, {"lr", 0.1}};
  EXPECT_EQ(departure(settings, {{"epochs", 5.0}, {"lr", 0.1}, {"sigma", 1}}), "");
  EXPECT_EQ(departure(settings, {{"epochs", 5}, {"lr", 0.1}, {"model", "lg-ode"}, {"variant", "full"}}), "");
  EXPECT_EQ(departure(settings, {{"epochs", 30}, {"lr", 0.1}}), "epochs is 30, asked for is 5");
  EXPECT_EQ(departure(settings, {{"epochs", 5}}), "lr is null, asked for is 0.1");
  EXPECT_EQ(departure(settings, {{"epochs", 5}, {"lr", 0.1}, {"variant", "mean"}}),
            "variant is mean, asked for is full");
  // Records of earlier versions lack these.
  EXPECT_EQ(departure({{"turn", "none"}, {"centre", "none"}, {"model", "lg-ode"}}, {{"epochs", 5}}), "");
  EXPECT_EQ(departure({{"turn", "none"}}, {{"turn", "random"}}), "turn is random, asked for is none");
  EXPECT_EQ(departure({{"model", "rnn-nri"}}, {{"epochs", 5}}), "model is lg-ode, asked for is rnn-nri");
}

}  // namespace
}  // namespace lgode::reproduce
