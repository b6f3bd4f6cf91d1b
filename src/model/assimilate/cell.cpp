// Gain, jump and start in plain ATen, differentiable; encoder and dynamics are LG-ODE's.
#include "lgode/model/assimilate/cell.h"

#include <cmath>

#include "model/layers.h"

namespace lgode::model {
namespace {

constexpr double kShareScale = 20;  // of the share of the base path
constexpr double kFirstGain = 0.1;  // theta: g is 0.99, and its gradient is not small

ModelOptions encoder_options(ModelOptions options, const ModelShape& shape) {
  options.kind = ModelKind::kLgOde;
  if (shape.forecast) options.direction = ops::Direction::kPast;
  return options;
}

ModelOptions settled(ModelOptions options, const ModelShape& shape) {
  options.gain = learns_gain(options, shape) ? Gain::kLearned : Gain::kOne;
  return options;
}

// theta of each feature before training, in the precision of weights. [D]
std::vector<float> first_thetas(const ModelShape& shape) {
  std::vector<float> theta(static_cast<std::size_t>(shape.features), static_cast<float>(kFirstGain));
  if (!shape.base) return theta;
  for (std::size_t f = 0; f < theta.size(); ++f)
    if (const double gain = shape.base->features[f].gain; gain < 1)
      theta[f] = static_cast<float>(std::sqrt(1 / gain - 1));
  return theta;
}

// What the gains are then. [D]
std::vector<double> first_gains(const ModelOptions& options, const ModelShape& shape) {
  std::vector<double> gain(static_cast<std::size_t>(shape.features), 1.0);
  if (options.gain != Gain::kLearned) return gain;
  const std::vector<float> theta = first_thetas(shape);
  for (std::size_t f = 0; f < gain.size(); ++f) gain[f] = 1 / (1 + std::pow(static_cast<double>(theta[f]), 2));
  return gain;
}

// The field works on the whole state.
ModelOptions field_options(ModelOptions options, const ModelShape& shape) {
  options.latent = shape.features + options.state;
  options.augment = 0;
  options.grid = Grid::kOwn;
  return options;
}

}  // namespace

bool learns_gain(const ModelOptions& options, const ModelShape& shape) {
  if (options.gain != Gain::kAuto) return options.gain == Gain::kLearned;
  return shape.base && shape.base->kind == Classical::kKalman;
}

AssimilationCell::AssimilationCell(const ModelOptions& options, const ModelShape& shape)
    : options_(settled(options, shape)),
      shape_(shape),
      encoder_(encoder_options(options, shape), encoder_inputs(shape)),
      dynamics_(field_options(options, shape), shape.relation_types),
      base_(shape.base ? std::make_shared<const BaseRule>(shape, first_gains(options_, shape)) : nullptr) {}

void AssimilationCell::declare(Parameters& p) const {
  encoder_.declare(p);
  dynamics_.declare(p, /*start_at_zero=*/true);
  p.add_linear("start", width(), options_.latent);
  p.add_linear("jump.layer1", options_.hidden, options_.encoder_width + 2 * shape_.features);
  p.add_linear("jump.layer2", 2 * options_.state, options_.hidden);
  if (learns_gain()) p.add("gain", {shape_.features}, 0, kFirstGain);
  if (base_ != nullptr) p.add("base", {shape_.features}, 0, 1.0 / kShareScale);
}

void AssimilationCell::initialise(const Parameters& p) const {
  if (base_ == nullptr) return;
  const at::NoGradGuard no_grad;
  // The idle path of an interpolation begins with zeros.
  for (const char* name : {"start.weight", "start.bias"}) p[name].slice(0, 0, shape_.features).zero_();
  if (!learns_gain()) return;
  const at::Tensor gain = p["gain"];
  gain.copy_(at::tensor(first_thetas(shape_)));
}

std::vector<ops::Tie> AssimilationCell::ties() const {
  std::vector<ops::Tie> ties;
  for (const TiedPair& tie : shape_.ties) ties.push_back({tie.position, tie.velocity, tie.factor, tie.remainder});
  return ties;
}

at::Tensor AssimilationCell::gain(const Parameters& p, const at::Tensor& mask, const at::Tensor& first) const {
  if (!learns_gain()) return mask;
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

// A share of zero has no gradient: it stays zero.
at::Tensor AssimilationCell::share(const Parameters& p) const {
  const at::Tensor& share = p["base"];
  return share * share.detach().ne(0).to(share.scalar_type()) * kShareScale;
}

at::Tensor AssimilationCell::start(const Parameters& p, const at::Tensor& zeta) const {
  const at::Tensor z = linear(p, "start", zeta);
  return shape_.forecast ? at::constant_pad_nd(z.slice(1, shape_.features), {shape_.features, 0}) : z;
}

}  // namespace lgode::model
