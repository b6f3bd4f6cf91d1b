// The encoder of the Latent-ODE baseline (Rubanova, Chen, Duvenaud 2019): a recurrent network whose state follows an
// ODE between observations, for every object by itself.
//
//   between observations   ds/dt = W_2 tanh(W_1 s + b_1) + b_2,  s = 0 before the first one that it meets
//   at an observation      s <- GRU(s, o)
//   at the end             s follows the ODE to the start time, where the generative model begins
// It goes through a series backwards in time (Sweep::kBackwards), or the way that ends at the start time
// (Sweep::kToStart): forwards where no observation lies after the start, else backwards. The two differ in
// extrapolation only. The ODE is taken by Euler steps not longer than the option `step`, of equal length between two
// observations. An object without observations gets zeros.
//
// Shapes: N objects, D features, u sequence width. Gradients for all weights; CPU and CUDA.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "lgode/model/batch_tensors.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"

namespace lgode::model {

// Every object's series, one observation per turn: K turns to observations and one more to the start time.
struct SeriesTurns : EncoderInput {
  at::Tensor gaps;                  // [K+1, N] float64, signed time to go
  at::Tensor rows;                  // [K, N] int64 observation; -1 where the series is over
  std::vector<std::int64_t> steps;  // [K+1] the most steps of the ODE that an object needs
};

class OdeRnn {
 public:
  OdeRnn(const ModelOptions& options, std::int64_t inputs);

  void declare(Parameters& parameters) const;
  // The batch's series as operator() takes them.
  std::shared_ptr<const SeriesTurns> turns(const data::Batch& batch, ops::Upload& upload) const;
  // [N, u]; the batch's encoder_input are its turns.
  at::Tensor operator()(const Parameters& parameters, const BatchTensors& batch) const;

 private:
  at::Tensor follow(const Parameters& p, at::Tensor state, const at::Tensor& gap, std::int64_t steps) const;

  ModelOptions options_;
  std::int64_t inputs_;
};

}  // namespace lgode::model
