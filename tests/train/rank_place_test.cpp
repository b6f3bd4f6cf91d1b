// The variables of launchers, and how a step is distributed over ranks.
#include "lgode/train/rank_place.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>

#include "lgode/core/error.h"
#include "lgode/train/step_input.h"

namespace lgode::train {
namespace {

using Variables = std::map<std::string, std::string>;

std::optional<RankPlace> place(const std::string& ranks, const Variables& variables) {
  return find_place(ranks, [&](const char* name) {
    const auto found = variables.find(name);
    return found != variables.end() ? found->second.c_str() : nullptr;
  });
}

const Variables kTorchrun = {{"RANK", "3"},
                             {"WORLD_SIZE", "8"},
                             {"LOCAL_RANK", "1"},
                             {"MASTER_ADDR", "node1"},
                             {"MASTER_PORT", "29500"},
                             {"TORCHELASTIC_RUN_ID", "none"},
                             {"TORCHELASTIC_RESTART_COUNT", "2"},
                             {"TORCHELASTIC_USE_AGENT_STORE", "True"}};

const Variables kSrun = {{"SLURM_PROCID", "5"},         {"SLURM_NTASKS", "8"},
                         {"SLURM_LOCALID", "1"},        {"SLURM_JOB_NODELIST", "gpu[07-08,11]"},
                         {"SLURM_JOB_ID", "123456"},    {"SLURM_STEP_ID", "0"},
                         {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_STEP_NODELIST", "gpu[07-08]"}};

Variables with(Variables variables, const Variables& more) {
  for (const auto& [key, value] : more) variables[key] = value;
  return variables;
}
Variables without(Variables variables, const std::string& key) {
  variables.erase(key);
  return variables;
}

TEST(RankPlace, IsNowhereWithoutALauncher) {
  EXPECT_FALSE(place("auto", {}));
  EXPECT_FALSE(place("1", {}));
  EXPECT_FALSE(place("off", kTorchrun));
  EXPECT_THROW(place("4", {}), ConfigError);
  EXPECT_THROW(place("some", {}), ConfigError);
  EXPECT_THROW(place("0", {}), ConfigError);
}

TEST(RankPlace, ReadsTorchrunsVariables) {
  const RankPlace p = place("auto", kTorchrun).value();
  EXPECT_EQ(p.rank, 3);
  EXPECT_EQ(p.size, 8);
  EXPECT_EQ(p.local_rank, 1);
  EXPECT_EQ(p.address, "node1");
  EXPECT_EQ(p.port, 29500);
  EXPECT_TRUE(p.has_server);
  EXPECT_EQ(p.prefix, "lgode/2");  // another for every restart
  EXPECT_TRUE(place("8", kTorchrun));
  EXPECT_THROW(place("4", kTorchrun), ConfigError);
}

TEST(RankPlace, NamesWhatIsMissing) {
  for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"}) {
    try {
      place("auto", without(kTorchrun, name));
      ADD_FAILURE() << name;
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(place("auto", with(kTorchrun, {{"RANK", "8"}})), ConfigError);
  EXPECT_THROW(place("auto", with(kTorchrun, {{"MASTER_PORT", "port"}})), ConfigError);
  EXPECT_FALSE(place("auto", {{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
}

TEST(RankPlace, ReadsSlurmsVariables) {
  const RankPlace p = place("auto", kSrun).value();
  EXPECT_EQ(p.rank, 5);
  EXPECT_EQ(p.size, 8);
  EXPECT_EQ(p.local_rank, 1);
  EXPECT_EQ(p.address, "gpu07");
  EXPECT_GT(p.port, 1024);
  EXPECT_FALSE(p.has_server);
  EXPECT_NE(p.port, place("auto", with(kSrun, {{"SLURM_JOB_ID", "123457"}}))->port);
  EXPECT_EQ(place("auto", with(kSrun, {{"MASTER_ADDR", "other"}, {"MASTER_PORT", "7"}}))->port, 7);
}

// A shell of sbatch or salloc has the job's number of tasks, but starts no other process.
TEST(RankPlace, TrainsAloneInAShellOfSlurm) {
  const Variables shell =
      with(without(without(kSrun, "SLURM_STEP_ID"), "SLURM_STEP_NUM_TASKS"), {{"SLURM_PROCID", "0"}});
  EXPECT_FALSE(place("auto", shell));
  EXPECT_EQ(place("8", shell)->size, 8);
  EXPECT_FALSE(place("auto", with(kSrun, {{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}})));
}

TEST(RankPlace, ExpandsHostLists) {
  EXPECT_EQ(first_host("node7"), "node7");
  EXPECT_EQ(first_host("a,b[1-3]"), "a");
  EXPECT_EQ(first_host("node[03-05,9],other"), "node03");
  EXPECT_EQ(first_host("node[9,03-05]"), "node9");
  EXPECT_EQ(first_host("rack[2-3]node[14-15]"), "rack2node14");
  EXPECT_EQ(first_host("node[1-2].cluster,x"), "node1.cluster");
  EXPECT_EQ(first_host(""), "");
}

TEST(Spread, GivesEveryRankItsPart) {
  std::vector<double> places, work;
  for (int i = 0; i < 60; ++i) places.push_back((i * 37 % 60) / 60.0), work.push_back(1 + i % 7);
  for (const int ranks : {1, 2, 3, 7}) {
    const std::vector<int> owner = spread(places, work, ranks);
    std::vector<double> load(static_cast<std::size_t>(ranks), 0.0);
    int at_home = 0;
    for (std::size_t i = 0; i < owner.size(); ++i) {
      ASSERT_GE(owner[i], 0);
      ASSERT_LT(owner[i], ranks);
      load[static_cast<std::size_t>(owner[i])] += work[i];
      at_home += owner[i] == static_cast<int>(places[i] * ranks) ? 1 : 0;
    }
    const double fair = std::accumulate(work.begin(), work.end(), 0.0) / ranks;
    for (const double l : load) EXPECT_NEAR(l, fair, 7.0) << ranks;
    EXPECT_GT(at_home, 40) << ranks;  // it reads the same part of the file over and over
  }
}

TEST(Spread, LeavesRanksWithoutWork) {
  const std::vector<int> owner = spread({0.1, 0.2}, {1, 1}, 5);
  EXPECT_NE(owner[0], owner[1]);
}

}  // namespace
}  // namespace lgode::train
