// The tables: means, deviations, ratios, and what failed, is missing or is skipped.
#include "lgode/reproduce/tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "sample.h"
#include "support/temp_folder.h"

namespace lgode::reproduce {
namespace {

using lgode::testing::TempFolder;
using nlohmann::json;
using nlohmann::ordered_json;

class Tables : public ::testing::Test {
 protected:
  void add(const std::string& name, const json& record) { write_sample(folder_ / (name + ".json"), record); }
  void add(const Cell& cell, double mse) { add(cell.name(), sample(cell, mse)); }

  ordered_json make() {
    TableContext context = context_;
    const std::vector<Record> records = read_records(folder_.path(), context.notes);
    return make_tables(records, context);
  }

  // The entry of a model's cell under a protocol.
  static ordered_json at(const ordered_json& tables, const Cell& cell) {
    for (const ordered_json& table : tables["tables"])
      for (const ordered_json& row : table["rows"])
        for (const ordered_json& c : row["cells"])
          if (table["task"] == cell.task && row["row"] == cell.row && c["dataset"] == cell.dataset &&
              c["observed"] == cell.observed)
            return c["protocol_" + cell.protocol];
    ADD_FAILURE() << cell.name();
    return nullptr;
  }

  static std::string line(const std::string& text, const std::string& begin) {
    const std::size_t at = text.find("\n" + begin);
    EXPECT_NE(at, std::string::npos) << begin << " in\n" << text;
    return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  }

