// Lists the readings that bridges over a lag need.
#include <algorithm>

#include "model/assimilate/gap_walker.h"

namespace lgode::model {
namespace {

using Entries = std::vector<LagReadings::Entry>;

struct Collector {
  LagReadings out;

  void before_first(const GapWalker& walker, const Gap& gap) {
    const Role& own = walker.role(gap.feature);
    const bool begun = walker.time(gap.right) - own.lag >= -kSameTime;  // the solve includes r - D
    if (gap.paired && own.position && own.lag > 0 && begun) out.before.push_back({gap.object, gap.right, own.lag});
  }
  void between(const GapWalker& walker, const Gap& gap) {
    const Role& own = walker.role(gap.feature);
    if (!gap.paired || !own.takes_lag(walker.time(gap.right) - walker.time(gap.left))) return;
    out.before.push_back({gap.object, gap.right, own.lag});
    if (!own.position) out.here.push_back(walker.entry_here(gap));
  }
};

void sort_out(Entries& entries) {
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
}

std::int64_t find(const Entries& entries, const LagReadings::Entry& entry) {
  const auto found = std::lower_bound(entries.begin(), entries.end(), entry);
  return found != entries.end() && *found == entry ? found - entries.begin() : -1;
}

}  // namespace

std::int64_t LagReadings::find_before(const Entry& entry) const { return find(before, entry); }

std::int64_t LagReadings::find_here(const Entry& entry) const {
  const std::int64_t found = find(here, entry);
  return found < 0 ? found : static_cast<std::int64_t>(before.size()) + found;
}

LagReadings lag_readings(const data::Batch& batch, const std::vector<double>& target_times,
                         const std::vector<TiedPair>& ties) {
  if (std::none_of(ties.begin(), ties.end(), [](const TiedPair& tie) { return tie.lag > 0; })) return {};
  GapWalker walker(batch, target_times, ties);
  Collector collector;
  for (std::int64_t i = 0; i < batch.objects(); ++i)
    for (const TiedPair& tie : ties)
      for (const std::int64_t f : {tie.position, tie.velocity}) walker.walk(i, f, collector);
  sort_out(collector.out.before), sort_out(collector.out.here);
  return std::move(collector.out);
}

}  // namespace lgode::model
