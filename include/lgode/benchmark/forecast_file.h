// Reads predictions of `lgode predict` (CSV) for the tracks of a benchmark: the one path, and K futures where the file
// has them. Nothing but the rows that are asked for is kept. No LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "lgode/benchmark/tracks.h"

namespace lgode::benchmark {

struct PredictionKey {
  std::string system, object;
};

// Frame k of a system is at k * seconds; asked for are `count` frames from `first` on.
struct FrameTimes {
  double seconds = 0;
  int first = kSeen, count = kAhead;
};

class Predictions {
 public:
  Predictions(std::size_t keys, int count, std::int64_t futures);

  std::int64_t futures() const { return futures_; }
  // [count], of one key; `future` from 1, 0: the one path.
  std::span<Point> path(std::size_t key, std::int64_t future = 0);
  std::span<const Point> path(std::size_t key, std::int64_t future = 0) const;

 private:
  std::size_t count_;
  std::int64_t futures_;
  std::vector<Point> points_;  // NaN until read
};

// A file with columns system, object, time (relative), feature (x, y) and mean, in any order and among others. Its
// column `future` is empty or 0 in rows of the one path, else 1 to K; `mean` then is the future's value. With `futures`
// 0 such rows are skipped, and the column may lack. DataError for a file without such columns, for a number that is
// none, and naming the first key of which a frame lacks.
Predictions read_predictions(const std::filesystem::path& file, const std::vector<PredictionKey>& keys,
                             const FrameTimes& times, std::int64_t futures);

}  // namespace lgode::benchmark
