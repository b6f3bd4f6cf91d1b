// Lays the observations and targets of a batch out over the nodes of its systems, on the host, and uploads the result.
#include "model/assimilate/plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lgode/model/assimilate/timeline.h"
#include "lgode/ode/reading_runs.h"
#include "model/assimilate/base_offset.h"

namespace lgode::model {
namespace {

// 0, 1, ... below `over`, and again. Padding reads different rows, so that adding its gradients, which are zero, does
// not collide.
std::vector<std::int64_t> in_turn(std::int64_t count, std::int64_t over) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(count));
  for (std::int64_t i = 0, to = 0; i < count; ++i, to = to + 1 < over ? to + 1 : 0) index[i] = to;
  return index;
}

// 1 where an observation is the first one with a feature since its object entered. [M, D]
std::vector<float> first_values(const data::Batch& batch, double memory) {
  std::vector<float> first(batch.observation_mask.size(), 0.0F);
  const auto features = static_cast<std::size_t>(batch.features);
  std::vector<bool> seen(features);
  for (std::int64_t i = 0; i < batch.objects(); ++i)
    for (std::int64_t m = batch.observation_offsets[i]; m < batch.observation_offsets[i + 1]; ++m) {
      const bool enters = m == batch.observation_offsets[i] ||
                          outlasts(batch.observation_times[m] - batch.observation_times[m - 1], memory);
      if (enters) seen.assign(features, false);
      for (std::size_t f = 0; f < features; ++f) {
        const std::size_t at = static_cast<std::size_t>(m) * features + f;
        if (batch.observation_mask[at] == 0.0F || seen[f]) continue;
        first[at] = 1.0F, seen[f] = true;
      }
    }
  return first;
}

class Planner {
 public:
  Planner(const AssimilationCell& cell, const data::Batch& batch, const RolloutOptions& options)
      : cell_(cell),
        batch_(batch),
        options_(options),
        forecast_(cell.shape().forecast),
        memory_(cell.shape().memory),
        samples_(options.samples),
        observations_(ops::size_of(batch.observations(), options.shapes)),
        targets_(ops::size_of(batch.targets(), options.shapes)),
        layout_(RowLayout::make(batch, samples_)),
        out_(std::make_shared<AssimilatingRollout>()) {
    out_->samples = samples_, out_->read_seen = options.read_seen, out_->precision = options.precision,
    out_->spare = options.spare;
    rows_ = layout_.rows();
  }

  std::shared_ptr<AssimilatingRollout> make(at::ScalarType dtype, ops::Upload& upload) {
    out_->from = upload(layout_.from());
    plan_steps();
    begin_events();
    for (std::int64_t s = 0; s < samples_; ++s)
      for (std::int64_t b = 0; b < batch_.systems(); ++b)
        for (std::int64_t i = batch_.object_offsets[b]; i < batch_.object_offsets[b + 1]; ++i) place(s, b, i);
    place_targets();
    out_->target_readings = static_cast<std::int64_t>(target_rows_.size());
    if (!forecast_) place_lag_readings();
    upload_observations(dtype, upload);
    if (cell_.base() != nullptr) upload_offset(dtype, upload);
    mark_read_slopes();
    const AssimilatingRollout& out = *out_;
    const Dynamics& dynamics = cell_.dynamics();
    out_->readings =
        ops::locate(out.plan, target_rows_, target_times_, ode::tableau(cell_.options().solver), dtype, upload);
    out_->pairs = ops::to_device(dynamics.pairs(batch_, layout_, dtype), out.plan, upload, options_.shapes,
                                 {cell_.width(), cell_.options().hidden}, &out.events,
                                 dynamics.kind(options_.precision, options_.gradients, options_.beside));
    if (!forecast_)
      out_->bridge = Bridge::make(
          batch_, times_to_bridge(), cell_.shape().ties, lag_readings_,
          {samples_, observations_, targets_, ops::size_of(lag_readings_.size(), options_.shapes)}, dtype, upload);
    upload.shaped_by(samples_);
    upload.shaped_by(rows_);
    out_->fixed_launches = out.pairs.tiles != nullptr && dynamics.is_fused_on(upload.device(), options_.precision,
                                                                              options_.gradients, cell_.precise());
    return out_;
  }

