// Readings of a trajectory in runs. Readings of an object are consecutive, and often all objects are read at the same
// times: results that depend on the times alone are then computed once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lgode::ode {

struct ReadingRun {
  std::size_t begin, end;  // readings of the same row
  bool again;              // at the same times as the run before, which has as many readings
};

// Calls found(run) for each run. `rows` and `times`: of each reading.
template <class Found>
void for_each_run(const std::vector<std::int64_t>& rows, const std::vector<double>& times, const Found& found) {
  std::size_t before = 0;  // readings in the run before
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end] == rows[begin]) ++end;
    const std::size_t count = end - begin;
    const double* const here = times.data() + begin;
    found(ReadingRun{begin, end, count == before && std::equal(here, here + count, here - count)});
    before = count;
  }
}

}  // namespace lgode::ode
