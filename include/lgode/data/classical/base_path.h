// A classical method with all numbers that it takes, as the base path of a model: what the model's network adds to.
// Stored with the run. No LibTorch here.
#pragma once

#include <vector>

#include "lgode/core/methods.h"
#include "lgode/data/classical/fit.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"

namespace lgode::data {

struct BaseFeature {
  int velocity_of = -1;    // as in Feature
  bool derived = false;    // as in Feature: neither used nor predicted
  double scale = 1;        // as in Normalisation
  double damping = 0;      // as in ClassicalFit
  WienerNoise noise = {};  // as in ClassicalFit
  double gain = 1;         // share by which the model's state moves towards an observation before training, (0, 1]

  bool operator==(const BaseFeature&) const = default;
};

struct BasePath {
  Classical kind = Classical::kHold;
  double time_scale = 1;
  std::vector<BaseFeature> features = {};  // [D]

  bool operator==(const BasePath&) const = default;
};

// With gains of 1.
BasePath base_path(Classical kind, const std::vector<Feature>& features, const Normalisation& normalisation,
                   double time_scale, const ClassicalFit& fit);

// Sets the gains to those of a Kalman filter of the path's noise after many observations, `gap` (model time) apart, at
// most `most`. A position without a velocity is taken to stand still between observations, as the model's state does; a
// derived velocity has the noise of a difference of two observed positions.
void set_stationary_gains(BasePath& base, double gap, double most);

// Whether observations, `gap` apart, show the whole state: every position with its velocity, and both so exactly that
// nothing earlier tells more.
bool shows_state(const BasePath& base, double gap);

// predict_classical() of the path: [T, D] normalised.
std::vector<float> predict_base(const BasePath& base, const Batch& batch);

}  // namespace lgode::data
