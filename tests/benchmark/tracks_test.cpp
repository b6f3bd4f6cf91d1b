// Windows and people that count; missing files and bad rows.
#include "lgode/benchmark/tracks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "lgode/core/error.h"
#include "sample.h"

namespace lgode::benchmark {
namespace {

namespace fs = std::filesystem;

class Tracks : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("lgode-tracks-{}", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The message of the error that `call` throws.
  template <class Call>
  static std::string message(const Call& call) {
    try {
      call();
    } catch (const DataError& error) {
      return error.what();
    }
    return "no error";
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  fs::path folder_;
};

TEST_F(Tracks, AreTheTwentyFramesOfAPersonInAWindow) {
  // Person 1 is there for 21 frames, with a gap of one frame after them and 20 more: 2 + 1 windows. Person 2.0 is there
  // for frames 1 to 20, and shares the second window.
  std::string rows;
  for (int k = 0; k < 42; ++k)
    if (k != 21) rows += fmt::format("{} 1 {} 0.5\n", 780 + 10 * k, k);
  for (int k = 1; k < 21; ++k) rows += fmt::format("{}.0 2.0 {} 1\n", 780 + 10 * k, 2 * k);
  write("scene.txt", rows);
  const std::vector<Track> tracks = read_tracks(find_protocol("eth-ucy"), {"scene", folder_ / "scene.txt"});
  ASSERT_EQ(tracks.size(), 4U);
  const auto is = [&](std::size_t k, std::int64_t window, const std::string& person, std::int64_t people) {
    EXPECT_EQ(tracks[k].window, window);
    EXPECT_EQ(tracks[k].person, person);
    EXPECT_EQ(tracks[k].people, people);
  };
  is(0, 0, "1", 1);
  is(1, 1, "1", 2);
  is(2, 1, "2", 2);
  is(3, 22, "1", 1);
  EXPECT_EQ(tracks[2].points[0].x, 2);
  EXPECT_EQ(tracks[2].points[19].x, 40);
  EXPECT_EQ(tracks[3].points[0].x, 22);
}

TEST_F(Tracks, OnlyPlayersCount) {
  std::string rows;
  for (int k = 0; k < 20; ++k) rows += fmt::format("{0} -1 1 1 BALL\n{0} 7 {1} 1 PLAYER\n", 12 * k, k);
  write("game.txt", rows);
  const std::vector<Track> tracks = read_tracks(find_protocol("nba-rebound"), {"game", folder_ / "game.txt"});
  ASSERT_EQ(tracks.size(), 1U);
  EXPECT_EQ(tracks[0].person, "7");
  EXPECT_EQ(tracks[0].people, 1);
}

TEST_F(Tracks, BadRowsAreNamed) {
  const Protocol& protocol = find_protocol("eth-ucy");
  write("word.txt", "0 1 2 3\n10 1 two 3\n");
  EXPECT_NE(message([&] { read_rows(folder_ / "word.txt"); }).find("word.txt:2: expected a frame, a person, x and y"),
            std::string::npos);
  write("short.txt", "0 1 2\n");
  EXPECT_NE(message([&] { read_rows(folder_ / "short.txt"); }).find("short.txt:1:"), std::string::npos);
  for (const char* frame : {"1e300", "inf", "0.5", "-1e16"}) {
    write("far.txt", fmt::format("0 1 2 3\n{} 1 2 3\n", frame));
    EXPECT_NE(message([&] { read_rows(folder_ / "far.txt"); }).find("far.txt:2:"), std::string::npos) << frame;
  }
  write("grid.txt", "0 1 2 3\n6 1 2 3\n");
  EXPECT_NE(message([&] {
              read_tracks(protocol, {"grid", folder_ / "grid.txt"});
            }).find("frame 6 is not a multiple of 10 after the first one, 0"),
            std::string::npos);
}

TEST_F(Tracks, AMissingFileSaysWhereItIsToBeHad) {
  for (const Protocol& protocol : protocols()) {
    const fs::path folder = folder_ / protocol.name;
    const std::string absent = message([&] { find_recordings(protocol, folder); });
    EXPECT_NE(absent.find(folder.string() + ": is missing"), std::string::npos) << absent;
    EXPECT_NE(absent.find("github.com/"), std::string::npos) << absent;
    write_folder(protocol, folder, 1, 20);
    EXPECT_EQ(find_recordings(protocol, folder).size(), protocol.folders ? 3U : 8U);
    fs::remove(folder / (protocol.folders ? "test/c.txt" : "students003.txt"));
    const std::string one = message([&] { find_recordings(protocol, folder); });
    EXPECT_NE(one.find(protocol.folders ? "test/*.txt: is missing" : "students003.txt: is missing"), std::string::npos)
        << one;
  }
}

TEST_F(Tracks, ErrorsOfTheDroneAreInPixelsWhereTheScaleIsThere) {
  const Protocol& protocol = find_protocol("sdd");
  write_folder(protocol, folder_, 1, 20);
  EXPECT_EQ(find_recordings(protocol, folder_)[2].scale, 1);
  write("H_SDD.txt", "File\tDataset\tNr\tVersion\tFeet\tRatio\nc.jpg\tC\t0\tA\t60\t0.04\nc.jpg\tC\t0\tB\t60\t0.05\n");
  const std::vector<Recording> recordings = find_recordings(protocol, folder_);
  EXPECT_EQ(recordings[2].name, "test-c");
  EXPECT_NEAR(recordings[2].scale, 25, 1e-12);
  write("H_SDD.txt", "other.jpg C 0 A 60 0.04\n");
  EXPECT_NE(message([&] { find_recordings(protocol, folder_); }).find("has no row c.jpg"), std::string::npos);
}

TEST_F(Tracks, FoldsHoldOutWholeRecordings) {
  const Protocol& pedestrians = find_protocol("eth-ucy");
  EXPECT_TRUE(holds_out(pedestrians.folds[2], {"students003", {}}));
  EXPECT_FALSE(holds_out(pedestrians.folds[2], {"uni_examples", {}}));
  const Protocol& basketball = find_protocol("nba-score");
  EXPECT_TRUE(holds_out(basketball.folds[0], {"test-c", {}, true}));
  EXPECT_FALSE(holds_out(basketball.folds[0], {"train-a", {}, false}));
}

TEST_F(Tracks, AnUnknownBenchmarkIsAnErrorThatListsThem) {
  try {
    find_protocol("eth-uci");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("eth-ucy, trajimpute, nba-rebound, nba-score, sdd; did you mean eth-ucy?"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lgode::benchmark