  TempFolder folder_;
  TableContext context_;
  Cell cell_{"springs", "interpolate", 60, "lg-ode", "clean", 1};
};

TEST(Average, MeanAndSampleDeviation) {
  EXPECT_DOUBLE_EQ(average({2.0}).mean, 2.0);
  EXPECT_EQ(average({2.0}).deviation, 0.0);
  EXPECT_DOUBLE_EQ(average({1.0, 3.0}).mean, 2.0);
  EXPECT_DOUBLE_EQ(average({1.0, 3.0}).deviation, std::sqrt(2.0));
}

TEST_F(Tables, MeanDeviationAndRatioOverSeeds) {
  add(cell_, 0.001);
  cell_.seed = 2;
  add(cell_, 0.003);
  const ordered_json result = at(make(), cell_);
  EXPECT_DOUBLE_EQ(result["mean"], 0.002);
  EXPECT_DOUBLE_EQ(result["deviation"], 0.001 * std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(result["unseen_mean"], 0.004);
  EXPECT_DOUBLE_EQ(result["ratio"], 0.002 / 0.003170);
  EXPECT_EQ(result["seeds"], ordered_json({1, 2}));
  const std::string text = tables_markdown(make());
  EXPECT_EQ(line(text, "| **LG-ODE** |"), "| **LG-ODE** | – | 0.2000 ± 0.1414 | – | – | – | – | – | – | – |");
  EXPECT_EQ(line(text, "| unseen targets |"), "| unseen targets | – | 0.4000 ± 0.2828 | – | – | – | – | – | – | – |");
  EXPECT_EQ(line(text, "| ours / paper |"), "| ours / paper | – | 0.63 | – | – | – | – | – | – | – |");
  EXPECT_EQ(line(text, "| *linear* |"), "| *linear* | – | 1.0000 ± 0.0000 | – | – | – | – | – | – | – |");
  EXPECT_NE(text.find("Seeds: 1, 2. Trained at commit: 0123456789ab. Machine: a machine."), std::string::npos) << text;
  EXPECT_NE(text.find("| springs | 90 | 25 | 3 | – |"), std::string::npos) << text;
  EXPECT_EQ(text.find("paper's protocol |"), std::string::npos) << text;
}

// A deviation below the mean's last decimal is not shown as none.
TEST_F(Tables, SmallDeviationsHaveDecimals) {
  add(cell_, 0.001);
  cell_.seed = 2;
  add(cell_, 0.0010001);
  EXPECT_NE(tables_markdown(make()).find("| 0.1000 ± 0.0000071 |"), std::string::npos) << tables_markdown(make());
}

TEST_F(Tables, OptionsInWhichCellsDifferAreTold) {
  json with_dropout = sample(cell_, 0.001), without = with_dropout;
  with_dropout["config"]["dropout"] = 0.2, without["config"]["dropout"] = 0.0;
  Cell other = cell_;
  other.row = "mean", without["variant"] = "mean";
  add(cell_.name(), with_dropout);
  add(other.name(), without);
  const std::string notes = make()["notes"].dump();
  EXPECT_NE(notes.find("springs, interpolate, protocol clean: cells differ in dropout: 0.0, 0.2"), std::string::npos)
      << notes;
  EXPECT_EQ(notes.find("lr"), std::string::npos) << notes;
}

TEST_F(Tables, AllOfThePapersNumbersStandInThem) {
  add(cell_, 0.001);
  const std::string text = tables_markdown(make());
  for (const std::string_view task : kTasks)
    for (const PaperRow& row : kRows)
      for (const std::string_view dataset : kDatasets)
        for (const int observed : kObserved) {
          if (row.name == "ours") continue;
          char number[32];
          std::snprintf(number, sizeof(number), " %.4f |", *paper_error(task, dataset, observed, row.name));
          EXPECT_NE(text.find(number), std::string::npos) << number;
        }
}

TEST_F(Tables, OurRowStandsThereIfItHasResults) {
  add(cell_, 0.001);
  EXPECT_EQ(tables_markdown(make()).find("assimilate"), std::string::npos);
  Cell ours = cell_;
  ours.row = "ours", ours.task = "extrapolate";
  json record = sample(ours, 0.002);
  record["test_mse_first_half"] = 0.0003, record["within"] = {{"bound", 4.95}, {"mse", 0.0004}};
  add(ours.name(), record);
  const ordered_json result = at(make(), ours);
  EXPECT_DOUBLE_EQ(result["mean"], 0.002);
  EXPECT_DOUBLE_EQ(result["first_half_mean"], 0.0003);
  EXPECT_DOUBLE_EQ(result["within_mean"], 0.0004);
  EXPECT_FALSE(result.contains("ratio"));
  const std::string text = tables_markdown(make());
  EXPECT_EQ(line(text, "| **ours (assimilate)** |"),
            "| **ours (assimilate)** | – | 0.2000 | – | – | – | – | – | – | – |");
  EXPECT_EQ(line(text, "| clear of the walls |"), "| clear of the walls | – | 0.0400 | – | – | – | – | – | – | – |");
  EXPECT_EQ(line(text, "| first half |"), "| first half | – | 0.0300 | – | – | – | – | – | – | – |");
}

TEST_F(Tables, OneSeedHasNoDeviation) {
  add(cell_, 0.00002);
  EXPECT_TRUE(at(make(), cell_)["deviation"].is_null());
  EXPECT_EQ(line(tables_markdown(make()), "| **LG-ODE** |"), "| **LG-ODE** | – | 0.0020 | – | – | – | – | – | – | – |");
}

TEST_F(Tables, BothProtocolsStandApart) {
  add(cell_, 0.001);
  Cell paper = cell_;
  paper.protocol = "paper";
  add(paper, 0.0005);
  const ordered_json tables = make();
  EXPECT_DOUBLE_EQ(at(tables, cell_)["mean"], 0.001);
  EXPECT_DOUBLE_EQ(at(tables, paper)["mean"], 0.0005);
  const std::string text = tables_markdown(tables);
  EXPECT_EQ(line(text, "| paper's protocol |"), "| paper's protocol | – | 0.0500 | – | – | – | – | – | – | – |");
  EXPECT_EQ(line(text, "| ours / paper, paper's protocol |"),
            "| ours / paper, paper's protocol | – | 0.16 | – | – | – | – | – | – | – |");
}

TEST_F(Tables, FailedMissingAndSkippedAreSaid) {
  add(cell_, 0.001);
  Cell failed = cell_;
  failed.seed = 2;
  add(failed.name(), failed_record(failed, {}, "training diverged", "log.txt"));
  Cell missing = cell_;
  missing.observed = 80;
  Cell motion = cell_;
  motion.dataset = "motion";
  context_.planned = {cell_, failed, missing, motion};
  context_.skipped["motion"] = "get it";
  const ordered_json tables = make();
  EXPECT_EQ(at(tables, cell_)["failed"][0]["reason"], "training diverged");
  EXPECT_EQ(at(tables, cell_)["seeds"], ordered_json({1}));
  EXPECT_EQ(at(tables, missing)["not_done"], 1);
  EXPECT_EQ(at(tables, motion)["skipped"], "get it");
  const std::string text = tables_markdown(tables);
  EXPECT_EQ(line(text, "| **LG-ODE** |"),
            "| **LG-ODE** | – | 0.1000, failed (1) | 1 not done | – | – | – | – | skipped | – |");
  EXPECT_NE(text.find("1. springs-60-interpolate-lg-ode-clean-2: training diverged"), std::string::npos) << text;
  EXPECT_NE(text.find("- motion: get it"), std::string::npos) << text;
}

TEST_F(Tables, OtherSettingsAreNeverAveraged) {
  json large = sample(cell_, 0.003), small = sample(cell_, 0.001), better = sample(cell_, 0.002);
  large["train_systems"] = small["train_systems"].get<int>() * 10;
  better["train_systems"] = large["train_systems"];
  better["config"]["lr"] = 0.01;
  better["test_mse"] = 0.9;  // the validation error chooses, not this one
  add("large", large);
  add("small", small);
  add("better", better);
  const ordered_json tables = make();
  EXPECT_EQ(at(tables, cell_)["records"], ordered_json({"better.json"}));
  EXPECT_DOUBLE_EQ(at(tables, cell_)["mean"], 0.9);
  const std::string text = tables_markdown(tables);
  EXPECT_NE(text.find("large.json: skipped: other settings than better.json, which has the lower validation error"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("small.json: skipped: other settings than better.json, which has more training systems"),
            std::string::npos)
      << text;
}

TEST_F(Tables, TextIsWrapped) {
  add(cell_, 0.001);
  context_.skipped["motion"] = std::string(100, '.') + " end of ±± all";
  const std::string text = tables_markdown(make());
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("|")) continue;
    EXPECT_LE(line.size(), 124U) << line;  // bytes: at most four beyond 120 columns
  }
  EXPECT_NE(text.find("of the mean path. Made by `lgode reproduce` from\nresult records.\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find(".. end of ±±\n  all\n"), std::string::npos) << text;  // 120 columns, then the rest
}

TEST_F(Tables, ASeedCountsOnce) {
  add("a", sample(cell_, 0.001));
  add("b", sample(cell_, 0.001));
  const ordered_json tables = make();
  EXPECT_EQ(at(tables, cell_)["seeds"], ordered_json({1}));
  ASSERT_EQ(tables["notes"].size(), 1U);
  EXPECT_NE(tables["notes"][0].get<std::string>().find("b.json: skipped"), std::string::npos);
}

TEST_F(Tables, ClassicalRowsComeFromAnyRow) {
  cell_.row = "edge-gnn";
  add(cell_, 0.001);
  const ordered_json tables = make();
  EXPECT_DOUBLE_EQ(tables["tables"][0]["classical"][2]["cells"][1]["protocol_clean"]["mean"], 0.05);
  EXPECT_TRUE(tables["tables"][0]["classical"][2]["cells"][0]["protocol_clean"].is_null());
}

}  // namespace
}  // namespace lgode::reproduce