 private:
  void plan_steps() {
    ode::StepPlan& plan = out_->plan;
    lines_.reserve(static_cast<std::size_t>(batch_.systems()));
    plan.nodes.reserve(static_cast<std::size_t>(samples_ * batch_.systems()));
    plan.row_offsets = layout_.row_offsets;
    for (std::int64_t b = 0; b < batch_.systems(); ++b) {
      lines_.push_back(Timeline::make(batch_, b, cell_.options().step, forecast_));
      start_step_.push_back(forecast_ ? lines_.back().jump_step_at(0.0) : -1);
      for (std::int64_t s = 0; s < samples_; ++s) plan.nodes.push_back(lines_.back().nodes);
    }
    steps_ = plan.max_steps();
  }

  void begin_events() {
    ops::Events& events = out_->events;
    events.ties = cell_.ties();
    events.precise = cell_.precise();
    events.jump.assign(static_cast<std::size_t>(steps_ * rows_), -1);
    if (forecast_) events.present.assign(static_cast<std::size_t>((steps_ + 1) * rows_), 0);
    before_ = in_turn(samples_ * observations_, rows_);
    object_ = in_turn(samples_ * observations_, samples_ * batch_.objects());
    first_.assign(static_cast<std::size_t>(observations_), 0.0);
    at_start_.assign(static_cast<std::size_t>(samples_ * observations_), 0.0);
    seen_node_.resize(static_cast<std::size_t>(batch_.observations()));
  }

  // Object i of system b in sample s.
  void place(std::int64_t s, std::int64_t b, std::int64_t i) {
    const Timeline& line = lines_[static_cast<std::size_t>(b)];
    const std::int64_t row = layout_.row_of[s * batch_.objects() + i];
    const std::int64_t start = start_step_[static_cast<std::size_t>(b)];
    std::size_t event = 0;  // times ascend
    for (std::int64_t m = batch_.observation_offsets[i]; m < batch_.observation_offsets[i + 1]; ++m) {
      event = line.event_at(batch_.observation_times[m], event);
      const std::int64_t step = line.jump_step[event], at = s * observations_ + m;
      seen_node_[m] = line.node(step);
      out_->events.jump[step * rows_ + row] = static_cast<std::int32_t>(at);
      before_[at] = step * rows_ + row;
      object_[at] = s * batch_.objects() + i;
      if (step == start) at_start_[at] = 1.0;
      if (forecast_) mark_presence(line, i, m, row, event);
    }
    if (!forecast_) return;
    // The posterior enters where the forecast starts; with an observation at that time, in its jump.
    std::int32_t& jump = out_->events.jump[start * rows_ + row];
    if (jump < 0) jump = static_cast<std::int32_t>(samples_ * observations_ + s * batch_.objects() + i);
  }

  // The path a lag before observations and targets, after the targets of all samples.
  void place_lag_readings() {
    const std::vector<double>& times = times_to_bridge();
    lag_readings_ = lag_readings(batch_, times, cell_.shape().ties);
    const std::int64_t padded = ops::size_of(lag_readings_.size(), options_.shapes);
    for (std::int64_t s = 0; s < samples_; ++s) {
      place_lag_readings(s, lag_readings_.before, batch_.observation_times);
      place_lag_readings(s, lag_readings_.here, times);
      for (std::int64_t q = lag_readings_.size(); q < padded; ++q) target_rows_.push_back(q % rows_);
      target_times_.resize(target_rows_.size(), 0.0);
    }
  }
  // Entries that are before `times`, ascending by object.
  void place_lag_readings(std::int64_t s, const std::vector<LagReadings::Entry>& entries,
                          const std::vector<double>& times) {
    std::size_t b = 0;
    for (const LagReadings::Entry& entry : entries) {
      while (entry.object >= batch_.object_offsets[b + 1]) ++b;
      target_rows_.push_back(layout_.row_of[s * batch_.objects() + entry.object]);
      target_times_.push_back(entry.left >= 0 ? seen_node_[entry.left]
                                              : std::max(0.0, times[entry.at] - entry.lag - lines_[b].begin));
    }
  }

