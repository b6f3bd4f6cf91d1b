// Computes the weights of the bridge from times and masks, on the host.
#include "lgode/model/bridge.h"

#include <algorithm>
#include <cstddef>

namespace lgode::model {
namespace {

// A feature and the other one of its pair, if any.
struct Role {
  std::int64_t partner = -1;
  bool position = false;
  double factor = 1.0, lag = 0.0;
};

// The cubic through values at l - D, l, r - D and r: their weights at a time, all times since l.
struct FourPoints {
  double left_before, left, right_before, right;

  FourPoints(double t, double h, double lag) {
    const double nodes[4] = {-lag, 0.0, h - lag, h};
    double weights[4];
    for (int i = 0; i < 4; ++i) {
      weights[i] = 1;
      for (int j = 0; j < 4; ++j)
        if (j != i) weights[i] *= (t - nodes[j]) / (nodes[i] - nodes[j]);
    }
    left_before = weights[0], left = weights[1], right_before = weights[2], right = weights[3];
  }
};

// What the values x and v at both ends of a gap weigh in a bridged value. A value at l - D is x_l - D k v_l.
struct LaggedWeights {
  double x_left, v_left, x_right, v_right;

  // Of the position at time t since l.
  static LaggedWeights position(double t, double h, const Role& role) {
    const FourPoints p(t, h, role.lag);
    const double step = role.lag * role.factor;
    return {p.left + p.left_before, -step * p.left_before, p.right + p.right_before, -step * p.right_before};
  }
  // Of the velocity: the difference over D.
  static LaggedWeights velocity(double t, double h, const Role& role) {
    const LaggedWeights now = position(t, h, role), before = position(t - role.lag, h, role);
    const double step = role.lag * role.factor;
    return {(now.x_left - before.x_left) / step, (now.v_left - before.v_left) / step,
            (now.x_right - before.x_right) / step, (now.v_right - before.v_right) / step};
  }
  static bool fit(double h, const Role& role) { return role.lag > 0 && h >= 1.5 * role.lag; }
};

// What both bridges know of a batch.
class Observations {
 protected:
  Observations(const data::Batch& batch, const std::vector<TiedPair>& ties)
      : batch_(batch), roles_(static_cast<std::size_t>(batch.features)) {
    for (const TiedPair& tie : ties) {
      roles_[static_cast<std::size_t>(tie.position)] = {tie.velocity, true, tie.factor, tie.lag};
      roles_[static_cast<std::size_t>(tie.velocity)] = {tie.position, false, tie.factor, tie.lag};
    }
  }

  bool seen(std::int64_t m, std::int64_t f) const { return batch_.observation_mask[m * batch_.features + f] != 0.0F; }
  double time(std::int64_t m) const { return batch_.observation_times[static_cast<std::size_t>(m)]; }
  const Role& role(std::int64_t f) const { return roles_[static_cast<std::size_t>(f)]; }

  // Observations of an object that show the feature. Valid until the next call.
  const std::vector<std::int64_t>& showing(std::int64_t object, std::int64_t f) {
    std::vector<std::int64_t>& list = showing_;
    list.clear();
    for (std::int64_t m = batch_.observation_offsets[object]; m < batch_.observation_offsets[object + 1]; ++m)
      if (seen(m, f)) list.push_back(m);
    return list;
  }
  // The first of them that is not before `at`. Targets of an object usually ascend: the search goes on from `next`,
  // where the one before ended.
  using Place = std::vector<std::int64_t>::const_iterator;
  Place next_in(const std::vector<std::int64_t>& list, Place next, double at) const {
    if (next != list.begin() && time(*(next - 1)) >= at - kSameTime) next = list.begin();
    while (next != list.end() && time(*next) < at - kSameTime) ++next;
    return next;
  }

  // Whether both features of the pair are seen at m.
  bool both(std::int64_t m, std::int64_t f) const { return role(f).partner >= 0 && seen(m, role(f).partner); }

