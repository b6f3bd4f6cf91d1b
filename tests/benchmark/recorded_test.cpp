// Constant velocity on the recorded files, where they are: the figures that everybody's protocol gives.
#include <gtest/gtest.h>

#include <map>

#include "lgode/benchmark/paths.h"
#include "lgode/benchmark/score.h"
#include "sample.h"
#include "support/fixtures.h"

namespace lgode::benchmark {
namespace {

namespace fs = std::filesystem;

struct Means {
  std::map<std::string, Score> folds;  // by name
  double ade = 0, fde = 0;
};

std::vector<Track> tracks_of(const Protocol& protocol, const Fold& fold, const fs::path& folder) {
  std::vector<Track> tracks;
  for (const Recording& recording : find_recordings(protocol, folder)) {
    if (!holds_out(fold, recording)) continue;
    const std::vector<Track> more = read_tracks(protocol, recording);
    tracks.insert(tracks.end(), more.begin(), more.end());
  }
  return tracks;
}

Means constant_velocity(const Protocol& protocol, const Group& group, const fs::path& folder) {
  const ClassicalForecast forecast(Classical::kConstantVelocity, protocol.seconds(1));
  Means means;
  for (const Fold& fold : protocol.folds) {
    ScoreSum sum;
    for (const Track& track : tracks_of(protocol, fold, folder))
      for (int count = group.fewest_hidden; count <= group.most_hidden; ++count)
        if (track.people >= group.least) {
          const Hidden hidden = hidden_frames(track, count);
          sum.add(track, forecast(track, hidden));
        }
    const Score score = means.folds[fold.name] = sum.mean();
    means.ade += score.ade / static_cast<double>(protocol.folds.size());
    means.fde += score.fde / static_cast<double>(protocol.folds.size());
  }
  return means;
}

constexpr double kRounding = 0.00051;  // figures have three decimals

class Pedestrians : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(folder_ / "biwi_eth.txt"))
      GTEST_SKIP() << "no recorded pedestrians in " << folder_ << "; LGODE_TEST_DATA names their folder's parent";
  }
  const fs::path folder_ = lgode::testing::recorded_data() / "pedestrians";
};

TEST_F(Pedestrians, ConstantVelocityHasTheKnownFigures) {
  const Protocol& protocol = find_protocol("eth-ucy");
  const Means pairs = constant_velocity(protocol, protocol.groups[0], folder_);
  EXPECT_NEAR(pairs.ade, 0.520, kRounding);
  EXPECT_NEAR(pairs.fde, 1.141, kRounding);
  const std::map<std::string, std::pair<double, double>> known = {{"eth", {.995, 2.234}},
                                                                  {"hotel", {.323, .617}},
                                                                  {"univ", {.524, 1.165}},
                                                                  {"zara1", {.431, .960}},
                                                                  {"zara2", {.326, .728}}};
  for (const auto& [fold, figures] : known) {
    EXPECT_NEAR(pairs.folds.at(fold).ade, figures.first, kRounding) << fold;
    EXPECT_NEAR(pairs.folds.at(fold).fde, figures.second, kRounding) << fold;
  }
  EXPECT_EQ(pairs.folds.at("eth").people, 181);
  const Means everybody = constant_velocity(protocol, protocol.groups[1], folder_);
  EXPECT_NEAR(everybody.ade, 0.534, kRounding);
  EXPECT_NEAR(everybody.fde, 1.148, kRounding);
  EXPECT_EQ(everybody.folds.at("eth").people, 364);
}

TEST_F(Pedestrians, MasksAreLikeThePublishedOnes) {
  const Protocol& protocol = find_protocol("trajimpute");
  ASSERT_EQ(protocol.groups[1].name, "hard");
  const Means hard = constant_velocity(protocol, protocol.groups[1], folder_);
  EXPECT_TRUE(masks_are_comparable(hard.ade, hard.fde)) << hard.ade << "/" << hard.fde;
}

TEST(Basketball, ConstantVelocityHasTheKnownFigures) {
  const fs::path folder = lgode::testing::recorded_data() / "nba-rebound";
  if (!fs::is_directory(folder / "rebound" / "test"))
    GTEST_SKIP() << "no " << folder / "rebound"
                 << "; rebound.tar.gz of that folder has it, once it is unpacked";
  const Protocol& protocol = find_protocol("nba-rebound");
  const Means players = constant_velocity(protocol, protocol.groups[0], folder / "rebound");
  EXPECT_EQ(players.folds.at("test").people, 51260);
  EXPECT_NEAR(players.ade, 2.144, kRounding);
  EXPECT_NEAR(players.fde, 5.085, kRounding);
}

}  // namespace
}  // namespace lgode::benchmark
