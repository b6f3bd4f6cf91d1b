// One scene under the assimilating model, taken in time by time: the recurrence whose unrolled form is a forecast of
// Assimilate over the whole past, with the same numbers up to rounding.
//
//   advance   the state moves on from the latest rows to the new ones, in steps of at most the model's; objects that
//             are unseen for longer than the memory leave
//   encode    the new rows attend to the observations within the window. Earlier observations do not change, so per
//             layer only what they send is kept, P = W_h x + b_t of Eq. 5
//   jump      z <- keep z + add at the rows' objects; an object that is not there enters
//   forecast  a copy advances to the start, gets the posterior of the observations within the memory, and is solved
//
// Shapes: R new rows, M observations kept, n objects present, D features, Z state, d encoder width, S samples, K times.
// Times are model times. CPU, float32; no gradients.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "lgode/data/dataset.h"
#include "lgode/model/assimilate.h"

namespace lgode::model {

// What is kept of a scene. Copies share their tensors, which are never written to. An object is a number of the
// caller's.
struct SceneState {
  bool begun = false;
  double time = 0;                    // of the latest rows
  std::vector<std::int64_t> objects;  // [n] present
  std::vector<double> last_seen;      // [n]
  at::Tensor z;                       // [n, Z]; undefined where nobody is present
  at::Tensor seen;                    // [n, D] gain=learned: 1 where the feature was seen since the object entered
  std::vector<double> times;          // [M] ascending: observations within window and memory
  std::vector<std::int64_t> object;   // [M]
  std::vector<at::Tensor> sent;       // per layer [M, d]: P; undefined before the first rows
  at::Tensor h;                       // [M, d] after the last layer
};

// The relations among these objects, which are counted by their place in the list.
using Relations = std::function<std::vector<data::Relation>(const std::vector<std::int64_t>& objects)>;

class Filter {
 public:
  // TORCH_CHECK_VALUE: a model of kind assimilate that forecasts, on the CPU.
  explicit Filter(std::shared_ptr<const Model> model);

  struct Rows {
    std::vector<std::int64_t> object;  // [R] each once
    std::vector<float> values, mask;   // [R, D] normalised; 0 where missing
  };
  // Takes in the rows of one time, later than those before.
  void observe(SceneState& state, double time, const Rows& rows, const Relations& relations) const;
  // Moves on without rows; objects may leave.
  void advance(SceneState& state, double time, const Relations& relations) const;
  // The path of every object of `state`, which was advanced to the start, at `times` after it (ascending): [S, n*K, D],
  // normalised. noise: standard normal [S*n, latent], sample-major; undefined: the mean path.
  at::Tensor forecast(const SceneState& state, const std::vector<double>& times, std::int64_t samples,
                      const at::Tensor& noise, const Relations& relations) const;

 private:
  struct Layer {
    at::Tensor norm_weight, norm_bias;
    at::Tensor w_in, b_in, slope, w_out;  // ops/attention_fold.h
  };
  at::Tensor encode(SceneState& state, double time, const Rows& rows, const Relations& relations) const;
  void jump(SceneState& state, double time, const Rows& rows, const at::Tensor& h) const;
  void forget(SceneState& state) const;
  ops::PairGraph pairs(const std::vector<std::int64_t>& objects, std::int64_t samples,
                       const Relations& relations) const;

  std::shared_ptr<const Model> owner_;
  const Assimilate& model_;
  std::vector<Layer> layers_;
  ops::AttentionOptions attention_;
  ops::DynamicsWeights dynamics_;
  std::vector<ops::Tie> ties_;
  std::shared_ptr<ops::SpareMemory> spare_;
};

}  // namespace lgode::model
