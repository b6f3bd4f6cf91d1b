// An encoder layer: attention of every observation over the observations, near in time, of its own object and of the
// related ones.
//
//   hat_s = ReLU(W_t [x_s | D] + b_t) + TE(D),   D = t_s - t_t
//   score = (W_k^T hat_s + b_k) . (W_q x_t + b_q) / sqrt(d / heads) + log w,   softmax over all in-edges of t
//   out_t = sum over s of alpha (W_v hat_s + b_v)
// with one set of W_k, b_k, W_v, b_v for sources of the same object (0) and one for others (1).
//
// Shapes: M observations, N objects, P related pairs, d width. Gradients for x and all weights.
// Dtypes: float32, float64 (fused: float32). Devices: CPU, CUDA. Errors: TORCH_CHECK_VALUE.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "lgode/ops/device.h"
#include "lgode/ops/direction.h"
#include "lgode/ops/impl.h"
#include "lgode/ops/upload.h"

namespace lgode::ops {

// The graph as the fused operator on a GPU wants it there.
struct TemporalGraphOnDevice;

// The temporal graph, edges implied. All tensors on the CPU.
struct TemporalGraph {
  at::Tensor times;                // [M] float64, ascending within an object
  at::Tensor observation_offsets;  // [N+1] int64
  at::Tensor system_offsets;       // [B+1] int64: objects of a system; edges never leave it
  at::Tensor source_offsets;       // [N+1] int64: related source objects of a target object
  at::Tensor sources;              // [P] int64, without the object itself
  at::Tensor log_weights;          // [P] float64
  double window = 1.0;
  Direction direction = Direction::kBoth;
  std::shared_ptr<const TemporalGraphOnDevice> on_device;  // by move_to_device(); null: edges are written out there

  // |D| <= window + kWindowMargin is inside: thresholds fall on grid gaps.
  static constexpr double kWindowMargin = 1e-6;
};

struct AttentionWeights {
  at::Tensor w_t, b_t;  // [d, d+1], [d]
  at::Tensor w_q, b_q;  // [d, d], [d]
  at::Tensor w_k, b_k;  // [2, d, d], [2, d]
  at::Tensor w_v, b_v;  // [2, d, d], [2, d]
};

struct AttentionOptions {
  std::int64_t heads = 1;    // divides d
  double frequency = 200.0;  // c of the time encoding
};

// Sets on_device where the upload goes to a GPU and the fused operator is built for it. Padded: x may have rows behind
// the observations, as many as padded_size() says; they get zeros.
void move_to_device(TemporalGraph& graph, Upload& upload, Shapes shapes = Shapes::kExact);
// Whether temporal_attention() is the fused one for float32 x [M, width] and a graph that was moved to `device`.
bool has_fused_attention_on(at::Device device, std::int64_t width, Impl impl);

// x [M, d] -> [M, d].
at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options, Impl impl = Impl::kAuto);

// The edges written out, sorted by target; what the reference works on. Int64 and float64 on the CPU.
struct TemporalEdges {
  at::Tensor source, target;  // [E] observations
  at::Tensor other;           // [E] bool: source and target are of different objects
  at::Tensor gap;             // [E] float64, t_s - t_t
  at::Tensor log_weight;      // [E] float64
  at::Tensor target_offsets;  // [M+1]
};
TemporalEdges temporal_edges(const TemporalGraph& graph);

// Whether the fused kernels are built into this library.
bool has_fused_attention();

namespace reference {
at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options);
}  // namespace reference
namespace cpu {
at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options);
}  // namespace cpu

}  // namespace lgode::ops
