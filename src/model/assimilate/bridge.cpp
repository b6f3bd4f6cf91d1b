// Computes the weights of the bridge from times and masks, on the host, and applies them.
#include "lgode/model/assimilate/bridge.h"

#include <algorithm>
#include <cstddef>

#include "lgode/core/hermite.h"
#include "lgode/model/assimilate/timeline.h"

namespace lgode::model {
namespace {

// A feature and the other one of its pair, if any.
struct Role {
  std::int64_t partner = -1;
  bool position = false;
  double factor = 1.0, lag = 0.0;
};

// The weights of the jumps of a position x and its velocity v at the end of a gap in a bridged value.
struct JumpWeights {
  double x = 0, v = 0;
};

// At the share u of a gap h: c(t) / R_x, c(t) / R_v of the cubic with value and slope 0 on the left, and its slope.
JumpWeights hermite_position(double u, double h, const Role& role) {
  const HermiteWeights w = hermite_weights(u);
  return {w.right, w.right_slope * h * role.factor};
}
JumpWeights hermite_velocity(double u, double h, const Role& role) {
  const HermiteWeights w = hermite_derivative_weights(u);
  return {w.right / (h * role.factor), w.right_slope};
}

// The cubic through zeros at -D and 0 and values at h - D and h: their weights at time t.
struct CubicToEnd {
  double before, end;

  CubicToEnd(double t, double h, double lag) {
    const double nodes[4] = {-lag, 0.0, h - lag, h};
    const auto weight = [&](int i) {
      double w = 1;
      for (int j = 0; j < 4; ++j)
        if (j != i) w *= (t - nodes[j]) / (nodes[i] - nodes[j]);
      return w;
    };
    before = weight(2), end = weight(3);
  }
};

// The same where the velocity is a difference over the lag D: the value at h - D is R_x - D k R_v.
JumpWeights lagged_position(double t, double h, const Role& role) {
  const CubicToEnd p(t, h, role.lag);
  const double step = role.lag * role.factor;
  return {p.end + p.before, -step * p.before};
}
JumpWeights lagged_velocity(double t, double h, const Role& role) {
  const JumpWeights now = lagged_position(t, h, role), before = lagged_position(t - role.lag, h, role);
  const double step = role.lag * role.factor;
  return {(now.x - before.x) / step, (now.v - before.v) / step};
}

JumpWeights jump_weights(double u, double h, const Role& role) {
  const bool lagged = role.lag > 0 && h >= 1.5 * role.lag;
  if (lagged) return role.position ? lagged_position(u * h, h, role) : lagged_velocity(u * h, h, role);
  return role.position ? hermite_position(u, h, role) : hermite_velocity(u, h, role);
}

// Walks over the targets of each object and feature, from one observation with the feature to the next.
template <class T>
class BridgeWriter {
 public:
  BridgeWriter(const data::Batch& batch, const std::vector<double>& target_times, const std::vector<TiedPair>& ties,
               const BridgeTerms<T>& to)
      : batch_(batch), target_times_(target_times), to_(to), roles_(static_cast<std::size_t>(batch.features)) {
    for (const TiedPair& tie : ties) {
      roles_[static_cast<std::size_t>(tie.position)] = {tie.velocity, true, tie.factor, tie.lag};
      roles_[static_cast<std::size_t>(tie.velocity)] = {tie.position, false, tie.factor, tie.lag};
    }
  }

  void write(std::int64_t object) {
    for (std::int64_t f = 0; f < batch_.features; ++f) {
      if (list_observations(object, f) || f == 0) find_next(object);
      write(object, f);
    }
  }

 private:
  static constexpr std::int64_t kNotBridged = -1;

  bool seen(std::int64_t m, std::int64_t f) const { return batch_.observation_mask[m * batch_.features + f] != 0.0F; }
  double time(std::int64_t m) const { return batch_.observation_times[static_cast<std::size_t>(m)]; }
  const Role& role(std::int64_t f) const { return roles_[static_cast<std::size_t>(f)]; }

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
    times_.clear(), next_.clear();
    for (const std::int64_t m : showing_) times_.push_back(time(m));
    std::int64_t next = 0;
    for (std::int64_t t = begin; t < end; ++t) {
      const double at = target_times_[static_cast<std::size_t>(t)];
      if (next > 0 && times_[next - 1] >= at - kSameTime) next = 0;
      while (next < count && times_[next] < at - kSameTime) ++next;
      next_.push_back(next < count && times_[next] > at + kSameTime ? next : kNotBridged);
    }
  }

