// Plans the solve with its jumps, computes jumps from the encoder's vectors, and reads the bridged path.
#include "lgode/model/assimilate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "lgode/ode/reading_runs.h"
#include "lgode/ops/segment.h"
#include "model/layers.h"

namespace lgode::model {
namespace {

constexpr double kFirstGain = 0.1;  // theta: g is 0.99, and its gradient is not small

// A forecast's encoder looks back only.
ModelOptions encoder_options(ModelOptions options, const ModelShape& shape) {
  options.kind = ModelKind::kLgOde;
  if (shape.forecast) options.direction = ops::Direction::kPast;
  return options;
}

// The field works on the whole state.
ModelOptions field_options(ModelOptions options, const ModelShape& shape) {
  options.latent = shape.features + options.state;
  options.augment = 0;
  options.grid = Grid::kOwn;
  return options;
}

// The events of one system: times ascending, and when the solve begins. Times count from the batch's start.
struct Timeline {
  double begin = 0;
  std::vector<double> events;
  double end = 0;
};

Timeline timeline_of(const data::Batch& batch, std::int64_t b, bool forecast) {
  Timeline line;
  // Times ascend within an object; equal ones are joined.
  std::vector<double> times, both;
  const std::int64_t first_object = batch.object_offsets[b], end_object = batch.object_offsets[b + 1];
  const auto most = static_cast<std::size_t>(batch.observation_offsets[end_object] -
                                             batch.observation_offsets[first_object] + (forecast ? 1 : 0));
  for (std::vector<double>* list : {&times, &both, &line.events}) list->reserve(most);
  const auto join = [&](auto first, auto last) {
    both.clear();
    std::set_union(times.begin(), times.end(), first, last, std::back_inserter(both));
    times.swap(both);
  };
  for (std::int64_t i = first_object; i < end_object; ++i)
    join(batch.observation_times.begin() + batch.observation_offsets[i],
         batch.observation_times.begin() + batch.observation_offsets[i + 1]);
  const double start = 0.0;
  if (forecast) join(&start, &start + 1);  // where the forecast starts
  for (const double t : times)
    if (line.events.empty() || t > line.events.back() + kSameTime) line.events.push_back(t);
  line.begin = line.events.empty() ? 0.0 : std::min(0.0, line.events.front());
  line.end = line.events.empty() ? 0.0 : line.events.back();
  for (std::int64_t t = batch.target_offsets[first_object]; t < batch.target_offsets[end_object]; ++t)
    if (batch.target_times[t] > line.end) line.end = batch.target_times[t];
  return line;
}

// Steps of at most `step` between events, and a step without length before each of them, so that those of all systems
// stand at the same places and systems can share tiles.
struct Nodes {
  std::vector<double> nodes;          // since the begin
  std::vector<std::int64_t> jump_at;  // [events] the step that jumps
};

Nodes nodes_of(const Timeline& line, double step) {
  Nodes out;
  out.nodes.reserve(4 * line.events.size() + 4);
  out.jump_at.reserve(line.events.size());
  out.nodes.push_back(0.0);
  const auto go_to = [&](double time) {
    const double from = out.nodes.back(), gap = time - from;
    const auto steps = static_cast<std::int64_t>(std::ceil(gap / step - 1e-9));
    for (std::int64_t k = 1; k <= steps; ++k) {
      out.nodes.push_back(k == steps ? time : from + gap * static_cast<double>(k) / static_cast<double>(steps));
      if (k < steps) out.nodes.push_back(out.nodes.back());
    }
  };
  for (const double event : line.events) {
    go_to(event - line.begin);
    out.jump_at.push_back(static_cast<std::int64_t>(out.nodes.size()) - 1);
    out.nodes.push_back(out.nodes.back());
  }
  if (line.events.empty() || line.events.front() > line.begin) {
    // Every system begins with a step without length.
    out.nodes.insert(out.nodes.begin(), 0.0);
    for (std::int64_t& at : out.jump_at) ++at;
  }
  // After the last event the steps do not depend on what is asked for.
  const double last = out.nodes.back();
  for (std::int64_t k = 1; out.nodes.back() < line.end - line.begin; ++k) {
    if (k > 1) out.nodes.push_back(out.nodes.back());
    out.nodes.push_back(last + static_cast<double>(k) * step);
  }
  return out;
}

// The observation of its object that a target is at: the nearest one within kSameTime, -1: none. [T]
std::vector<std::int64_t> observations_at(const data::Batch& batch) {
  std::vector<std::int64_t> at(static_cast<std::size_t>(batch.targets()), -1);
  const std::vector<double>& seen = batch.observation_times;
  for (std::int64_t i = 0; i < batch.objects(); ++i) {
    const std::int64_t begin = batch.observation_offsets[i], end = batch.observation_offsets[i + 1];
    std::int64_t next = begin;  // the first that is not before the target; targets usually ascend
    for (std::int64_t t = batch.target_offsets[i]; t < batch.target_offsets[i + 1]; ++t) {
      const double time = batch.target_times[t];
      if (next > begin && seen[next - 1] >= time) next = begin;
      while (next < end && seen[next] < time) ++next;
      const double after = next < end ? seen[next] - time : INFINITY,
                   before = next > begin ? time - seen[next - 1] : INFINITY;
      if (std::min(before, after) <= kSameTime) at[t] = after <= before ? next : next - 1;
    }
  }
  return at;
}

// The observations that count in the posterior at the start of a forecast, unless all do.
Recent recent(const data::Batch& batch, double memory, ops::Upload& upload) {
  std::vector<std::int64_t> rows, offsets{0};
  std::vector<double> times;
  for (std::int64_t i = 0; i < batch.objects(); ++i) {
    for (std::int64_t m = batch.observation_offsets[i]; m < batch.observation_offsets[i + 1]; ++m)
      if (!outlasts(-batch.observation_times[m], memory))
        rows.push_back(m), times.push_back(batch.observation_times[m]);
    offsets.push_back(static_cast<std::int64_t>(rows.size()));
  }
  if (static_cast<std::int64_t>(rows.size()) == batch.observations()) return {};
  return {upload(rows), upload(times), upload(offsets)};
}

// 1 where an observation is the first one since its object entered that shows a feature. [M, D]
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

}  // namespace

Assimilate::Assimilate(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype,
                       at::Device device)
    : Model(options, shape, dtype, device),
      encoder_(encoder_options(options, shape), encoder_inputs(shape)),
      dynamics_(field_options(options, shape), shape.relation_types) {
  encoder_.declare(parameters_);
  dynamics_.declare(parameters_, /*start_at_zero=*/true);
  parameters_.add_linear("start", width(), options_.latent);
  parameters_.add_linear("jump.layer1", options_.hidden, options_.encoder_width + 2 * shape_.features);
  parameters_.add_linear("jump.layer2", 2 * options_.state, options_.hidden);
  if (options_.gain == Gain::kLearned) parameters_.add("gain", {shape_.features}, 0, kFirstGain);
  parameters_.finish(dtype_, device_, seed);
}

std::unique_ptr<Model> Assimilate::fresh() const {
  return std::make_unique<Assimilate>(options_, shape_, /*seed=*/1, dtype_, device_);
}

bool Assimilate::takes_padded(ops::Precision precision) const {
  return !device_.is_cpu() && dtype_ == at::kFloat &&
         dynamics_.is_fused_on(device_, precision, /*gradients=*/true, precise()) && encoder_.takes_padded(device_);
}

BatchTensors Assimilate::tensors(data::Batch batch, ops::Shapes shapes, ops::Upload& upload) const {
  const ops::Direction direction = shape_.forecast ? ops::Direction::kPast : options_.direction;
  BatchTensors out =
      to_tensors(std::move(batch), {shape_.append_mask, shape_.window, direction, dtype_, shapes}, upload);
  encoder_.prepare(out, upload);
  out.recent = recent(out.batch, shape_.memory, upload);
  return out;
}

Dropout Assimilate::dropout(const BatchTensors& batch, const DropoutKey& key, ops::Upload& upload) const {
  return encoder_.dropout(batch, key, upload);
}

std::shared_ptr<const Rollout> Assimilate::prepare(const data::Batch& batch, const RolloutOptions& options,
                                                   ops::Upload& upload) const {
  auto out = std::make_shared<AssimilatingRollout>();
  const std::int64_t samples = options.samples, objects = batch.objects(), features = batch.features;
  const std::int64_t observations = ops::size_of(batch.observations(), options.shapes);
  const std::int64_t targets = ops::size_of(batch.targets(), options.shapes);
  out->samples = samples, out->read_seen = options.read_seen, out->precision = options.precision,
  out->spare = options.spare;
  out->layout = RowLayout::make(batch, samples);
  const RowLayout& layout = out->layout;
  out->from = upload(layout.from());

  std::vector<Timeline> lines;
  std::vector<Nodes> nodes;
  lines.reserve(static_cast<std::size_t>(batch.systems())), nodes.reserve(lines.capacity());
  out->plan.nodes.reserve(static_cast<std::size_t>(samples * batch.systems()));
  out->plan.row_offsets = layout.row_offsets;
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    lines.push_back(timeline_of(batch, b, shape_.forecast));
    nodes.push_back(nodes_of(lines.back(), options_.step));
    for (std::int64_t s = 0; s < samples; ++s) out->plan.nodes.push_back(nodes.back().nodes);
  }
  const std::int64_t steps = out->plan.max_steps(), rows = layout.rows();
  for (const TiedPair& tie : shape_.ties)
    out->events.ties.push_back({tie.position, tie.velocity, tie.factor, tie.remainder});
  out->events.precise = precise();
  out->events.jump.assign(static_cast<std::size_t>(steps * rows), -1);
  if (shape_.forecast) out->events.present.assign(static_cast<std::size_t>((steps + 1) * rows), 0);
  // Padding reads different rows, so that adding its gradients, which are zero, does not collide.
  const auto spread = [](std::int64_t count, std::int64_t over) {
    std::vector<std::int64_t> index(static_cast<std::size_t>(count));
    for (std::int64_t i = 0, to = 0; i < count; ++i, to = to + 1 < over ? to + 1 : 0) index[i] = to;
    return index;
  };
  std::vector<std::int64_t> before = spread(samples * observations, rows), target_rows;
  std::vector<std::int64_t> object = spread(samples * observations, samples * objects);
  std::vector<double> first(static_cast<std::size_t>(observations), 0.0), target_times;
  std::vector<double> at_start(static_cast<std::size_t>(samples * observations), 0.0);
  const std::vector<std::int64_t> target_at = observations_at(batch);
  std::vector<double> seen_at(static_cast<std::size_t>(batch.observations()));  // of the jump, since the begin
  target_rows.reserve(static_cast<std::size_t>(samples * targets));
  target_times.reserve(static_cast<std::size_t>(samples * targets));
  for (std::int64_t s = 0; s < samples; ++s) {
    for (std::int64_t b = 0; b < batch.systems(); ++b) {
      const std::vector<double>& events = lines[b].events;
      // The last event that is not after a time; from `event` on, as times ascend.
      const auto event_of = [&](double time, std::size_t event = 0) {
        while (event + 1 < events.size() && events[event + 1] <= time + 1e-12) ++event;
        return event;
      };
      const std::int64_t start = shape_.forecast ? nodes[b].jump_at[event_of(0.0)] : 0;
      for (std::int64_t i = batch.object_offsets[b]; i < batch.object_offsets[b + 1]; ++i) {
        const std::int64_t row = layout.row_of[s * objects + i];
        std::size_t event = 0;
        for (std::int64_t m = batch.observation_offsets[i]; m < batch.observation_offsets[i + 1]; ++m) {
          event = event_of(batch.observation_times[m], event);
          const std::int64_t step = nodes[b].jump_at[event];
          seen_at[m] = nodes[b].nodes[step];
          out->events.jump[step * rows + row] = static_cast<std::int32_t>(s * observations + m);
          before[s * observations + m] = step * rows + row;
          object[s * observations + m] = s * objects + i;
          if (shape_.forecast && step == start) at_start[s * observations + m] = 1.0;
          if (!shape_.forecast) continue;
          const bool last = m + 1 == batch.observation_offsets[i + 1];
          if (m == batch.observation_offsets[i] ||
              outlasts(batch.observation_times[m] - batch.observation_times[m - 1], shape_.memory))
            first[m] = 1.0;
          // Present until the next observation, unless it leaves before; nobody leaves after the start.
          const std::int64_t next = last ? steps : nodes[b].jump_at[event_of(batch.observation_times[m + 1], event)];
          const auto end = static_cast<std::int64_t>(nodes[b].nodes.size()) - 1;
          for (std::int64_t k = step + 1; k <= next; ++k) {
            const double now = std::min(0.0, lines[b].begin + nodes[b].nodes[std::min(k, end)]);
            out->events.present[k * rows + row] = outlasts(now - batch.observation_times[m], shape_.memory) ? 0 : 1;
          }
        }
        for (std::int64_t t = batch.target_offsets[i]; t < batch.target_offsets[i + 1]; ++t) {
          target_rows.push_back(row);
          target_times.push_back(target_at[t] < 0 ? batch.target_times[t] - lines[b].begin : seen_at[target_at[t]]);
        }
        if (!shape_.forecast) continue;
        // The posterior enters where the forecast starts; with an observation at that very time, in its jump.
        std::int32_t& jump = out->events.jump[start * rows + row];
        if (jump < 0) jump = static_cast<std::int32_t>(samples * observations + s * objects + i);
      }
    }
    for (std::int64_t t = batch.targets(); t < targets; ++t) target_rows.push_back(t % rows);
    target_times.resize(target_rows.size(), 0.0);
  }
  out->before = upload(before);
  const auto numbers = [&](const auto& values, std::int64_t padded) {
    return AT_DISPATCH_FLOATING_TYPES(dtype_, "numbers", [&] {
      return upload.padded<scalar_t>(values.data(), static_cast<std::int64_t>(values.size()), padded);
    });
  };
  out->values = numbers(batch.observation_values, observations * features).view({observations, features});
  out->mask = numbers(batch.observation_mask, observations * features).view({observations, features});
  if (shape_.forecast) {
    out->first = numbers(first, observations).unsqueeze(1);
    if (options_.gain == Gain::kLearned)
      out->first_values =
          numbers(first_values(batch, shape_.memory), observations * features).view({observations, features});
    out->object = upload(object);
    out->at_start = numbers(at_start, samples * observations).unsqueeze(1);
  }
  // Of the slopes before jumps those are read that end a step with a target inside.
  std::vector<std::int64_t> copy_of(static_cast<std::size_t>(rows));
  for (std::int64_t copy = 0; copy < out->plan.systems(); ++copy)
    std::fill(copy_of.begin() + layout.row_offsets[copy], copy_of.begin() + layout.row_offsets[copy + 1], copy);
  out->events.read.assign(static_cast<std::size_t>((steps + 1) * rows), 0);
  std::vector<std::int64_t> ends;  // of the steps that one row's readings are in
  const std::vector<double>* last_grid = nullptr;
  ode::for_each_run(target_rows, target_times, [&](const ode::ReadingRun& run) {
    const std::int64_t row = target_rows[run.begin];
    const std::vector<double>& grid = out->plan.nodes[copy_of[row]];
    if (!run.again || (&grid != last_grid && grid != *last_grid)) {
      ends.clear();
      auto next = grid.begin();
      for (std::size_t t = run.begin; t < run.end; ++t) {
        if (t > run.begin && target_times[t] < target_times[t - 1]) next = grid.begin();
        while (next != grid.end() && *next < target_times[t]) ++next;
        if (next != grid.end() && *next != target_times[t]) ends.push_back(next - grid.begin());
      }
    }
    for (const std::int64_t end : ends) out->events.read[end * rows + row] = 1;
    last_grid = &grid;
  });
  out->readings = ops::locate(out->plan, target_rows, target_times, ode::tableau(options_.solver), dtype_, upload);
  out->pairs = ops::to_device(dynamics_.pairs(batch, layout, dtype_), out->plan, upload, options.shapes,
                              {width(), options_.hidden}, &out->events,
                              dynamics_.kind(options.precision, options.gradients, options.beside));
  if (!shape_.forecast) {
    std::vector<double> times = batch.target_times;
    for (std::size_t t = 0; t < times.size(); ++t)
      if (target_at[t] >= 0) times[t] = batch.observation_times[target_at[t]];
    prepare_jump_bridge(*out, batch, times, observations, targets, upload);
  }
  upload.shaped_by(samples);
  upload.shaped_by(rows);
  out->fixed_launches = out->pairs.tiles != nullptr &&
                        dynamics_.is_fused_on(upload.device(), options.precision, options.gradients, precise());
  return out;
}

