// Jobs, their names and their cost.
#include "lgode/benchmark/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lgode/core/error.h"

namespace lgode::benchmark {
namespace {

std::int64_t trainings(const std::vector<Job>& jobs) {
  return std::count_if(jobs.begin(), jobs.end(), [](const Job& job) { return job.trains(); });
}

TEST(BenchmarkPlan, HasEveryRowInEveryColumn) {
  const std::vector<Job> jobs = plan(find_protocol("eth-ucy"), select_rows("", 3));
  EXPECT_EQ(jobs.size(), 5U * 4 + 5 * 3);
  EXPECT_EQ(trainings(jobs), 15);
  EXPECT_FALSE(jobs[19].trains());
  EXPECT_EQ(jobs[20].name(), "eth-model-1");  // a whole table of seed 1 comes first
  EXPECT_EQ(jobs[25].name(), "eth-model-2");
  std::set<std::string> names;
  for (const Job& job : jobs) names.insert(job.name());
  EXPECT_EQ(names.size(), jobs.size());
}

TEST(BenchmarkPlan, HiddenFramesAreAlsoImputed) {
  const std::vector<Job> jobs = plan(find_protocol("trajimpute"), select_rows("", 1));
  EXPECT_EQ(jobs.size(), 5U * (4 + 1) + 5 * 2);
  EXPECT_EQ(std::count(jobs.begin(), jobs.end(), Job{"eth", Task::kImpute, kLineRow, 0}), 1);
  EXPECT_EQ(jobs.back().name(), "zara2-impute-model-1");
}

TEST(BenchmarkPlan, MethodsAloneTrainNothing) {
  EXPECT_EQ(plan(find_protocol("nba-rebound"), select_rows("all", 3)).size(), 4U);
  const std::vector<Job> jobs = plan(find_protocol("nba-rebound"), select_rows("kalman,hold", 3));
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].name(), "test-hold");
  EXPECT_EQ(trainings(jobs), 0);
  EXPECT_THROW(select_rows("hermite", 3), ConfigError);
}

TEST(BenchmarkPlan, TellsTheCost) {
  const std::vector<Job> jobs = plan(find_protocol("eth-ucy"), select_rows("", 3));
  const std::string text = cost_text(jobs, 10, 2);
  EXPECT_NE(text.find("20 classical rows: seconds each"), std::string::npos) << text;
  EXPECT_NE(text.find("15 trainings of at most 10 min 00 s each: at most 1 h 20 min, 2 at a time"), std::string::npos)
      << text;
  EXPECT_NE(cost_text(jobs, {}, 2).find("15 trainings, whose options say how long they take"), std::string::npos);
  EXPECT_EQ(cost_text({}, 10, 1), "");
}

}  // namespace
}  // namespace lgode::benchmark
