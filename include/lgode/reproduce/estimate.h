// Estimates the time left from what is done: whole cells, and epochs of those that run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lgode::reproduce {

enum class State { kWaiting, kRunning, kDone, kFailed };

struct CellProgress {
  std::string kind;  // cells of one kind take about as long: data set, task, row
  State state = State::kWaiting;
  double seconds = 0;                    // done: what it took; running: from its start here to its last epoch
  std::int64_t epochs = 0;               // in all
  std::int64_t first = 0, finished = 0;  // epochs that were there when it was started, and that are there now
  double since = 0;                      // running: seconds from its last epoch, or its start, to now
};

// Seconds until all is done with `jobs` cells at a time; empty while nothing is known. A waiting cell is assumed
// to need what its kind needs or, if that is unknown, the mean of what is known. Failed cells do not count.
std::optional<double> seconds_left(const std::vector<CellProgress>& cells, std::int64_t jobs);

}  // namespace lgode::reproduce
