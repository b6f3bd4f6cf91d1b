// Computes the weights of the bridge from times and masks, on the host, and applies them.
#include "lgode/model/assimilate/bridge.h"

#include <algorithm>
#include <cstddef>

#include "lgode/core/hermite.h"
#include "model/assimilate/gap_walker.h"

namespace lgode::model {
namespace {

// The weights, in a bridged value, of the jumps of a position x and its velocity v at the end of a gap, and of the
// deviation q before this end.
struct JumpWeights {
  double x = 0, v = 0, q = 0;
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

// The same where the velocity is a difference over the lag D: the value at h - D is R_x - D k R_v + Q.
JumpWeights lagged_position(double t, double h, const Role& role) {
  const CubicToEnd p(t, h, role.lag);
  const double step = role.lag * role.factor;
  return {p.end + p.before, -step * p.before, p.before};
}
JumpWeights lagged_velocity(double t, double h, const Role& role) {
  const JumpWeights now = lagged_position(t, h, role), before = lagged_position(t - role.lag, h, role);
  const double step = role.lag * role.factor;
  return {(now.x - before.x) / step, (now.v - before.v) / step, (now.q - before.q) / step};
}

JumpWeights jump_weights(double u, double h, const Role& role) {
  const bool lagged = role.takes_lag(h);
  if (lagged) return role.position ? lagged_position(u * h, h, role) : lagged_velocity(u * h, h, role);
  return role.position ? hermite_position(u, h, role) : hermite_velocity(u, h, role);
}

// Writes the weights of the targets that a GapWalker finds.
template <class T>
class BridgeWriter {
 public:
  BridgeWriter(const data::Batch& batch, const LagReadings& readings, const BridgeTerms<T>& to)
      : features_(batch.features), readings_(readings), to_(to) {}

  void before_first(const GapWalker& walker, const Gap& gap) {
    const Role& own = walker.role(gap.feature);
    const bool moved_on = gap.paired && own.position;
    add(gap, own, 1.0, moved_on ? (gap.at - walker.time(gap.right)) * own.factor : 0.0);
    const std::int64_t reading = moved_on ? readings_.find_before({gap.object, gap.right, own.lag}) : -1;
    if (reading >= 0)
      add_deviation(to_.before_index, to_.before_weight, gap, own, reading,
                    (walker.time(gap.right) - gap.at) / own.lag);
  }

  void between(const GapWalker& walker, const Gap& gap) {
    const Role& own = walker.role(gap.feature);
    const double h = walker.time(gap.right) - walker.time(gap.left), u = (gap.at - walker.time(gap.left)) / h;
    if (!gap.paired) return add(gap, own, u, 0.0);
    const JumpWeights w = jump_weights(u, h, own);
    add(gap, own, own.position ? w.x : w.v, own.position ? w.v : w.x);
    if (!own.takes_lag(h)) return;
    add_deviation(to_.before_index, to_.before_weight, gap, own,
                  readings_.find_before({gap.object, gap.right, own.lag}), w.q);
    if (!own.position)
      add_deviation(to_.here_index, to_.here_weight, gap, own, readings_.find_here(walker.entry_here(gap)),
                    1 / (own.lag * own.factor));
  }

 private:
  void add(const Gap& gap, const Role& role, double own, double other) {
    const std::int64_t at = gap.target * features_ + gap.feature;
    to_.own_index[at] = gap.right * features_ + gap.feature;
    to_.own_weight[at] = static_cast<T>(own);
    if (other == 0) return;
    to_.other_index[at] = gap.right * features_ + role.partner;
    to_.other_weight[at] = static_cast<T>(other);
  }
  void add_deviation(std::int64_t* index, T* weights, const Gap& gap, const Role& role, std::int64_t reading,
                     double weight) {
    if (weight == 0) return;
    const std::int64_t at = gap.target * features_ + gap.feature;
    index[at] = reading * features_ + (role.position ? gap.feature : role.partner);
    weights[at] = static_cast<T>(weight);
  }

  std::int64_t features_;
  const LagReadings& readings_;
  BridgeTerms<T> to_;
};

}  // namespace

template <class T>
void write_bridge(const data::Batch& batch, const std::vector<double>& target_times, const std::vector<TiedPair>& ties,
                  const LagReadings& readings, const BridgeTerms<T>& to) {
  BridgeWriter<T> writer(batch, readings, to);
  GapWalker walker(batch, target_times, ties);
  for (std::int64_t i = 0; i < batch.objects(); ++i)
    for (std::int64_t f = 0; f < batch.features; ++f) walker.walk(i, f, writer);
}
template void write_bridge(const data::Batch&, const std::vector<double>&, const std::vector<TiedPair>&,
                           const LagReadings&, const BridgeTerms<float>&);
template void write_bridge(const data::Batch&, const std::vector<double>&, const std::vector<TiedPair>&,
                           const LagReadings&, const BridgeTerms<double>&);

namespace {

// The index of one kind of terms, which read `from` rows per sample, spread over `all`: of the first sample `written`;
// terms of weight zero read different rows, like padding, and further samples read their own.
struct TermIndex {
  std::int64_t samples, terms, from, all;

