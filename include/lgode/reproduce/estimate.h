// Estimates the remaining time from finished cells, and from epochs of running ones.
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
  std::int64_t epochs = 0;               // in total
  std::int64_t first = 0, finished = 0;  // epochs finished when it was started, and by now
  double since = 0;                      // running: seconds from its last epoch, or its start, to now
};

// Seconds until all is done with `jobs` cells at a time; empty while no time is known. A waiting cell is assumed
// to take as long as its kind or, if that is unknown, the mean of all known cells. Failed cells do not count.
std::optional<double> seconds_left(const std::vector<CellProgress>& cells, std::int64_t jobs);

}  // namespace lgode::reproduce