  // After observation m, at `event`, an object of a forecast is present until its next one, unless it leaves before;
  // no object leaves after the start.
  void mark_presence(const Timeline& line, std::int64_t i, std::int64_t m, std::int64_t row, std::size_t event) {
    const std::vector<double>& times = batch_.observation_times;
    if (m == batch_.observation_offsets[i] || outlasts(times[m] - times[m - 1], memory_)) first_[m] = 1.0;
    const bool last = m + 1 == batch_.observation_offsets[i + 1];
    const std::int64_t next = last ? steps_ : line.jump_step[line.event_at(times[m + 1], event)];
    const auto end = static_cast<std::int64_t>(line.nodes.size()) - 1;
    for (std::int64_t k = line.jump_step[event] + 1; k <= next; ++k) {
      const double now = std::min(0.0, line.begin + line.node(std::min(k, end)));
      out_->events.present[k * rows_ + row] = outlasts(now - times[m], memory_) ? 0 : 1;
    }
  }

  // A target that is at an observation is read at the node after its jump.
  void place_targets() {
    target_rows_.resize(static_cast<std::size_t>(samples_ * targets_));
    target_times_.assign(target_rows_.size(), 0.0);
    for (std::int64_t b = 0; b < batch_.systems(); ++b) {
      const double begin = lines_[static_cast<std::size_t>(b)].begin;
      for (std::int64_t i = batch_.object_offsets[b]; i < batch_.object_offsets[b + 1]; ++i) {
        for_each_target(batch_, i, [&](std::int64_t t, std::int64_t m) {
          const double time = batch_.target_times[static_cast<std::size_t>(t)];
          target_times_[t] = m < 0 ? time - begin : seen_node_[m];
          if (m >= 0 && batch_.observation_times[m] != time) bridge_at(t, batch_.observation_times[m]);
        });
        for (std::int64_t s = 0; s < samples_; ++s)
          std::fill(target_rows_.begin() + s * targets_ + batch_.target_offsets[i],
                    target_rows_.begin() + s * targets_ + batch_.target_offsets[i + 1],
                    layout_.row_of[s * batch_.objects() + i]);
      }
    }
    // Padding, as in_turn().
    for (std::int64_t s = 0; s < samples_; ++s)
      for (std::int64_t t = batch_.targets(); t < targets_; ++t) target_rows_[s * targets_ + t] = t % rows_;
    for (std::int64_t s = 1; s < samples_; ++s)
      std::copy_n(target_times_.begin(), targets_, target_times_.begin() + s * targets_);
  }

  void upload_observations(at::ScalarType dtype, ops::Upload& upload) {
    const std::int64_t features = batch_.features;
    out_->before = upload(before_);
    const auto numbers = [&](const auto& values, std::int64_t padded) {
      return AT_DISPATCH_FLOATING_TYPES(dtype, "numbers", [&] {
        return upload.padded<scalar_t>(values.data(), static_cast<std::int64_t>(values.size()), padded);
      });
    };
    const auto by_feature = [&](const std::vector<float>& values) {
      return numbers(values, observations_ * features).view({observations_, features});
    };
    out_->values = by_feature(batch_.observation_values);
    out_->mask = by_feature(batch_.observation_mask);
    if (!forecast_) return;
    out_->first = numbers(first_, observations_).unsqueeze(1);
    if (cell_.learns_gain()) out_->first_values = by_feature(first_values(batch_, memory_));
    out_->object = upload(object_);
    out_->at_start = numbers(at_start_, samples_ * observations_).unsqueeze(1);
  }

