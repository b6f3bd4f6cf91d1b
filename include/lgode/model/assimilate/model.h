// The assimilating model: a graph ODE whose state holds the features and hidden coordinates, and is corrected
// by every observation of the context (docs/assimilation.md). AssimilationCell has the equations.
//
//   interpolation               z(start) from the posterior of Eq. 7; between observations the path is bridged
//                               (bridge.h)
//   extrapolation               an object enters with its first observation; at the start of the forecast the
//                               posterior of all observations adds to w. Nothing depends on later observations
//   targets                     one within kSameTime of an observation of its object is read at its time, after
//                               the jump: there with g = 1 the path is the observation
//
// Before training the trajectory is a classical one: ModelShape::base's or, without a base path, cubic Hermite or the
// line between observations, constant velocity or hold after them.
//
// Shapes: as in AssimilationCell; S samples.
#pragma once

#include <memory>

#include "lgode/model/assimilate/cell.h"
#include "lgode/model/assimilate/timeline.h"
#include "lgode/model/latent_futures.h"
#include "lgode/model/model.h"

namespace lgode::model {

struct AssimilatingRollout;

class Assimilate : public Model {
 public:
  Assimilate(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed,
             at::ScalarType dtype = at::kFloat, at::Device device = at::kCPU);

  using Model::dropout;
  using Model::prepare;
  using Model::tensors;

  std::unique_ptr<Model> fresh() const override;
  bool takes_padded(ops::Precision precision) const override;
  BatchTensors tensors(data::Batch batch, ops::Shapes shapes, ops::Upload& upload) const override;
  std::int64_t latent() const override { return options_.latent; }
  Dropout dropout(const BatchTensors& batch, const DropoutKey& key, ops::Upload& upload) const override;
  std::shared_ptr<const Rollout> prepare(const data::Batch& batch, const RolloutOptions& options,
                                         ops::Upload& upload) const override;
  Paths paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
              const Dropout& dropout) const override;
  void leave_base() override;

 private:
  // Of all jumps, [J, Z]: of the observations and, in a forecast, of the posterior. gain [M, D], zeta [S*N, L]
  AssimilationCell::Jump jumps(const AssimilatingRollout& plan, const at::Tensor& gain, const Encoding& encoding,
                               const at::Tensor& zeta) const;

  AssimilationCell cell_;
  LatentFutures futures_;
};

}  // namespace lgode::model