  void write(std::int64_t object, std::int64_t f) {
    std::int64_t t = batch_.target_offsets[object], in_gap_before = 0;
    bool with_slopes = false;
    for (const std::int64_t next : next_) {
      const double at = target_times_[static_cast<std::size_t>(t)];
      if (next == 0) before_first(t, f, object, showing_.front(), at);
      if (next > 0) {
        const std::int64_t left = showing_[next - 1], right = showing_[next];
        if (next != in_gap_before)
          with_slopes = both(left, f) && both(right, f) && !shows_between(left + 1, right, role(f).partner);
        between(t, f, left, right, at, with_slopes);
        in_gap_before = next;
      }
      ++t;
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

  void add(std::int64_t t, std::int64_t f, std::int64_t m, double own, double other) {
    const std::int64_t at = t * batch_.features + f;
    to_.own_index[at] = m * batch_.features + f;
    to_.own_weight[at] = static_cast<T>(own);
    if (other == 0) return;
    to_.other_index[at] = m * batch_.features + role(f).partner;
    to_.other_weight[at] = static_cast<T>(other);
  }

  void before_first(std::int64_t t, std::int64_t f, std::int64_t object, std::int64_t m, double at) {
    const Role& own = role(f);
    const bool first_of_both = both(m, f) && !shows_between(batch_.observation_offsets[object], m, own.partner);
    add(t, f, m, 1.0, first_of_both && own.position ? (at - time(m)) * own.factor : 0.0);
  }

  // with_slopes: the gap has both features of the pair at its ends, and the other one not inside.
  void between(std::int64_t t, std::int64_t f, std::int64_t left, std::int64_t right, double at, bool with_slopes) {
    const Role& own = role(f);
    const double h = time(right) - time(left), u = (at - time(left)) / h;
    if (!with_slopes) {
      add(t, f, right, u, 0.0);
      return;
    }
    const JumpWeights w = jump_weights(u, h, own);
    add(t, f, right, own.position ? w.x : w.v, own.position ? w.v : w.x);
  }

  const data::Batch& batch_;
  const std::vector<double>& target_times_;
  BridgeTerms<T> to_;
  std::vector<Role> roles_;
  std::vector<std::int64_t> showing_, shown_before_;  // observations of an object with a feature
  std::vector<double> times_;                         // theirs
  std::vector<std::int64_t> next_;                    // of each target of the object
};

}  // namespace

template <class T>
void write_bridge(const data::Batch& batch, const std::vector<double>& target_times, const std::vector<TiedPair>& ties,
                  const BridgeTerms<T>& to) {
  BridgeWriter<T> writer(batch, target_times, ties, to);
  for (std::int64_t i = 0; i < batch.objects(); ++i) writer.write(i);
}
template void write_bridge(const data::Batch&, const std::vector<double>&, const std::vector<TiedPair>&,
                           const BridgeTerms<float>&);
template void write_bridge(const data::Batch&, const std::vector<double>&, const std::vector<TiedPair>&,
                           const BridgeTerms<double>&);

// Written where they are uploaded from: for many systems, these arrays are the largest of a batch.
Bridge Bridge::make(const data::Batch& batch, const std::vector<double>& target_times,
                    const std::vector<TiedPair>& ties, const Sizes& sizes, at::ScalarType dtype, ops::Upload& upload) {
  const std::int64_t residuals = sizes.observations * batch.features, terms = sizes.targets * batch.features;
  const std::int64_t all = sizes.samples * residuals;
  Bridge out;
  const auto index = [&](ops::GatherIndex& to, const auto& write) {
    to = ops::gather_index(sizes.samples * terms, all, write, upload);
  };
  // Terms of weight zero read different residuals, like padding.
  const auto spread = [&](std::int64_t* to, std::int64_t begin) {
    std::int64_t next = begin % all;
    for (std::int64_t i = 0; i < terms; ++i, next = next + 1 < all ? next + 1 : 0) to[i] = next;
  };
  // Further samples read their own residuals.
  const auto repeat = [&](std::int64_t* to, const auto* weight) {
    for (std::int64_t s = 1; s < sizes.samples; ++s) {
      spread(to + s * terms, s * terms);
      for (std::int64_t i = 0; i < terms; ++i)
        if (weight[i] != 0) to[s * terms + i] = s * residuals + to[i];
    }
  };
  AT_DISPATCH_FLOATING_TYPES(dtype, "bridge", [&] {
    const auto weights = [&](at::Tensor& to, const auto& write) {
      to = upload.written<scalar_t>({terms}, [&](scalar_t* weight) {
        std::fill(weight, weight + terms, scalar_t(0));
        write(weight);
      });
    };
    weights(out.own_weight, [&](scalar_t* own_weight) {
      weights(out.other_weight, [&](scalar_t* other_weight) {
        if (sizes.observations == 0) return;
        index(out.own_index, [&](std::int64_t* own) {
          index(out.other_index, [&](std::int64_t* other) {
            spread(own, 0), spread(other, 0);
            write_bridge<scalar_t>(batch, target_times, ties, {own, other, own_weight, other_weight});
            repeat(own, own_weight), repeat(other, other_weight);
          });
        });
      });
    });
  });
  return out;
}

at::Tensor Bridge::operator()(const at::Tensor& path, const at::Tensor& residual) const {
  const at::Tensor flat = residual.reshape({-1, 1});
  if (flat.size(0) == 0) return path;
  const auto term = [&](const ops::GatherIndex& index, const at::Tensor& weight) {
    return (ops::gather_rows(flat, index).view({path.size(0), -1}) * weight).view_as(path);
  };
  return path + term(own_index, own_weight) + term(other_index, other_weight);
}

}  // namespace lgode::model