// Written where they are uploaded from: for many systems, these arrays are the largest of a batch.
void Assimilate::prepare_jump_bridge(AssimilatingRollout& out, const data::Batch& batch,
                                     const std::vector<double>& target_times, std::int64_t observations,
                                     std::int64_t targets, ops::Upload& upload) const {
  const std::int64_t samples = out.samples, residuals = observations * batch.features, terms = targets * batch.features;
  const auto index = [&](ops::GatherIndex& to, const auto& write) {
    to = ops::gather_index(samples * terms, samples * residuals, write, upload);
  };
  // Terms of weight zero read different residuals, like padding.
  const auto spread = [&](std::int64_t* to, std::int64_t begin) {
    std::int64_t next = begin % (samples * residuals);
    for (std::int64_t i = 0; i < terms; ++i, next = next + 1 < samples * residuals ? next + 1 : 0) to[i] = next;
  };
  // Further samples read their own residuals.
  const auto repeat = [&](std::int64_t* to, const auto* weight) {
    for (std::int64_t s = 1; s < samples; ++s) {
      spread(to + s * terms, s * terms);
      for (std::int64_t i = 0; i < terms; ++i)
        if (weight[i] != 0) to[s * terms + i] = s * residuals + to[i];
    }
  };
  AT_DISPATCH_FLOATING_TYPES(dtype_, "bridge", [&] {
    const auto weights = [&](at::Tensor& to, const auto& write) {
      to = upload.written<scalar_t>({terms}, [&](scalar_t* weight) {
        std::fill(weight, weight + terms, scalar_t(0));
        write(weight);
      });
    };
    weights(out.own_weight, [&](scalar_t* own_weight) {
      weights(out.other_weight, [&](scalar_t* other_weight) {
        if (observations == 0) return;
        index(out.own_index, [&](std::int64_t* own) {
          index(out.other_index, [&](std::int64_t* other) {
            spread(own, 0), spread(other, 0);
            write_bridge<scalar_t>(batch, target_times, shape_.ties, {own, other, own_weight, other_weight});
            repeat(own, own_weight), repeat(other, other_weight);
          });
        });
      });
    });
  });
}