  void upload_offset(at::ScalarType dtype, ops::Upload& upload) {
    const std::vector<double> offset = base_offset(
        *cell_.base(), {batch_, lines_, seen_node_, target_times_, times_to_bridge(), lag_readings_}, memory_);
    const std::int64_t features = batch_.features;
    out_->offset = AT_DISPATCH_FLOATING_TYPES(dtype, "offset", [&] {
      return upload.padded<scalar_t>(offset.data(), static_cast<std::int64_t>(offset.size()), targets_ * features);
    });
    out_->offset = out_->offset.view({targets_, features});
  }

  // Of the slopes before jumps those are read that end a step with a target inside.
  void mark_read_slopes() {
    const std::vector<std::int64_t>& offsets = layout_.row_offsets;
    std::vector<std::int64_t> copy_of(static_cast<std::size_t>(rows_));
    for (std::int64_t copy = 0; copy < out_->plan.systems(); ++copy)
      std::fill(copy_of.begin() + offsets[copy], copy_of.begin() + offsets[copy + 1], copy);
    out_->events.read.assign(static_cast<std::size_t>((steps_ + 1) * rows_), 0);
    std::vector<std::int64_t> ends;  // of the steps that one row's readings are in
    const std::vector<double>* last_grid = nullptr;
    ode::for_each_run(target_rows_, target_times_, [&](const ode::ReadingRun& run) {
      const std::int64_t row = target_rows_[run.begin];
      const std::vector<double>& grid = out_->plan.nodes[copy_of[row]];
      if (!run.again || (&grid != last_grid && grid != *last_grid)) find_ends(grid, run, ends);
      for (const std::int64_t end : ends) out_->events.read[end * rows_ + row] = 1;
      last_grid = &grid;
    });
  }

  // The ends of the steps of `grid` that have readings of a run inside.
  void find_ends(const std::vector<double>& grid, const ode::ReadingRun& run, std::vector<std::int64_t>& ends) const {
    ends.clear();
    auto next = grid.begin();
    for (std::size_t t = run.begin; t < run.end; ++t) {
      if (t > run.begin && target_times_[t] < target_times_[t - 1]) next = grid.begin();
      while (next != grid.end() && *next < target_times_[t]) ++next;
      if (next != grid.end() && *next != target_times_[t]) ends.push_back(next - grid.begin());
    }
  }

  // Bridges target t at a time that is not quite its own: that of the observation it is at.
  void bridge_at(std::int64_t t, double time) {
    if (bridged_times_.empty()) bridged_times_ = batch_.target_times;
    bridged_times_[static_cast<std::size_t>(t)] = time;
  }
  const std::vector<double>& times_to_bridge() const {
    return bridged_times_.empty() ? batch_.target_times : bridged_times_;
  }

  const AssimilationCell& cell_;
  const data::Batch& batch_;
  const RolloutOptions& options_;
  const bool forecast_;
  const double memory_;
  const std::int64_t samples_, observations_, targets_;  // S, M, T
  std::int64_t rows_ = 0, steps_ = 0;                    // n, K
  const RowLayout layout_;
  std::shared_ptr<AssimilatingRollout> out_;

  std::vector<Timeline> lines_;                // [B]
  std::vector<std::int64_t> start_step_;       // [B] of a forecast's start
  std::vector<std::int64_t> before_, object_;  // [S*M]
  std::vector<double> first_, at_start_;       // [M], [S*M]
  std::vector<double> seen_node_;              // [M] node of the jump
  std::vector<double> bridged_times_;          // [T] of the targets since the start; empty: as in the batch
  std::vector<std::int64_t> target_rows_;      // [S*T]
  std::vector<double> target_times_;           // [S*T] since the solve's begin
  LagReadings lag_readings_;
};

}  // namespace

std::shared_ptr<AssimilatingRollout> plan_assimilation(const AssimilationCell& cell, const data::Batch& batch,
                                                       const RolloutOptions& options, at::ScalarType dtype,
                                                       ops::Upload& upload) {
  return Planner(cell, batch, options).make(dtype, upload);
}

}  // namespace lgode::model
