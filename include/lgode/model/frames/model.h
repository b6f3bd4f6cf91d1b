// The model of scenes: every object forecasts its own way in its own frame, from a classical base path, its history and
// its neighbours (docs/frames.md has every equation).
//
//   values = base(t) + e(t) turned back from the own frame;  e(0) = 0, and e = 0 before training
//   h_i = MLP(what i has seen),  c_i = attention over e_ij = MLP([h_j | r_ij]) with an empty slot,  z_i = [h_i | c_i]
//   w_i = MLP(z_i) at the start;  [d2e/dt2, dw/dt] = MLP([w_i | velocity | z_i]),  constant within a step
//   neighbours=moving: this MLP also sees attention over MLP([w_j | r_ij]), from where objects are in the step
//
// The network is evaluated for a frame and for its mirror image, and the mean of both counts: forecasts turn, move and
// are mirrored with the scene. Objects without a frame keep the base path. Forecasts only; no latent variables, so
// samples repeat the one path.
//
//   futures=K: besides the mean path's w_i there are K/2 starts w_ik = MLP(z_i). Both images of each are futures, not
//   their mean, so that the futures of a mirrored scene are the mirrored futures; of an odd K the last one is a mean.
//   Their scores are linear in z_i; with futures_of=scene those of a system are the mean over its objects.
//
// Shapes: N objects, P pairs, T targets, D features, d position features, S samples, J starts, K futures.
// Errors: ConfigError for another task than forecasts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lgode/model/model.h"

namespace lgode::model {

struct FramesRollout;

class Frames : public Model {
 public:
  // Needs shape.frames.
  Frames(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype = at::kFloat,
         at::Device device = at::kCPU);

  std::unique_ptr<Model> fresh() const override;
  std::int64_t latent() const override { return 0; }
  using Model::prepare;
  std::shared_ptr<const Rollout> prepare(const data::Batch& batch, const RolloutOptions& options,
                                         ops::Upload& upload) const override;
  Paths paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
              const Dropout& dropout) const override;

 private:
  void declare(const std::string& name, std::int64_t inputs, std::int64_t hidden, std::int64_t outputs);
  void declare_messages(const std::string& name, std::int64_t sender, std::int64_t inputs);
  // What every object receives, in both images: attention over the messages of the networks `name`. from [N, 2, n],
  // inputs [P, 2, F], distance [P, 1 or 2, 1] -> [N, 2, H]
  at::Tensor receive(const FramesRollout& plan, const std::string& name, const at::Tensor& from,
                     const at::Tensor& inputs, const at::Tensor& distance) const;
  // The same from where objects are in step k. w [n, 2, W]; x, v [n, 2, d] of the state
  at::Tensor receive_now(const FramesRollout& plan, std::size_t k, const at::Tensor& w, const at::Tensor& x,
                         const at::Tensor& v) const;
  // Hidden starts: the mean path's, then those of the futures, if these are wanted.   [N, J, 2, W]
  at::Tensor starts(const FramesRollout& plan, const at::Tensor& z) const;
  // States at the begin of every step, of the objects that still have targets.   [sum of n_k, J, 2, C]
  at::Tensor solve(const FramesRollout& plan, const at::Tensor& z) const;
  at::Tensor solve_moving(const FramesRollout& plan, const at::Tensor& fixed, at::Tensor w) const;
  // Of the mean path and of each future, mirror images turned back.   [sum of n_k, 1 + K, C]
  at::Tensor turned_back(const FramesRollout& plan, const at::Tensor& states) const;
  // [N, K]
  at::Tensor scores(const BatchTensors& batch, const at::Tensor& z) const;

  bool sees_others() const { return options_.neighbours != Neighbours::kNone; }
  std::int64_t pairs_of_futures() const { return (options_.futures + 1) / 2; }

  std::int64_t axes_ = 0, others_ = 0;  // d, scalar features
};

}  // namespace lgode::model