at::Tensor Assimilate::gains(const AssimilatingRollout& rollout) const {
  if (options_.gain == Gain::kOne) return rollout.mask;
  at::Tensor gain = 1 / (1 + parameters_["gain"].square());
  if (shape_.forecast) gain = gain + (1 - gain) * rollout.first_values;  // nothing to average with
  return rollout.mask * gain;
}

Assimilate::Jumps Assimilate::jumps(const AssimilatingRollout& rollout, const at::Tensor& gain,
                                    const Encoding& encoding, const at::Tensor& zeta) const {
  const std::int64_t features = shape_.features, hidden = options_.state, samples = rollout.samples;
  const at::Tensor &values = rollout.values, &mask = rollout.mask;
  // What does not depend on the state: one product over all observations.   [M, 2W]
  const at::Tensor q = linear(parameters_, "jump.layer2",
                              at::relu(linear(parameters_, "jump.layer1", at::cat({encoding.h, values, mask}, 1))));
  at::Tensor keep = at::cat({1 - gain, at::sigmoid(q.slice(1, 0, hidden))}, 1);
  at::Tensor add = at::cat({values * gain, q.slice(1, hidden)}, 1);
  if (shape_.forecast) keep = keep * (1 - rollout.first);  // an object enters: nothing is kept
  keep = keep.repeat({samples, 1}), add = add.repeat({samples, 1});
  if (!shape_.forecast) return {keep, add};
  // The posterior at the start of the forecast.   [S*N, Z]
  const at::Tensor start = at::constant_pad_nd(linear(parameters_, "start", zeta).slice(1, features), {features, 0});
  add = add + ops::gather_rows(start, rollout.object) * rollout.at_start;
  return {at::cat({keep, at::ones_like(start)}), at::cat({add, start})};
}

