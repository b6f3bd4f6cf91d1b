// The encoder of the Latent-ODE baseline (Rubanova, Chen, Duvenaud 2019): a recurrent network whose state follows an
// ODE between observations, each object separately.
//
//   between observations   ds/dt = W_2 tanh(W_1 s + b_1) + b_2,  s = 0 before the first observation
//   at an observation      s <- GRU(s, o)
//   at the end             s follows the ODE to the start time, where the generative model begins
// It processes a series backwards in time (Sweep::kBackwards), or in the direction that ends at the start time
// (Sweep::kToStart): forwards if no observation is after the start, else backwards. The two differ in extrapolation
// only. The ODE is solved by Euler steps of equal length between two observations, no longer than the option `step`.
// An object without observations gets zeros.
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

// Every object's series, one observation per turn: K turns to observations and the last turn to the start time.
struct SeriesTurns : EncoderInput {
  at::Tensor gaps;                  // [K+1, N] float64, signed time to integrate over
  at::Tensor rows;                  // [K, N] int64 observation; -1 after the end of the series
  std::vector<std::int64_t> steps;  // [K+1] ODE steps, largest number over the objects
};

class OdeRnn {
 public:
  OdeRnn(const ModelOptions& options, std::int64_t inputs);

  void declare(Parameters& parameters) const;
  // The batch's series, for operator().
  std::shared_ptr<const SeriesTurns> turns(const data::Batch& batch, ops::Upload& upload) const;
  // [N, u]. The batch's encoder_input must be the result of turns().
  at::Tensor operator()(const Parameters& parameters, const BatchTensors& batch) const;

 private:
  at::Tensor follow(const Parameters& p, at::Tensor state, const at::Tensor& gap, std::int64_t steps) const;

  ModelOptions options_;
  std::int64_t inputs_;
};

}  // namespace lgode::model
