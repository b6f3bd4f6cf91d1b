// Replaces the GPU operators in a build without CUDA: there are no GPUs, so most of these are never called.
#include "lgode/ops/device.h"
#include "ops/cuda/graph_rk.h"
#include "ops/cuda/row_operators.h"
#include "ops/cuda/segment.h"
#include "ops/cuda/temporal_attention.h"

namespace lgode::ops {

int gpu_count() { return 0; }
std::string gpu_name(at::Device) { return "none"; }
std::string gpu_id(at::Device) { return ""; }
std::int64_t gpu_memory(at::Device) { return 0; }

void copy_all(const std::vector<at::Tensor>&, const std::vector<at::Tensor>&) {}

struct Lane::State {};
Lane::Lane(at::Device) {}

struct LaneScope::State {};
LaneScope::LaneScope(const Lane&) {}
LaneScope::~LaneScope() = default;

struct Queue::State {};
Queue::Queue(at::Device) {}
Queue::Queue(const Lane&) {}
Queue::~Queue() = default;

struct CaptureMemory::State {};
CaptureMemory::CaptureMemory() = default;
const CaptureMemory& CaptureMemory::of_process() {
  static const CaptureMemory memory;
  return memory;
}

struct CapturedWork::State {};
CapturedWork::CapturedWork(at::Device, const std::function<void()>&, const CaptureMemory&) {
  TORCH_CHECK(false, "built without CUDA");
}
CapturedWork::~CapturedWork() = default;
CapturedWork::CapturedWork(CapturedWork&&) noexcept = default;
CapturedWork& CapturedWork::operator=(CapturedWork&&) noexcept = default;
void CapturedWork::replay() {}

struct DeviceMark::State {};
DeviceMark::DeviceMark(at::Device) {}
void DeviceMark::wait() const {}

}  // namespace lgode::ops

namespace lgode::ops::cuda {

std::shared_ptr<const GraphTiles> make_tiles(const PairGraph&, const ode::StepPlan&, Upload&, Shapes, const FieldSize&,
                                             const Events*, const SolveKind&) {
  return nullptr;
}

bool has_solve(at::Device, const GraphSize&, const GraphTiles*, const ode::Tableau&, const SolveKind&) { return false; }

ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule, const SolveKind& /*kind*/,
                            const at::Tensor& /*keep*/, const at::Tensor& /*add*/) {
  return ode::solve(make_graph_field(weights, pairs), z0, plan, rule);
}

std::shared_ptr<const TemporalGraphOnDevice> on_device(const TemporalGraph&, Upload&, Shapes) { return nullptr; }

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options) {
  return reference::temporal_attention(x, weights, graph, options);
}

bool has_attention_layer(const at::Tensor&, const AttentionOptions&) { return false; }
at::Tensor attention_layer(const at::Tensor&, const at::Tensor&, const at::Tensor&, const AttentionWeights&,
                           const TemporalGraph&, const AttentionOptions&) {
  TORCH_CHECK(false, "built without CUDA");
}
bool has_sequence_attention(const at::Tensor&, std::int64_t) { return false; }
at::Tensor sequence_attention(const at::Tensor&, const SequenceWeights&, const at::Tensor&, const at::Tensor&, double) {
  TORCH_CHECK(false, "built without CUDA");
}

bool has_layer_norm(const at::Tensor&) { return false; }
at::Tensor layer_norm(const at::Tensor&, const at::Tensor&, const at::Tensor&) {
  TORCH_CHECK(false, "built without CUDA");
}
at::Tensor read(const at::Tensor&, const at::Tensor&, const LocatedReadings&, std::int64_t) {
  TORCH_CHECK(false, "built without CUDA");
}
at::Tensor read_places(const at::Tensor&, const at::Tensor&, const at::Tensor&, std::int64_t) {
  TORCH_CHECK(false, "built without CUDA");
}

at::Tensor segment_max(const at::Tensor&, const at::Tensor&) { TORCH_CHECK(false, "built without CUDA"); }
at::Tensor segment_sum(const at::Tensor&, const at::Tensor&) { TORCH_CHECK(false, "built without CUDA"); }
at::Tensor segment_expand(const at::Tensor&, const at::Tensor&, std::int64_t) {
  TORCH_CHECK(false, "built without CUDA");
}
at::Tensor time_encoding(const at::Tensor&, std::int64_t, double, at::ScalarType) {
  TORCH_CHECK(false, "built without CUDA");
}
at::Tensor dropout_mask(const at::Tensor&, const at::Tensor&, std::int64_t, double) {
  TORCH_CHECK(false, "built without CUDA");
}

}  // namespace lgode::ops::cuda
