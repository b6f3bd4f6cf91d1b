// One scene under the assimilating model, one time after the other: iterates the AssimilationCell that a forecast of
// Assimilate unrolls over the whole past, with the same numbers up to rounding.
//
//   advance   the state advances from the latest rows to the new ones, in steps of at most the model's; objects that
//             are unseen for longer than the memory leave
//   encode    the new rows attend to the observations within the window. Earlier observations do not change, so per
//             layer only their messages are kept, P = W_h x + b_t of Eq. 5
//   jump      z <- keep z + add at the rows' objects; an object that is not present enters
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
#include "lgode/model/assimilate/cell.h"
#include "lgode/model/assimilate/timeline.h"
#include "lgode/model/model.h"

namespace lgode::model {

// The kept state of a scene. Copies share their tensors, which are never written to. An object is a number of the
// caller's.
struct SceneState {
  bool begun = false;
  double time = 0;                    // of the latest rows
  std::vector<std::int64_t> objects;  // [n] present
  std::vector<BaseState> base;        // [n] with a base path
  std::vector<double> sum, count;     // [D] with a base path: of all values up to now, by feature
  std::vector<double> last_seen;      // [n]
  at::Tensor z;                       // [n, Z]; undefined without objects
  at::Tensor seen;                    // [n, D] gain=learned: 1 where the feature was observed since the object entered
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
  // Takes in the rows of one time, later than all before.
  void observe(SceneState& state, double time, const Rows& rows, const Relations& relations) const;
  // Advances without rows; objects may leave.
  void advance(SceneState& state, double time, const Relations& relations) const;
  // The path of every object of `state`, which is advanced to the start, at `times` after it (ascending): [S, n*K, D],
  // normalised. noise: standard normal [S*n, latent], sample-major; undefined: the mean path. With `scores`, the
  // model's futures follow, [S + K, n*K, D], and their scores [n, K] are stored there.
  at::Tensor forecast(const SceneState& state, const std::vector<double>& times, std::int64_t samples,
                      const at::Tensor& noise, const Relations& relations, at::Tensor* scores = nullptr) const;

 private:
  struct Layer {
    at::Tensor norm_weight, norm_bias;
    at::Tensor w_in, b_in, slope, w_out;  // ops/attention_fold.h
  };
  // The observations that the new rows attend to: the last ones of a state, M of them.
  struct Window {
    std::int64_t begin = 0;  // in the state's observations
    at::Tensor gaps;         // [M, 1] times since the rows'
    at::Tensor encoding;     // [M, d] TE of the gaps
    at::Tensor edges;        // [R, 1, 2, M] log w by row, type (own, other) and source; -infinity: no edge
  };
  at::Tensor encode(SceneState& state, double time, const Rows& rows, const Relations& relations) const;
  Window window(const SceneState& state, double time, const Rows& rows, const Relations& relations) const;
  at::Tensor edges(const SceneState& state, std::int64_t begin, const Rows& rows, const Relations& relations) const;
  at::Tensor attend(const Layer& layer, at::Tensor& sent, const Window& near, const at::Tensor& h) const;
  void jump(SceneState& state, double time, const Rows& rows, const at::Tensor& h) const;
  void remove_absent(SceneState& state) const;
  void take_base(SceneState& state, double time, const Rows& rows, const std::vector<std::int64_t>& at) const;
  at::Tensor base_offset(const SceneState& state, const std::vector<double>& times) const;
  void forget(SceneState& state) const;
  Encoding posterior(const SceneState& state) const;
  ops::PairGraph pairs(const std::vector<std::int64_t>& objects, std::int64_t samples,
                       const Relations& relations) const;
  ode::Trajectory solve(const at::Tensor& z, const ops::PairGraph& pairs, const ode::StepPlan& plan,
                        std::vector<std::uint8_t> present = {}) const;
  // Whether an object last observed then has left by a time.
  bool is_gone(double last_seen, double time) const { return outlasts(time - last_seen, cell_.shape().memory); }

  std::shared_ptr<const Model> model_;
  AssimilationCell cell_;
  std::vector<Layer> layers_;
  ops::AttentionOptions attention_;
  ops::DynamicsWeights dynamics_;
  std::shared_ptr<ops::SpareMemory> spare_;
};

}  // namespace lgode::model
