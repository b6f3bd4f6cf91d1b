// Errors worked by hand.
#include "lgode/benchmark/score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sample.h"

namespace lgode::benchmark {
namespace {

// The truth of turning(), moved by (dx, dy), the last frame by (lx, ly).
Path moved(double dx, double dy, double lx, double ly) {
  const Track track = turning();
  Path path;
  for (std::size_t k = 0; k < kAhead; ++k) {
    const bool last = k + 1 == kAhead;
    path[k] = {track.points[kSeen + k].x + (last ? lx : dx), track.points[kSeen + k].y + (last ? ly : dy)};
  }
  return path;
}

TEST(Score, IsMeanAndLastDistance) {
  const Distances d = distances(turning(), moved(3, 4, 0, 1));
  EXPECT_NEAR(d.ade, (11 * 5 + 1) / 12.0, 1e-12);
  EXPECT_NEAR(d.fde, 1, 1e-12);
  Track scaled = turning();
  scaled.scale = 20;
  EXPECT_NEAR(distances(scaled, moved(3, 4, 0, 1)).fde, 20, 1e-12);
}

TEST(Score, BestAdeAndBestFdeMayBeOfDifferentFutures) {
  const std::vector<Path> futures = {moved(1, 0, 13, 0), moved(2, 0, 0, 0)};
  ScoreSum sum;
  sum.add(turning(), moved(4, 0, 4, 0), futures);
  sum.add(turning(), moved(2, 0, 2, 0), futures);
  const Score score = sum.mean();
  EXPECT_EQ(score.people, 2);
  EXPECT_EQ(score.futures, 2);
  EXPECT_NEAR(score.ade, 3, 1e-12);
  EXPECT_NEAR(score.fde, 3, 1e-12);
  ASSERT_TRUE(score.best);
  EXPECT_NEAR(score.best->ade, 22 / 12.0, 1e-12);  // of the second: (11 * 2 + 0) / 12 < (11 + 13) / 12
  EXPECT_NEAR(score.best->fde, 0, 1e-12);
  // With a better first one they differ.
  ScoreSum other;
  const std::vector<Path> apart = {moved(1, 0, 6, 0), moved(2, 0, 0, 0)};
  other.add(turning(), moved(0, 0, 0, 0), apart);
  EXPECT_NEAR(other.mean().best->ade, 17 / 12.0, 1e-12);
  EXPECT_NEAR(other.mean().best->fde, 0, 1e-12);
}

TEST(Score, ImputationsCountHiddenCoordinatesOneByOne) {
  const Track track = turning();
  Past past;
  for (std::size_t k = 0; k < kSeen; ++k) past[k] = {track.points[k].x + 1, track.points[k].y - 0.5};
  Hidden hidden = {};
  hidden[2] = hidden[5] = true;
  past[5].x += 2;
  ScoreSum sum;
  sum.add(track, hidden, past);
  sum.add(track, {}, past);  // nothing is hidden
  const Score score = sum.mean();
  EXPECT_EQ(score.values, 4);
  EXPECT_NEAR(score.mae, (1 + 0.5 + 3 + 0.5) / 4, 1e-12);
}

TEST(Score, IsKeptInJson) {
  ScoreSum forecast, imputation;
  forecast.add(turning(), moved(3, 4, 0, 1), std::vector<Path>{moved(1, 0, 1, 0)});
  const Score again = Score::from_json(forecast.mean().to_json());
  EXPECT_EQ(again.people, 1);
  EXPECT_EQ(again.fde, forecast.mean().fde);
  EXPECT_EQ(again.best->ade, forecast.mean().best->ade);
  EXPECT_EQ(again.futures, 1);
  Hidden hidden = {true};
  imputation.add(turning(), hidden, Past{});
  EXPECT_EQ(Score::from_json(imputation.mean().to_json()).values, 2);
}

}  // namespace
}  // namespace lgode::benchmark
