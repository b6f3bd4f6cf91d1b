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
    if (list_observations(object, f) || object != object_) find_next(object);
    const std::int64_t partner = role(f).partner, first = batch_.observation_offsets[object];
    std::int64_t t = batch_.target_offsets[object], gap_before = kNotBridged;
    bool paired = false;  // of the gap before the next observation
    for (const std::int64_t next : next_) {
      const std::int64_t target = t++;
      if (next == kNotBridged) continue;
      const std::int64_t right = showing_[next], left = next > 0 ? showing_[next - 1] : -1;
      if (next != gap_before)
        paired = both(right, f) && (next == 0 ? !shows_between(first, right, partner)
                                              : both(left, f) && !shows_between(left + 1, right, partner));
      gap_before = next;
      const Gap gap{object, f, target, target_times_[static_cast<std::size_t>(target)], left, right, paired};
      if (next == 0)
        visit.before_first(*this, gap);
      else
        visit.between(*this, gap);
    }
  }

 private:
  static constexpr std::int64_t kNotBridged = -1;

  bool seen(std::int64_t m, std::int64_t f) const { return batch_.observation_mask[m * batch_.features + f] != 0.0F; }

  // Makes showing_ the observations of an object that have the feature; returns whether they differ from what it was.
  bool list_observations(std::int64_t object, std::int64_t f) {
    showing_.swap(shown_before_);
    showing_.clear();
    for (std::int64_t m = batch_.observation_offsets[object]; m < batch_.observation_offsets[object + 1]; ++m)
      if (seen(m, f)) showing_.push_back(m);
    return showing_ != shown_before_;
  }
  // Makes next_ the place in showing_ of the first observation after each target of an object, or kNotBridged: after
  // the last one, or at one. Targets of an object usually ascend: each search continues where the previous one ended.
  void find_next(std::int64_t object) {
    const std::int64_t begin = batch_.target_offsets[object], end = batch_.target_offsets[object + 1];
    const auto count = static_cast<std::int64_t>(showing_.size());
    object_ = object, times_.clear(), next_.clear();
    for (const std::int64_t m : showing_) times_.push_back(time(m));
    std::int64_t next = 0;
    for (std::int64_t t = begin; t < end; ++t) {
      const double at = target_times_[static_cast<std::size_t>(t)];
      if (next > 0 && times_[next - 1] >= at - kSameTime) next = 0;
      while (next < count && times_[next] < at - kSameTime) ++next;
      next_.push_back(next < count && times_[next] > at + kSameTime ? next : kNotBridged);
    }
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
  std::int64_t object_ = -1;                          // that next_ is of
  std::vector<std::int64_t> showing_, shown_before_;  // observations of an object with a feature
  std::vector<double> times_;                         // theirs
  std::vector<std::int64_t> next_;                    // of each target of the object
};

}  // namespace lgode::model
