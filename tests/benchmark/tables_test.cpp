// Tables from records: rows, means over seeds, published figures with their sources, and what is left out.
#include "lgode/benchmark/tables.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <regex>
#include <set>

#include "lgode/core/error.h"
#include "sample.h"

namespace lgode::benchmark {
namespace {

Record record_of(const Protocol& protocol, const Job& job, double error, bool best = false) {
  Record record{protocol.name, job, {}, {}};
  for (const Group& group : protocol.groups) {
    if (group.task != job.task) continue;
    Score score;
    score.people = 10, score.ade = error, score.fde = 2 * error;
    if (best) score.futures = 20, score.best = Distances{error / 2, error};
    if (group.task == Task::kImpute) score = {}, score.values = 8, score.mae = error;
    record.scores[group.name] = score;
  }
  return record;
}

// Every fold of a row: errors 0.1, 0.2, ...
std::vector<Record> row_of(const Protocol& protocol, const std::string& row, std::uint64_t seed, bool best = false) {
  std::vector<Record> records;
  for (const Fold& fold : protocol.folds)
    records.push_back(record_of(protocol, {fold.name, Task::kForecast, row, seed},
                                0.1 * static_cast<double>(records.size() + 1), best));
  return records;
}

void append(std::vector<Record>& all, const std::vector<Record>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Markdown with the lines of wrapped list items joined.
std::string joined(const Report& report) { return std::regex_replace(markdown(report), std::regex("\\n {2,3}"), " "); }

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

TEST(BenchmarkTables, HaveOursClassicalAndPublishedRows) {
  const Protocol& protocol = find_protocol("eth-ucy");
  std::vector<Record> records = row_of(protocol, "constant-velocity", 0);
  append(records, row_of(protocol, kModelRow, 1));
  append(records, row_of(protocol, kModelRow, 2));
  for (std::size_t k = 5; k < 10; ++k)
    for (auto& [group, score] : records[k].scores) score.ade += 0.2, score.fde += 0.2;
  const std::string text = joined(make_report(protocol, records));
  EXPECT_TRUE(has(text, "## One path, windows of at least two people: ADE/FDE in m")) << text;
  EXPECT_TRUE(has(text, "| | eth | hotel | univ | zara1 | zara2 | mean |\n|---|---:|---:|---:|---:|---:|---:|\n"))
      << text;
  // Seed 1 has 0.3/0.4 in eth, seed 2 0.1/0.2; the means are 0.5/0.8 and 0.3/0.6.
  EXPECT_TRUE(has(text, "| **ours, 2 seeds** | 0.200/0.300 | 0.300/0.500 |")) << text;
  EXPECT_TRUE(has(text, "| 0.400/0.700 ± 0.141/0.141 |")) << text;
  EXPECT_TRUE(has(text,
                  "| *constant velocity* | 0.100/0.200 | 0.200/0.400 | 0.300/0.600 | 0.400/0.800 | 0.500/1.000 | "
                  "0.300/0.600 |"))
      << text;
  EXPECT_TRUE(has(text,
                  "| LMTraj-SUP [1] | 0.672/1.239 | 0.250/0.433 | 0.572/1.161 | 0.509/1.002 | 0.383/0.747 | "
                  "0.477/0.916 |"))
      << text;
  EXPECT_TRUE(has(text, "1. README of LMTrajectory (CVPR 2024): <https://github.com/InhwanBae/LMTrajectory>")) << text;
  EXPECT_FALSE(has(text, "Best of 20")) << text;  // nothing of ours is there
}

TEST(BenchmarkTables, BestOfTwentyStandsBesideFiguresOfTheSameKind) {
  const Protocol& protocol = find_protocol("eth-ucy");
  std::vector<Record> records = row_of(protocol, kModelRow, 1, true);
  std::string text = joined(make_report(protocol, records));
  EXPECT_TRUE(has(text, "## Best of 20, all people with 20 frames: ADE/FDE in m")) << text;
  EXPECT_TRUE(has(text, "| **ours, 1 seed** | 0.050/0.100 |")) << text;
  EXPECT_TRUE(has(text, "| – | – | – | – | – | 0.210/0.340 |")) << text;  // only its mean is published
  EXPECT_TRUE(has(text, "EqMotion [")) << text;
  EXPECT_TRUE(has(text, "- \\* Measured by others than the method's authors")) << text;
  EXPECT_FALSE(has(text, "is the best of")) << text;
  records[0].scores["pairs"].futures = 5;
  text = joined(make_report(protocol, records));
  EXPECT_TRUE(has(text, "Ours under best of 20 is the best of 5.")) << text;
}

TEST(BenchmarkTables, PublishedRowsNeedMasksThatAreAlike) {
  const Protocol& protocol = find_protocol("trajimpute");
  std::vector<Record> records = row_of(protocol, kModelRow, 1, true);
  std::string text = joined(make_report(protocol, records));
  EXPECT_FALSE(has(text, "EqMotion")) << text;
  EXPECT_TRUE(has(text, "Published rows are left out: they are shown once constant velocity")) << text;
  std::vector<Record> line = row_of(protocol, "constant-velocity", 0);
  for (Record& record : line) record.scores["hard"].ade = 1.22, record.scores["hard"].fde = 2.05;
  append(records, line);
  records.push_back(record_of(protocol, {"eth", Task::kImpute, kLineRow, 0}, 0.03));
  text = joined(make_report(protocol, records));
  EXPECT_TRUE(has(text,
                  "Constant velocity on our masks has 1.220/2.050 in hard, on the published files 1.21/2.06: within "
                  "3 %"))
      << text;
  EXPECT_TRUE(has(text, "| EqMotion [1]\\* | 0.470/0.630 |")) << text;
  EXPECT_TRUE(has(text, "| *straight line* | 0.030 | – |")) << text;
  EXPECT_TRUE(has(text, "| SAITS [1]\\* | 0.997 | 2.605 | 0.616 | 0.628 | 0.363 |")) << text;
  records[5].scores["hard"].ade = 1.6;  // of the mean of five: +6 %
  text = joined(make_report(protocol, records));
  EXPECT_FALSE(has(text, "EqMotion")) << text;
  EXPECT_TRUE(has(text, "more than 3 % apart, so published rows are left out")) << text;
}

TEST(BenchmarkTables, FailuresAndStrangeRecordsAreNotes) {
  const Protocol& protocol = find_protocol("nba-rebound");
  std::vector<Record> records = {record_of(protocol, {"test", Task::kForecast, "hold", 0}, 3)};
  Record failed{protocol.name, {"test", Task::kForecast, kModelRow, 2}, "the memory is full", {}};
  records.push_back(failed);
  records.push_back(record_of(find_protocol("sdd"), {"test", Task::kForecast, "hold", 0}, 9));
  const std::string text = joined(make_report(protocol, records, {"x.json: is not a result"}));
  EXPECT_TRUE(has(text, "- test-model-2 failed: the memory is full")) << text;
  EXPECT_TRUE(has(text, "- x.json: is not a result")) << text;
  EXPECT_TRUE(has(text, "| | test |\n|---|---:|\n| *hold* | 3.000/6.000 |")) << text;
  EXPECT_FALSE(has(text, "9.000")) << text;
}

TEST(BenchmarkTables, ThePageIsSafeAndLoadsNothing) {
  const Protocol& protocol = find_protocol("eth-ucy");
  const Report report = make_report(protocol, row_of(protocol, kModelRow, 1), {"<script>alert(1)</script>"});
  const std::string text = page(report);
  EXPECT_TRUE(has(text, "&lt;script&gt;")) << text;
  EXPECT_FALSE(has(text, "<script")) << text;
  EXPECT_FALSE(has(text, "src=")) << text;
  EXPECT_TRUE(has(text, "<tr class=\"ours\"><td>ours, 1 seed</td><td>0.100/0.200</td>")) << text;
  EXPECT_TRUE(has(text, "<a href=\"https://github.com/InhwanBae/LMTrajectory\">")) << text;
}

TEST(BenchmarkTables, RecordsAreReadAsTheyWereWritten) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("lgode-records-{}", ::getpid());
  fs::remove_all(folder);
  const Protocol& protocol = find_protocol("trajimpute");
  Record record = record_of(protocol, {"univ", Task::kImpute, kModelRow, 3}, 0.25);
  record.made = {{"commit", "0123"}, {"config", {{"lr", 0.001}}}};
  write_record(folder / "a.json", record);
  write_record(folder / "b.json", {protocol.name, {"eth", Task::kForecast, "hold", 0}, "why", {}});
  std::ofstream(folder / "c.json") << "{\"benchmark\": \"sdd\"}";
  std::vector<std::string> left_out;
  const std::vector<Record> records = read_records(folder, left_out);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].to_json(), record.to_json());
  EXPECT_EQ(records[1].failed, "why");
  ASSERT_EQ(left_out.size(), 1U);
  EXPECT_TRUE(has(left_out[0], "c.json: is not a result of lgode benchmark, or is incomplete")) << left_out[0];
  fs::remove_all(folder);
}

TEST(Published, FiguresBelongToTablesAndHaveSources) {
  std::set<std::size_t> used;
  for (const Published& row : published()) {
    const Protocol& protocol = find_protocol(std::string(row.benchmark));
    used.insert(row.source);
    ASSERT_LT(row.source, sources().size());
    EXPECT_TRUE(row.folds.size() == protocol.folds.size() || (row.folds.empty() && row.mean)) << row.method;
    for (const std::string_view name : row.groups)
      EXPECT_TRUE(std::any_of(protocol.groups.begin(), protocol.groups.end(), [&](const Group& g) {
        return g.name == name && (g.task == Task::kImpute) == (row.measure == Measure::kMae);
      })) << row.method;
    for (const Figure& figure : row.folds) EXPECT_EQ(figure.second.has_value(), row.measure != Measure::kMae);
    // A published mean is the mean of the published folds, to rounding.
    if (!row.mean || row.folds.empty()) continue;
    double first = 0;
    for (const Figure& figure : row.folds) first += figure.first / static_cast<double>(row.folds.size());
    EXPECT_NEAR(row.mean->first, first, 0.006) << row.method;
  }
  EXPECT_EQ(used.size(), sources().size());
}

}  // namespace
}  // namespace lgode::benchmark
