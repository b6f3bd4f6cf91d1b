// Estimates the seconds of each cell, from its own progress or from cells of its kind, times the share of epochs left.
#include "lgode/reproduce/estimate.h"

#include <algorithm>
#include <map>

namespace lgode::reproduce {
namespace {

struct Mean {
  double total = 0;
  int count = 0;
  void add(double x) { total += x, ++count; }
  std::optional<double> value() const { return count > 0 ? std::optional(total / count) : std::nullopt; }
};

// Seconds for a whole cell, estimated from its own progress.
std::optional<double> whole(const CellProgress& cell) {
  if (cell.state == State::kDone && cell.seconds > 0) return cell.seconds;
  if (cell.state != State::kRunning || cell.finished <= cell.first) return std::nullopt;
  return cell.seconds / static_cast<double>(cell.finished - cell.first) * static_cast<double>(cell.epochs);
}

// Share of a cell's epochs that are left.
double share_left(const CellProgress& cell) {
  if (cell.epochs <= 0) return 1.0;
  return 1.0 - static_cast<double>(std::min(cell.finished, cell.epochs)) / static_cast<double>(cell.epochs);
}

}  // namespace

std::optional<double> seconds_left(const std::vector<CellProgress>& cells, std::int64_t jobs) {
  std::map<std::string, Mean> kinds;
  Mean all;
  for (const CellProgress& cell : cells) {
    if (const auto seconds = whole(cell)) {
      kinds[cell.kind].add(*seconds);
      all.add(*seconds);
    }
  }
  double total = 0;
  double longest = 0;
  for (const CellProgress& cell : cells) {
    if (cell.state == State::kDone || cell.state == State::kFailed) continue;
    std::optional<double> seconds = whole(cell);
    if (!seconds) seconds = kinds[cell.kind].value();
    if (!seconds) seconds = all.value();
    if (!seconds) return std::nullopt;
    double left = share_left(cell) * *seconds;
    // Minus the time already spent in the current epoch; a slow epoch counts as about to end.
    if (cell.state == State::kRunning && cell.epochs > 0 && cell.finished < cell.epochs)
      left -= std::min(cell.since, *seconds / static_cast<double>(cell.epochs));
    total += left;
    longest = std::max(longest, left);
  }
  return std::max(longest, total / static_cast<double>(std::max<std::int64_t>(jobs, 1)));
}

}  // namespace lgode::reproduce
