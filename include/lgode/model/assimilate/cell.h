// The equations of the assimilating model (docs/assimilation.md), used by two callers: Assimilate over a batch whose
// times are known, Filter over the rows of a stream as they arrive.
//
//   z_i = [y_i | w_i]           y_i the D features, w_i hidden; the decoder is the first D coordinates
//   dz/dt = Eq. 10              with the position of a tied pair moving at its velocity; the last layer starts at zero
//   at an observation           z <- keep z + add, with [p | q] = MLP([h | x | mask]), h the encoder's vector of it:
//                               y: keep = 1 - g, add = g x;   w: keep = sigmoid(p), add = q
//   gain                        g is the mask or, with gain=learned, mask / (1 + theta^2) with one theta per feature,
//                               started at ModelShape::base's, else 0.99: the gain of a filter whose noise has theta^2
//                               times the variance of the state. The first value of a feature in a forecast is taken
//                               unchanged: there is nothing to average with
//   start                       W zeta + b of the posterior of Eq. 7: z at the start of an interpolation; in a forecast
//                               its last coordinates are added to w. With a base path the features start at zero
//   base                        with ModelShape::base the path gets share * (base path - idle path) with a learned
//   share
//                               per feature, 1 at first: before training it is the base path (idle_path.h)
//
// Shapes: M observations, N objects, D features, W hidden coordinates, Z = D + W, L latent, d encoder width.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "lgode/model/assimilate/idle_path.h"
#include "lgode/model/dynamics.h"
#include "lgode/model/encoder.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"
#include "lgode/model/shape.h"

namespace lgode::model {

// Whether a model has gains of its own.
bool learns_gain(const ModelOptions& options, const ModelShape& shape);

class AssimilationCell {
 public:
  AssimilationCell(const ModelOptions& options, const ModelShape& shape);

  void declare(Parameters& parameters) const;
  // Sets the initial values that follow from the base path, after Parameters::finish().
  void initialise(const Parameters& parameters) const;

  const ModelOptions& options() const { return options_; }  // with a gain that is not auto
  const ModelShape& shape() const { return shape_; }
  const Encoder& encoder() const { return encoder_; }
  const Dynamics& dynamics() const { return dynamics_; }
  // Which observations send messages to one: a forecast's encoder looks back only.
  ops::Direction direction() const { return shape_.forecast ? ops::Direction::kPast : options_.direction; }
  std::int64_t width() const { return shape_.features + options_.state; }  // Z
  // Features whose differences between objects need full precision (ops::Events).
  std::int64_t precise() const { return std::min<std::int64_t>(shape_.features, 16); }
  std::vector<ops::Tie> ties() const;
  bool learns_gain() const { return options_.gain == Gain::kLearned; }
  // Null without a base path.
  const BaseRule* base() const { return base_.get(); }

  // g of each value, 0 where it is missing. mask, first [M, D]; first: 1 where a value is the first one of its feature
  // since the object entered, read where the mask is 1; undefined: none is.
  at::Tensor gain(const Parameters& parameters, const at::Tensor& mask, const at::Tensor& first) const;
  struct Jump {
    at::Tensor keep, add;  // [M, Z]
  };
  // h [M, d]; values, mask, gain [M, D].
  Jump jump(const Parameters& parameters, const at::Tensor& h, const at::Tensor& values, const at::Tensor& mask,
            const at::Tensor& gain) const;
  // Of base path minus idle path in the path, [D]; with a base path only. Once zero, training does not change it.
  at::Tensor share(const Parameters& parameters) const;
  // zeta [N, L] -> [N, Z]; of a forecast zero for the features.
  at::Tensor start(const Parameters& parameters, const at::Tensor& zeta) const;

 private:
  ModelOptions options_;
  ModelShape shape_;
  Encoder encoder_;
  Dynamics dynamics_;
  std::shared_ptr<const BaseRule> base_;
};

}  // namespace lgode::model
