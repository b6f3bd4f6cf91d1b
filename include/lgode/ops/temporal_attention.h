// The attention of an encoder layer (Eq. 5 and the sum of Eq. 4): every observation attends to observations near in
// time, of its own object and of related objects.
//
//   hat_s = ReLU(W_t [x_s | D] + b_t) + TE(D),   D = t_s - t_t
//   score = (W_k hat_s + b_k) . (W_q x_t + b_q) / sqrt(d / heads) + log w,   alpha: softmax over all edges into t
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

// The graph in device memory, as the fused operator on a GPU reads it.
struct TemporalGraphOnDevice;

// The temporal graph. Edges are not stored: they follow from objects, relations, times and window. All tensors are on
// the CPU.
struct TemporalGraph {
  at::Tensor times;                // [M] float64, ascending within an object
  at::Tensor observation_offsets;  // [N+1] int64
  at::Tensor system_offsets;       // [B+1] int64: objects of each system; edges connect objects of one system only
  at::Tensor source_offsets;       // [N+1] int64: related source objects of each target object
  at::Tensor sources;              // [P] int64, without the object itself
  at::Tensor log_weights;          // [P] float64
  double window = 1.0;
  Direction direction = Direction::kBoth;
  std::shared_ptr<const TemporalGraphOnDevice>
      on_device;  // set by move_to_device(); without it a GPU uses the reference

  // An edge exists if |D| <= window + kWindowMargin: on a regular grid of times gaps equal the window up to rounding.
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

// Sets on_device if the upload goes to a GPU and the fused operator is built for it. Padded: x has padded_size(M) rows;
// the output of rows after the observations is zero.
void move_to_device(TemporalGraph& graph, Upload& upload, Shapes shapes = Shapes::kExact);
// Whether temporal_attention() is fused for float32 x [M, width] and a graph on `device`.
bool has_fused_attention_on(at::Device device, std::int64_t width, Impl impl);

// x [M, d] -> [M, d].
at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options, Impl impl = Impl::kAuto);
// h + ReLU(temporal_attention(layer_norm(h))), Eq. 4 without dropout. On a GPU and without gradients fused for d = 64
// and one head. norm_weight, norm_bias [d].
at::Tensor attention_layer(const at::Tensor& h, const at::Tensor& norm_weight, const at::Tensor& norm_bias,
                           const AttentionWeights& weights, const TemporalGraph& graph, const AttentionOptions& options,
                           Impl impl = Impl::kAuto);

// The edges as lists, sorted by target, on the CPU; int64 unless stated otherwise.
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
