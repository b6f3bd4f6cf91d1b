// The text of metrics over positions, of runs whose evaluations are put together here.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/evaluation_report.h"

namespace lgode::app {
namespace {

// One object with a point at each of the times 0.25 and 0.75 of a range of 2 s. The mean path is off by 3 m and 4 m;
// with `futures` the first of them as well, the others by 1 m and 0 m.
EvaluatedRun run_with(std::int64_t futures) {
  data::Batch batch;
  batch.features = 1;
  batch.system = {0}, batch.start = {0}, batch.object_offsets = {0, 1}, batch.object = {0};
  batch.target_offsets = {0, 2}, batch.target_times = {0.25, 0.75};
  batch.target_values = {0, 0}, batch.target_mask = {1, 1}, batch.target_seen = {0, 0};
  std::vector<float> paths = {3, 4};
  for (std::int64_t k = 0; k < futures; ++k) paths.insert(paths.end(), {k == 0 ? 3.0F : 1.0F, k == 0 ? 4.0F : 0.0F});
  eval::ScoreKeeper keeper({{1.0}}, 2.0, 1.0, 2, eval::all_metrics(), {.constant = {}, .positions = {0}});
  eval::ScoreKeeper hold = keeper;
  keeper.add(batch, eval::PredictedPaths{.values = paths.data(), .count = 1 + futures});
  hold.add(batch, paths.data());
  EvaluatedRun run;
  run.run = "runs/a", run.data_name = "walks", run.time_unit = "s";
  run.info.task.task = data::Task::kExtrapolate;
  run.info.features = {{"x", "m", 0, -1}};
  run.evaluation.model = keeper.scores();
  run.evaluation.classical = {{"hold", hold.scores()}, {"linear", hold.scores()}};
  run.evaluation.positions = {.features = {"x"}, .unit = "m", .limits = {}, .futures = futures};
  return run;
}

// The line that starts with these words, its spaces joined.
std::string line_of(const std::string& text, const std::string& start) {
  const std::size_t at = text.find("\n  " + start + " ");
  if (at == std::string::npos) return "no " + start + " in\n" + text;
  std::string line;
  for (const char c : text.substr(at + 3, text.find('\n', at + 1) - at - 3))
    if (c != ' ' || (!line.empty() && line.back() != ' ')) line += c;
  return line;
}

TEST(EvaluationPositionsTest, OnePathHasNoMetricsOfFutures) {
  const std::string text = positions_section(run_with(0));
  EXPECT_EQ(line_of("\n" + text, "positions"), "positions unit model hold");
  EXPECT_EQ(line_of(text, "ADE"), "ADE m 3.5 3.5");
  EXPECT_EQ(line_of(text, "FDE"), "FDE m 4 4");
  EXPECT_EQ(line_of(text, "miss rate"), "miss rate 100.0 % 100.0 %");
  EXPECT_EQ(text.find("min"), std::string::npos) << text;
  EXPECT_NE(text.find("A miss is a final error above 2 m, a collision two predicted centres nearer than 0.2 m.\n"),
            std::string::npos)
      << text;
}

TEST(EvaluationPositionsTest, FuturesAreCountedInNames) {
  const std::string text = positions_section(run_with(3));
  EXPECT_EQ(line_of(text, "ADE"), "ADE m 3.5 3.5");
  EXPECT_EQ(line_of(text, "minADE_3"), "minADE_3 m 0.5 -");
  EXPECT_EQ(line_of(text, "minFDE_3"), "minFDE_3 m 0 -");
  EXPECT_EQ(line_of(text, "miss rate of 3"), "miss rate of 3 0.0 % -");
  EXPECT_EQ(line_of(text, "brier-minFDE_3"), "brier-minFDE_3 m 0.4444 -");
}

TEST(EvaluationPositionsTest, PartsOfTheRangeHaveTheAde) {
  const std::string text = position_horizon_section(run_with(3));
  EXPECT_EQ(line_of("\n" + text, "ADE, s since start"), "ADE, s since start model hold model, minADE_3");
  EXPECT_EQ(line_of(text, "0 to 1"), "0 to 1 3 3 1");
  EXPECT_EQ(line_of(text, "1 to 2"), "1 to 2 4 4 0");
  EXPECT_EQ(position_horizon_section(run_with(0)).find("minADE"), std::string::npos);
}

TEST(EvaluationPositionsTest, WithoutPositionsThereIsOneLine) {
  EvaluatedRun run = run_with(0);
  run.evaluation.positions = {.note = "no metrics over positions: `x` is none"};
  EXPECT_EQ(positions_section(run), "No metrics over positions: --x is none.\n");
}

TEST(EvaluationPositionsTest, SeveralRunsHaveTheMetricsOfAll) {
  const auto rows_of = [](const std::vector<EvaluatedRun>& runs, const std::string& name) {
    for (const auto& [found, cells] : position_rows(runs))
      if (found == name) return cells;
    return std::vector<std::string>();
  };
  const std::vector<EvaluatedRun> runs = {run_with(0), run_with(3)};
  EXPECT_EQ(rows_of(runs, "ADE"), (std::vector<std::string>{"3.5 m", "3.5 m"}));
  EXPECT_EQ(rows_of(runs, "minADE_3"), (std::vector<std::string>{"-", "0.5 m"}));
  EXPECT_EQ(rows_of({run_with(2), run_with(3)}, "minADE_k"), (std::vector<std::string>{"0.5 m", "0.5 m"}));
}

}  // namespace
}  // namespace lgode::app