  // Whether an observation from `first` to before `last` shows the feature.
  bool shows_between(std::int64_t first, std::int64_t last, std::int64_t f) const {
    for (std::int64_t m = first; m < last; ++m)
      if (seen(m, f)) return true;
    return false;
  }

  static constexpr double kSameTime = 1e-6;

  const data::Batch& batch_;

 private:
  std::vector<Role> roles_;
  std::vector<std::int64_t> showing_;
};

template <class T>
class Bridge : Observations {
 public:
  Bridge(const data::Batch& batch, const std::vector<double>& target_times, const std::vector<TiedPair>& ties,
         const BridgeTerms<T>& to)
      : Observations(batch, ties), target_times_(target_times), to_(to) {}

  void run() {
    for (std::int64_t i = 0; i < batch_.objects(); ++i)
      for (std::int64_t f = 0; f < batch_.features; ++f) bridge(i, f);
  }

 private:
  void bridge(std::int64_t object, std::int64_t f) {
    const std::vector<std::int64_t>& list = showing(object, f);
    auto next = list.begin();
    for (std::int64_t t = batch_.target_offsets[object]; t < batch_.target_offsets[object + 1]; ++t) {
      const double at = target_times_[static_cast<std::size_t>(t)];
      next = next_in(list, next, at);
      if (next == list.end() || time(*next) <= at + kSameTime) continue;  // after the last one, or at one
      if (next == list.begin())
        before_first(t, f, *next, at);
      else
        between(t, f, *(next - 1), *next, at);
    }
  }

  void add(std::int64_t t, std::int64_t f, std::int64_t m, double own, double other) {
    const std::int64_t at = t * batch_.features + f;
    to_.own_index[at] = m * batch_.features + f;
    to_.own_weight[at] = static_cast<T>(own);
    if (other == 0) return;
    to_.other_index[at] = m * batch_.features + role(f).partner;
    to_.other_weight[at] = static_cast<T>(other);
  }

  void before_first(std::int64_t t, std::int64_t f, std::int64_t m, double at) {
    const Role& own = role(f);
    const bool first_of_both = both(m, f) && !shows_between(batch_first(m), m, own.partner);
    add(t, f, m, 1.0, first_of_both && own.position ? (at - time(m)) * own.factor : 0.0);
  }

  void between(std::int64_t t, std::int64_t f, std::int64_t left, std::int64_t right, double at) {
    const Role& own = role(f);
    const double h = time(right) - time(left), u = (at - time(left)) / h;
    if (!both(left, f) || !both(right, f) || shows_between(left + 1, right, own.partner)) {
      add(t, f, right, u, 0.0);
    } else if (LaggedWeights::fit(h, own)) {
      const LaggedWeights w =
          own.position ? LaggedWeights::position(u * h, h, own) : LaggedWeights::velocity(u * h, h, own);
      add(t, f, right, own.position ? w.x_right : w.v_right, own.position ? w.v_right : w.x_right);
    } else if (own.position) {
      add(t, f, right, 3 * u * u - 2 * u * u * u, (u * u * u - u * u) * h * own.factor);
    } else {
      add(t, f, right, 3 * u * u - 2 * u, (6 * u - 6 * u * u) / (h * own.factor));
    }
  }

  // The first observation of the object that m belongs to.
  std::int64_t batch_first(std::int64_t m) const {
    const auto& offsets = batch_.observation_offsets;
    return *(std::upper_bound(offsets.begin(), offsets.end(), m) - 1);
  }

  const std::vector<double>& target_times_;
  BridgeTerms<T> to_;
};

}  // namespace

template <class T>
void write_bridge(const data::Batch& batch, const std::vector<double>& target_times, const std::vector<TiedPair>& ties,
                  const BridgeTerms<T>& to) {
  Bridge<T>(batch, target_times, ties, to).run();
}
template void write_bridge(const data::Batch&, const std::vector<double>&, const std::vector<TiedPair>&,
                           const BridgeTerms<float>&);
template void write_bridge(const data::Batch&, const std::vector<double>&, const std::vector<TiedPair>&,
                           const BridgeTerms<double>&);

}  // namespace lgode::model
