// Walks over the objects of a batch: forecasts by tracks, as a stream's; interpolations by the whole context, with the
// idle path bridged as the model's.
#include "model/assimilate/base_offset.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "lgode/data/classical/base_path.h"
#include "lgode/data/classical/context_means.h"

namespace lgode::model {
namespace {

class Offsets {
 public:
  Offsets(const BaseRule& rule, const Placed& at, double memory)
      : rule_(rule),
        at_(at),
        batch_(at.batch),
        memory_(memory),
        width_(static_cast<std::size_t>(at.batch.features)),
        out_(static_cast<std::size_t>(at.batch.targets()) * width_, 0.0) {}

  std::vector<double> forecast() {
    for (std::int64_t b = 0; b < batch_.systems(); ++b) {
      const std::vector<double> mean = data::context_means(batch_, b);
      for (std::int64_t i = batch_.object_offsets[b]; i < batch_.object_offsets[b + 1]; ++i) forecast(b, i, mean);
    }
    return std::move(out_);
  }

  std::vector<double> interpolation() {
    const std::vector<float> base = data::predict_base(rule_.base(), batch_);
    residual_.assign(static_cast<std::size_t>(batch_.observations()) * width_, 0.0);
    for (std::int64_t i = 0; i < batch_.objects(); ++i) pass(i);
    bridge();
    for (std::size_t k = 0; k < out_.size(); ++k)
      out_[k] = rule_.base().features[k % width_].derived ? 0.0 : static_cast<double>(base[k]) - out_[k];
    return std::move(out_);
  }

 private:
  const float* values(std::int64_t m) const { return batch_.observation_values.data() + m * batch_.features; }
  const float* mask(std::int64_t m) const { return batch_.observation_mask.data() + m * batch_.features; }
  double time(std::int64_t m) const { return batch_.observation_times[static_cast<std::size_t>(m)]; }
  double node(std::int64_t m) const { return at_.seen_node[static_cast<std::size_t>(m)]; }
  double* out(std::int64_t t) { return out_.data() + static_cast<std::size_t>(t) * width_; }

  // Until when an object with its last row m moves in a forecast: an absent one stands still.
  double moves_until(std::int64_t b, std::int64_t m) const {
    const Timeline& line = at_.lines[static_cast<std::size_t>(b)];
    if (!outlasts(-time(m), memory_)) return INFINITY;
    const auto first = std::lower_bound(line.nodes.begin(), line.nodes.end(), node(m));
    for (auto k = first; k != line.nodes.end(); ++k)
      if (outlasts(std::min(0.0, line.begin + *k) - time(m), memory_)) return *k;
    return INFINITY;
  }

  void forecast(std::int64_t b, std::int64_t i, const std::vector<double>& mean) {
    const std::int64_t begin = batch_.observation_offsets[i], end = batch_.observation_offsets[i + 1];
    if (batch_.target_offsets[i] == batch_.target_offsets[i + 1]) return;
    BaseState state(rule_);
    std::vector<double> before;  // the jump of the row before
    for (std::int64_t m = begin; m < end; ++m) {
      const bool enters = m == begin || outlasts(time(m) - time(m - 1), memory_);
      if (enters)
        state = BaseState(rule_);
      else if (node(m) == node(m - 1))
        state.idle.y = before;  // of two rows at one event only the later one jumps
      else
        state.idle.move(rule_.idle, node(m) - node(m - 1));
      before = state.idle.y;
      state.take(rule_, time(m), values(m), mask(m));
    }
    const double stop = begin < end ? moves_until(b, end - 1) : 0.0;
    for (std::int64_t t = batch_.target_offsets[i]; t < batch_.target_offsets[i + 1]; ++t) {
      IdleState moved = state.idle;
      if (begin < end)
        moved.move(rule_.idle,
                   std::max(0.0, std::min(at_.target_node[static_cast<std::size_t>(t)], stop) - node(end - 1)));
      state.offset(rule_, batch_.target_times[static_cast<std::size_t>(t)], moved, mean, out(t));
    }
  }

  // The residuals of an object's rows, and its idle path at its targets before bridging.
  void pass(std::int64_t i) {
    const std::int64_t begin = batch_.observation_offsets[i], end = batch_.observation_offsets[i + 1];
    IdleState state(width_);
    std::vector<double> before, after = state.y;  // the jump of the row before; the jumps of all rows
    for (std::int64_t m = begin; m < end; ++m) {
      if (m > begin && node(m) == node(m - 1))
        state.y = before;  // as in a forecast
      else
        state.move(rule_.idle, node(m) - (m > begin ? node(m - 1) : 0.0));
      before = state.y;
      state.take(rule_.idle, values(m), mask(m), residual_.data() + static_cast<std::size_t>(m) * width_);
      after.insert(after.end(), state.y.begin(), state.y.end());
    }
    for (std::int64_t t = batch_.target_offsets[i]; t < batch_.target_offsets[i + 1]; ++t) {
      const double now = at_.target_node[static_cast<std::size_t>(t)];
      const auto first = at_.seen_node.begin() + begin;
      const auto k = std::upper_bound(first, at_.seen_node.begin() + end, now) - first;
      std::copy_n(after.begin() + k * static_cast<std::ptrdiff_t>(width_), width_, state.y.begin());
      state.move(rule_.idle, now - (k > 0 ? first[k - 1] : 0.0));
      std::copy(state.y.begin(), state.y.end(), out(t));
    }
  }

  // Deviations are those of a constant velocity between jumps, zero.
  void bridge() {
    std::vector<std::int64_t> own(out_.size(), 0), other(out_.size(), 0), before(out_.size()), here(out_.size());
    std::vector<double> own_weight(out_.size(), 0.0), other_weight(out_.size(), 0.0), before_weight(out_.size()),
        here_weight(out_.size());
    write_bridge<double>(batch_, at_.bridged_times, rule_.idle.ties, at_.lag_readings,
                         {own.data(), other.data(), own_weight.data(), other_weight.data(), before.data(), here.data(),
                          before_weight.data(), here_weight.data()});
    for (std::size_t k = 0; k < out_.size(); ++k) {
      if (own_weight[k] != 0) out_[k] += own_weight[k] * residual_[static_cast<std::size_t>(own[k])];
      if (other_weight[k] != 0) out_[k] += other_weight[k] * residual_[static_cast<std::size_t>(other[k])];
    }
  }

  const BaseRule& rule_;
  const Placed& at_;
  const data::Batch& batch_;
  const double memory_;
  const std::size_t width_;
  std::vector<double> out_;       // [T, D]
  std::vector<double> residual_;  // [M, D] of an interpolation
};

}  // namespace

std::vector<double> base_offset(const BaseRule& rule, const Placed& at, double memory) {
  Offsets offsets(rule, at, memory);
  return rule.idle.forecast ? offsets.forecast() : offsets.interpolation();
}

}  // namespace lgode::model