at::Tensor Assimilate::bridged(const AssimilatingRollout& rollout, const at::Tensor& path,
                               const at::Tensor& residual) const {
  // path [S, T, D], residual [S, M, D]
  const at::Tensor flat = residual.reshape({-1, 1});
  if (flat.size(0) == 0) return path;
  const auto term = [&](const ops::GatherIndex& index, const at::Tensor& weight) {
    return (ops::gather_rows(flat, index).view({path.size(0), -1}) * weight).view_as(path);
  };
  return path + term(rollout.own_index, rollout.own_weight) + term(rollout.other_index, rollout.other_weight);
}

Paths Assimilate::paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
                        const Dropout& dropout) const {
  const auto* plan = dynamic_cast<const AssimilatingRollout*>(&rollout);
  TORCH_CHECK_VALUE(plan != nullptr, "assimilate: the roll-out was prepared by a model of another kind");
  const std::int64_t samples = plan->samples, features = shape_.features;
  const Encoding encoding = encoder_(parameters_, batch, dropout);
  at::Tensor zeta = encoding.mu.repeat({samples, 1});
  if (noise.defined()) zeta = zeta + encoding.sigma.repeat({samples, 1}) * noise;
  const at::Tensor gain = gains(*plan);
  const Jumps jump = jumps(*plan, gain, encoding, zeta);
  const at::Tensor start =
      shape_.forecast ? at::zeros({zeta.size(0), width()}, zeta.options()) : linear(parameters_, "start", zeta);
  const ode::Trajectory path =
      ops::assimilating_rk(ops::gather_rows(start, plan->from), dynamics_.weights(parameters_), plan->pairs, plan->plan,
                           ode::tableau(options_.solver), {plan->events, jump.keep, jump.add},
                           {options_.gradient, options_.impl, plan->precision, plan->spare});
  Paths out;
  out.mu = encoding.mu, out.sigma = encoding.sigma;
  out.values = ops::read(path, plan->readings, features).view({samples, -1, features});
  if (shape_.forecast && !plan->read_seen) return out;
  // R = y after the jump - y before it   [S, M, D]
  const at::Tensor before = ops::gather_rows(path.states.flatten(0, 1), plan->before).slice(1, 0, features);
  const at::Tensor residual = (plan->values.repeat({samples, 1}) - before) * gain.repeat({samples, 1});
  if (plan->read_seen) out.seen = (before + residual).view({samples, -1, features});
  if (shape_.forecast) return out;
  out.unbridged = out.values;
  out.values = bridged(*plan, out.values, residual.view({samples, -1, features}));
  return out;
}

}  // namespace lgode::model
