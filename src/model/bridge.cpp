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
  double factor = 1.0;
};

class Bridge {
 public:
  Bridge(const data::Batch& batch, const std::vector<TiedPair>& ties)
      : batch_(batch), roles_(static_cast<std::size_t>(batch.features)) {
    for (const TiedPair& tie : ties) {
      roles_[static_cast<std::size_t>(tie.position)] = {tie.velocity, true, tie.factor};
      roles_[static_cast<std::size_t>(tie.velocity)] = {tie.position, false, tie.factor};
    }
  }

  BridgeTerms run() {
    const auto count = static_cast<std::size_t>(batch_.targets() * batch_.features);
    out_ = {std::vector<std::int64_t>(count, 0), std::vector<std::int64_t>(count, 0), std::vector<double>(count, 0),
            std::vector<double>(count, 0)};
    for (std::int64_t i = 0; i < batch_.objects(); ++i)
      for (std::int64_t f = 0; f < batch_.features; ++f) bridge(i, f);
    return std::move(out_);
  }

 private:
  bool seen(std::int64_t m, std::int64_t f) const { return batch_.observation_mask[m * batch_.features + f] != 0.0F; }
  double time(std::int64_t m) const { return batch_.observation_times[static_cast<std::size_t>(m)]; }

  void bridge(std::int64_t object, std::int64_t f) {
    std::vector<std::int64_t> list;  // observations that show the feature
    for (std::int64_t m = batch_.observation_offsets[object]; m < batch_.observation_offsets[object + 1]; ++m)
      if (seen(m, f)) list.push_back(m);
    for (std::int64_t t = batch_.target_offsets[object]; t < batch_.target_offsets[object + 1]; ++t) {
      const double at = batch_.target_times[static_cast<std::size_t>(t)];
      const auto next = std::lower_bound(list.begin(), list.end(), at,
                                         [&](std::int64_t m, double x) { return time(m) < x - kSameTime; });
      if (next == list.end() || time(*next) <= at + kSameTime) continue;  // after the last one, or at one
      if (next == list.begin())
        before_first(t, f, *next, at);
      else
        between(t, f, *(next - 1), *next, at);
    }
  }

  void add(std::int64_t t, std::int64_t f, std::int64_t m, double own, double other) {
    const auto at = static_cast<std::size_t>(t * batch_.features + f);
    const Role& role = roles_[static_cast<std::size_t>(f)];
    out_.own_index[at] = m * batch_.features + f;
    out_.own_weight[at] = own;
    if (other == 0) return;
    out_.other_index[at] = m * batch_.features + role.partner;
    out_.other_weight[at] = other;
  }

  // Whether both features of the pair are seen at m.
  bool both(std::int64_t m, std::int64_t f) const {
    const std::int64_t partner = roles_[static_cast<std::size_t>(f)].partner;
    return partner >= 0 && seen(m, partner);
  }

  void before_first(std::int64_t t, std::int64_t f, std::int64_t m, double at) {
    const Role& role = roles_[static_cast<std::size_t>(f)];
    const bool first_of_both = both(m, f) && !shows_between(batch_first(m), m, role.partner);
    add(t, f, m, 1.0, first_of_both && role.position ? (at - time(m)) * role.factor : 0.0);
  }

  void between(std::int64_t t, std::int64_t f, std::int64_t left, std::int64_t right, double at) {
    const Role& role = roles_[static_cast<std::size_t>(f)];
    const double h = time(right) - time(left), u = (at - time(left)) / h;
    if (!both(left, f) || !both(right, f) || shows_between(left + 1, right, role.partner)) {
      add(t, f, right, u, 0.0);
    } else if (role.position) {
      add(t, f, right, 3 * u * u - 2 * u * u * u, (u * u * u - u * u) * h * role.factor);
    } else {
      add(t, f, right, 3 * u * u - 2 * u, (6 * u - 6 * u * u) / (h * role.factor));
    }
  }

  // Whether an observation from `first` to before `last` shows the feature.
  bool shows_between(std::int64_t first, std::int64_t last, std::int64_t f) const {
    for (std::int64_t m = first; m < last; ++m)
      if (seen(m, f)) return true;
    return false;
  }

  // The first observation of the object that m belongs to.
  std::int64_t batch_first(std::int64_t m) const {
    const auto& offsets = batch_.observation_offsets;
    return *(std::upper_bound(offsets.begin(), offsets.end(), m) - 1);
  }

  static constexpr double kSameTime = 1e-6;

  const data::Batch& batch_;
  std::vector<Role> roles_;
  BridgeTerms out_;
};

}  // namespace

BridgeTerms bridge_terms(const data::Batch& batch, const std::vector<TiedPair>& ties) {
  return Bridge(batch, ties).run();
}

}  // namespace lgode::model
