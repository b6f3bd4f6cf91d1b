// Arranges the series of a batch in turns and runs the ODE-RNN over them.
#include "lgode/model/ode_rnn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lgode/core/error.h"
#include "model/layers.h"

namespace lgode::model {
namespace {

constexpr double kMostSteps = 1e5;  // between two observations; they run one after the other

std::int64_t steps_over(double gap, double step) {
  const double steps = std::ceil(std::abs(gap) / step - 1e-6);
  if (!(steps <= kMostSteps))
    throw ConfigError(
        fmt::format("latent-ode would take {:.3g} steps of {:.3g} model time units from one observation to the next, "
                    "more than {:g}; is a time wrong? Else use a larger `step` or shorter windows",
                    steps, step, kMostSteps));
  return std::max<std::int64_t>(static_cast<std::int64_t>(steps), 1);
}

std::int64_t longest_run(const data::Batch& batch) {
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < batch.objects(); ++i)
    longest = std::max(longest, batch.observation_offsets[i + 1] - batch.observation_offsets[i]);
  return longest;
}

}  // namespace

OdeRnn::OdeRnn(const ModelOptions& options, std::int64_t inputs) : options_(options), inputs_(inputs) {}

void OdeRnn::declare(Parameters& p) const {
  const std::int64_t u = options_.sequence_width;
  const double bound = 1.0 / std::sqrt(static_cast<double>(u));
  p.add_linear("encoder.ode.layer1", u, u);
  p.add_linear("encoder.ode.layer2", u, u);
  // Rows: reset, update and new gate.
  p.add("encoder.gru.input.weight", {3 * u, inputs_}, bound);
  p.add("encoder.gru.input.bias", {3 * u}, bound);
  p.add("encoder.gru.state.weight", {3 * u, u}, bound);
  p.add("encoder.gru.state.bias", {3 * u}, bound);
}

// gap: [N] float64, signed. Each object takes its own number of equal steps, whatever else is in the batch.
at::Tensor OdeRnn::follow(const Parameters& p, at::Tensor state, const at::Tensor& gap, std::int64_t steps) const {
  if (steps == 0) return state;
  const at::Tensor own = (gap.abs() / options_.step - 1e-6).ceil().clamp_min(1);
  const at::Tensor length = (gap / own).to(state.scalar_type()).unsqueeze(1);
  for (std::int64_t k = 0; k < steps; ++k) {
    const at::Tensor dt = k == 0 ? length : length * own.gt(k).unsqueeze(1);
    state = state + dt * linear(p, "encoder.ode.layer2", at::tanh(linear(p, "encoder.ode.layer1", state)));
  }
  return state;
}

std::shared_ptr<const SeriesTurns> OdeRnn::turns(const data::Batch& batch, ops::Upload& upload) const {
  const std::int64_t turns = longest_run(batch), objects = batch.objects();
  std::vector<double> gaps(static_cast<std::size_t>((turns + 1) * objects), 0.0);
  std::vector<std::int64_t> rows(static_cast<std::size_t>(turns * objects), -1);
  std::vector<std::int64_t> steps(static_cast<std::size_t>(turns) + 1, 0);
  for (std::int64_t i = 0; i < objects; ++i) {
    const std::int64_t begin = batch.observation_offsets[i], end = batch.observation_offsets[i + 1];
    if (begin == end) continue;
    const bool forwards = options_.sweep == Sweep::kToStart && batch.observation_times[end - 1] <= 0.0;
    double now = batch.observation_times[forwards ? begin : end - 1];
    auto go = [&](std::int64_t turn, double to) {
      gaps[turn * objects + i] = to - now;
      if (to != now) steps[turn] = std::max(steps[turn], steps_over(to - now, options_.step));
      now = to;
    };
    for (std::int64_t j = 0; j < end - begin; ++j) {
      const std::int64_t row = forwards ? begin + j : end - 1 - j;
      rows[j * objects + i] = row;
      go(j, batch.observation_times[row]);
    }
    go(turns, 0.0);
  }
  auto out = std::make_shared<SeriesTurns>();
  out->gaps = upload(gaps).view({turns + 1, objects});
  out->rows = upload(rows).view({turns, objects});
  out->steps = std::move(steps);
  return out;
}

at::Tensor OdeRnn::operator()(const Parameters& p, const BatchTensors& batch) const {
  const auto* input = dynamic_cast<const SeriesTurns*>(batch.encoder_input.get());
  TORCH_CHECK_VALUE(input != nullptr, "latent-ode: the batch was not prepared for this encoder");
  const SeriesTurns& turns = *input;
  const std::int64_t count = turns.rows.size(0);
  at::Tensor state = at::zeros({batch.batch.objects(), options_.sequence_width}, batch.inputs.options());
  const at::Tensor &w_i = p["encoder.gru.input.weight"], &b_i = p["encoder.gru.input.bias"];
  const at::Tensor &w_s = p["encoder.gru.state.weight"], &b_s = p["encoder.gru.state.bias"];
  for (std::int64_t j = 0; j < count; ++j) {
    state = follow(p, state, turns.gaps[j], turns.steps[j]);
    const at::Tensor seen = batch.inputs.index_select(0, turns.rows[j].clamp_min(0));
    state = at::where(turns.rows[j].ge(0).unsqueeze(1), at::gru_cell(seen, state, w_i, w_s, b_i, b_s), state);
  }
  state = follow(p, state, turns.gaps[count], turns.steps[count]);
  const at::Tensor any = batch.observation_offsets.slice(0, 1).gt(batch.observation_offsets.slice(0, 0, -1));
  return state * any.to(state.scalar_type()).unsqueeze(1);
}

}  // namespace lgode::model