  void spread(std::int64_t* to, std::int64_t begin) const {
    std::int64_t next = begin % all;
    for (std::int64_t i = 0; i < terms; ++i, next = next + 1 < all ? next + 1 : 0) to[i] = next;
  }
  template <class T>
  void repeat(std::int64_t* to, const T* weight) const {
    for (std::int64_t s = 1; s < samples; ++s) {
      spread(to + s * terms, s * terms);
      for (std::int64_t i = 0; i < terms; ++i)
        if (weight[i] != 0) to[s * terms + i] = s * from + to[i];
    }
  }
};

// Of each sample's readings, the row of their state: among the states before the samples' jumps, then their path.
ops::GatherIndex lag_states_of(const LagReadings& readings, const Bridge::Sizes& sizes, ops::Upload& upload) {
  const std::int64_t jumps = sizes.samples * sizes.observations, all = jumps + sizes.samples * sizes.targets;
  const auto write = [&](std::int64_t* to) {
    for (std::int64_t s = 0; s < sizes.samples; ++s, to += sizes.readings) {
      std::int64_t q = 0;
      for (const LagReadings::Entry& e : readings.before) to[q++] = s * sizes.observations + e.at;
      for (const LagReadings::Entry& e : readings.here) to[q++] = jumps + s * sizes.targets + e.at;
      for (; q < sizes.readings; ++q) to[q] = (s * sizes.readings + q) % all;  // padding reads different rows
    }
  };
  return ops::gather_index(sizes.samples * sizes.readings, all, write, upload);
}

// The time by which a reading after the jump at l is later than a lag before its target. [S*Q, 1]
template <class T>
at::Tensor backs_of(const LagReadings& readings, const data::Batch& batch, const std::vector<double>& target_times,
                    const Bridge::Sizes& sizes, ops::Upload& upload) {
  return upload.written<T>({sizes.samples * sizes.readings, 1}, [&](T* to) {
    std::fill(to, to + sizes.samples * sizes.readings, T(0));
    for (std::int64_t s = 0; s < sizes.samples; ++s, to += sizes.readings)
      for (std::size_t q = 0; q < readings.here.size(); ++q)
        if (const LagReadings::Entry& e = readings.here[q]; e.left >= 0)
          to[readings.before.size() + q] =
              static_cast<T>(batch.observation_times[e.left] - (target_times[e.at] - e.lag));
  });
}

}  // namespace

// Written where they are uploaded from: for many systems, these arrays are the largest of a batch.
Bridge Bridge::make(const data::Batch& batch, const std::vector<double>& target_times,
                    const std::vector<TiedPair>& ties, const LagReadings& readings, const Sizes& sizes,
                    at::ScalarType dtype, ops::Upload& upload) {
  const std::int64_t terms = sizes.targets * batch.features, residuals = sizes.observations * batch.features,
                     deviations = sizes.readings * batch.features;
  const TermIndex jumps{sizes.samples, terms, residuals, sizes.samples * residuals};
  const TermIndex lagged{sizes.samples, terms, deviations, sizes.samples * deviations};
  Bridge out;
  out.ties = ties;
  AT_DISPATCH_FLOATING_TYPES(dtype, "bridge", [&] {
    // Calls write(index, weight) with room for one kind of terms, and repeats what it wrote for further samples.
    const auto place = [&](ops::GatherIndex& index, at::Tensor& weight, const TermIndex& kind, const auto& write) {
      weight = upload.written<scalar_t>({terms}, [&](scalar_t* weights) {
        std::fill(weights, weights + terms, scalar_t(0));
        if (kind.all == 0) return write(nullptr, weights);
        index = ops::gather_index(
            kind.samples * terms, kind.all,
            [&](std::int64_t* to) { kind.spread(to, 0), write(to, weights), kind.repeat(to, weights); }, upload);
      });
    };
    place(out.own_index, out.own_weight, jumps, [&](std::int64_t* own, scalar_t* own_weight) {
      place(out.other_index, out.other_weight, jumps, [&](std::int64_t* other, scalar_t* other_weight) {
        if (sizes.observations == 0) return;
        BridgeTerms<scalar_t> to{own, other, own_weight, other_weight, nullptr, nullptr, nullptr, nullptr};
        if (sizes.readings == 0) return write_bridge<scalar_t>(batch, target_times, ties, readings, to);
        place(out.before_index, out.before_weight, lagged, [&](std::int64_t* before, scalar_t* before_weight) {
          place(out.here_index, out.here_weight, lagged, [&](std::int64_t* here, scalar_t* here_weight) {
            to.before_index = before, to.before_weight = before_weight;
            to.here_index = here, to.here_weight = here_weight;
            write_bridge<scalar_t>(batch, target_times, ties, readings, to);
          });
        });
      });
    });
    if (sizes.readings == 0) return;
    out.lag_states = lag_states_of(readings, sizes, upload);
    out.back = backs_of<scalar_t>(readings, batch, target_times, sizes, upload);
  });
  return out;
}

at::Tensor Bridge::deviations(const at::Tensor& before, const at::Tensor& path, const at::Tensor& read) const {
  std::vector<at::Tensor> columns = ops::gather_rows(at::cat({before, path}), lag_states).unbind(1);
  const std::vector<at::Tensor> earlier = read.unbind(1);
  const at::Tensor time = back.squeeze(1);
  for (const TiedPair& tie : ties) {
    const auto x = static_cast<std::size_t>(tie.position), v = static_cast<std::size_t>(tie.velocity);
    columns[x] = columns[x] - columns[v] * (tie.lag * tie.factor) - (earlier[x] - earlier[v] * time * tie.factor);
  }
  return at::stack(columns, 1);
}

at::Tensor Bridge::operator()(const at::Tensor& path, const at::Tensor& residual, const at::Tensor& deviation) const {
  if (residual.numel() == 0) return path;
  const auto term = [&](const at::Tensor& from, const ops::GatherIndex& index, const at::Tensor& weight) {
    return (ops::gather_rows(from.reshape({-1, 1}), index).view({path.size(0), -1}) * weight).view_as(path);
  };
  const at::Tensor bridged = path + term(residual, own_index, own_weight) + term(residual, other_index, other_weight);
  if (!deviation.defined()) return bridged;
  return bridged + term(deviation, before_index, before_weight) + term(deviation, here_index, here_weight);
}

}  // namespace lgode::model
