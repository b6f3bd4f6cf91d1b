// Walks over the targets of objects and features, from one observation with the feature to the next. Internal to the
// bridge.
#pragma once

#include <cstdint>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/model/assimilate/bridge.h"
#include "lgode/model/assimilate/timeline.h"
#include "lgode/model/shape.h"

namespace lgode::model {

// A feature and the other one of its pair, if any.
struct Role {
  std::int64_t partner = -1;
  bool position = false;
  double factor = 1.0, lag = 0.0;

  // Whether a gap has room for the four points of the cubic over a lag.
  bool takes_lag(double gap) const { return lag > 0 && gap >= 1.5 * lag; }
};

// Where a target of an object is among its observations of a feature.
struct Gap {
  std::int64_t object, feature, target;
  double at;                      // time of the target
  std::int64_t left = -1, right;  // observations around it; left is -1 before the first one
  // Whether the feature is bridged together with its partner: both are seen at both ends and neither between; before
  // the first observation, both are seen there and the partner not before.
  bool paired;
};

class GapWalker {
 public:
  GapWalker(const data::Batch& batch, const std::vector<double>& target_times, const std::vector<TiedPair>& ties)
      : batch_(batch), target_times_(target_times), roles_(static_cast<std::size_t>(batch.features)) {
    for (const TiedPair& tie : ties) {
      const double lag = tie.lag > 2 * kSameTime ? tie.lag : 0.0;  // times within a shorter one count as the same
      roles_[static_cast<std::size_t>(tie.position)] = {tie.velocity, true, tie.factor, lag};
      roles_[static_cast<std::size_t>(tie.velocity)] = {tie.position, false, tie.factor, lag};
    }
  }

  double time(std::int64_t m) const { return batch_.observation_times[static_cast<std::size_t>(m)]; }
  const Role& role(std::int64_t f) const { return roles_[static_cast<std::size_t>(f)]; }
  // The entry of lag readings at the target of a gap, for a velocity.
  LagReadings::Entry entry_here(const Gap& gap) const {
    const double lag = role(gap.feature).lag;
    return {gap.object, gap.target, lag, gap.at - lag <= time(gap.left) + kSameTime ? gap.left : -1};
  }

  // Calls visit.before_first(*this, gap) or visit.between(*this, gap) for each target that is neither at an observation
  // of the feature nor after the last one.
  template <class Visit>
  void walk(std::int64_t object, std::int64_t f, Visit& visit) {
    list_observations(object, f);
    Iterator next = showing_.begin();
    for (std::int64_t t = batch_.target_offsets[object]; t < batch_.target_offsets[object + 1]; ++t) {
      const double at = target_times_[static_cast<std::size_t>(t)];
      next = next_after(next, at);
      if (next == showing_.end() || time(*next) <= at + kSameTime) continue;  // after the last one, or at one
      const std::int64_t partner = role(f).partner;
      if (next == showing_.begin()) {
        const bool paired = both(*next, f) && !shows_between(batch_.observation_offsets[object], *next, partner);
        visit.before_first(*this, Gap{object, f, t, at, -1, *next, paired});
      } else {
        const std::int64_t left = *(next - 1);
        const bool paired = both(left, f) && both(*next, f) && !shows_between(left + 1, *next, partner);
        visit.between(*this, Gap{object, f, t, at, left, *next, paired});
      }
    }
  }

 private:
  using Iterator = std::vector<std::int64_t>::const_iterator;

  bool seen(std::int64_t m, std::int64_t f) const { return batch_.observation_mask[m * batch_.features + f] != 0.0F; }

  // Makes showing_ the observations of an object that have the feature.
  void list_observations(std::int64_t object, std::int64_t f) {
    showing_.clear();
    for (std::int64_t m = batch_.observation_offsets[object]; m < batch_.observation_offsets[object + 1]; ++m)
      if (seen(m, f)) showing_.push_back(m);
  }
  // The first of them that is not before `at`. Targets of an object usually ascend: the search continues from `next`,
  // where the previous one ended.
  Iterator next_after(Iterator next, double at) const {
    if (next != showing_.begin() && time(*(next - 1)) >= at - kSameTime) next = showing_.begin();
    while (next != showing_.end() && time(*next) < at - kSameTime) ++next;
    return next;
  }
  // Whether both features of the pair are observed at m.
  bool both(std::int64_t m, std::int64_t f) const { return role(f).partner >= 0 && seen(m, role(f).partner); }
  // Whether an observation from `first` to before `last` has the feature.
  bool shows_between(std::int64_t first, std::int64_t last, std::int64_t f) const {
    for (std::int64_t m = first; m < last; ++m)
      if (seen(m, f)) return true;
    return false;
  }

  const data::Batch& batch_;
  const std::vector<double>& target_times_;
  std::vector<Role> roles_;
  std::vector<std::int64_t> showing_;
};

}  // namespace lgode::model
