// Stands in for the GPU's operators where LibTorch has no CUDA.
#include "lgode/ops/device.h"
#include "ops/cuda/graph_rk.h"
#include "ops/cuda/segment.h"
#include "ops/cuda/temporal_attention.h"

namespace lgode::ops {

int gpu_count() { return 0; }
std::string gpu_name(at::Device) { return "none"; }

struct Upload::State {};
Upload::Upload(at::Device) {}
Upload::~Upload() = default;

struct DeviceMark::State {};
DeviceMark::DeviceMark(at::Device) {}
void DeviceMark::wait() const {}

}  // namespace lgode::ops

namespace lgode::ops::cuda {

std::shared_ptr<const GraphTiles> make_tiles(const PairGraph&, const ode::StepPlan&, at::Device) { return nullptr; }

bool can_solve_graph(const at::Tensor&, const DynamicsWeights&, const PairGraph&, const ode::Tableau&, ode::Gradient) {
  return false;
}

ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule) {
  return ode::solve(make_graph_field(weights, pairs), z0, plan, rule);
}

std::shared_ptr<const TemporalGraphOnDevice> on_device(const TemporalGraph&, at::Device) { return nullptr; }

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options) {
  return reference::temporal_attention(x, weights, graph, options);
}

at::Tensor segment_sum(const at::Tensor&, const at::Tensor&) { TORCH_CHECK(false, "built without CUDA"); }
at::Tensor segment_expand(const at::Tensor&, const at::Tensor&, std::int64_t) {
  TORCH_CHECK(false, "built without CUDA");
}
at::Tensor dropout_mask(const at::Tensor&, const at::Tensor&, double, at::Device) {
  TORCH_CHECK(false, "built without CUDA");
}

}  // namespace lgode::ops::cuda
