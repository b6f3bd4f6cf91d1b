// Gain, jump and start in plain ATen, differentiable; encoder and dynamics are LG-ODE's.
#include "lgode/model/assimilate/cell.h"

#include "model/layers.h"

namespace lgode::model {
namespace {

constexpr double kFirstGain = 0.1;  // theta: g is 0.99, and its gradient is not small

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

}  // namespace

AssimilationCell::AssimilationCell(const ModelOptions& options, const ModelShape& shape)
    : options_(options),
      shape_(shape),
      encoder_(encoder_options(options, shape), encoder_inputs(shape)),
      dynamics_(field_options(options, shape), shape.relation_types) {}

void AssimilationCell::declare(Parameters& p) const {
  encoder_.declare(p);
  dynamics_.declare(p, /*start_at_zero=*/true);
  p.add_linear("start", width(), options_.latent);
  p.add_linear("jump.layer1", options_.hidden, options_.encoder_width + 2 * shape_.features);
  p.add_linear("jump.layer2", 2 * options_.state, options_.hidden);
  if (options_.gain == Gain::kLearned) p.add("gain", {shape_.features}, 0, kFirstGain);
}

std::vector<ops::Tie> AssimilationCell::ties() const {
  std::vector<ops::Tie> ties;
  for (const TiedPair& tie : shape_.ties) ties.push_back({tie.position, tie.velocity, tie.factor, tie.remainder});
  return ties;
}

at::Tensor AssimilationCell::gain(const Parameters& p, const at::Tensor& mask, const at::Tensor& first) const {
  if (options_.gain == Gain::kOne) return mask;
  at::Tensor gain = 1 / (1 + p["gain"].square());
  if (first.defined()) gain = gain + (1 - gain) * first;
  return mask * gain;
}

AssimilationCell::Jump AssimilationCell::jump(const Parameters& p, const at::Tensor& h, const at::Tensor& values,
                                              const at::Tensor& mask, const at::Tensor& gain) const {
  // It does not depend on the state: one product over all observations.   [M, 2W]
  const at::Tensor q = linear(p, "jump.layer2", at::relu(linear(p, "jump.layer1", at::cat({h, values, mask}, 1))));
  return {at::cat({1 - gain, at::sigmoid(q.slice(1, 0, options_.state))}, 1),
          at::cat({values * gain, q.slice(1, options_.state)}, 1)};
}

at::Tensor AssimilationCell::start(const Parameters& p, const at::Tensor& zeta) const {
  const at::Tensor z = linear(p, "start", zeta);
  return shape_.forecast ? at::constant_pad_nd(z.slice(1, shape_.features), {shape_.features, 0}) : z;
}

}  // namespace lgode::model
