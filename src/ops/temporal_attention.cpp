// Checks the arguments of temporal_attention and picks the implementation.
#include "lgode/ops/temporal_attention.h"

#include "lgode/ops/layer_norm.h"
#include "ops/cuda/temporal_attention.h"

namespace lgode::ops {
namespace {

constexpr std::int64_t kMaxFusedWidth = 128;  // wider rows do not fit into registers

bool fits(std::int64_t width) { return width % 2 == 0 && width <= kMaxFusedWidth; }

void check(const at::Tensor& x, const AttentionWeights& w, const TemporalGraph& g, const AttentionOptions& options) {
  TORCH_CHECK_VALUE(x.dim() == 2, "temporal_attention: expected x [M, d], got ", x.sizes());
  const std::int64_t d = x.size(1);
  TORCH_CHECK_VALUE(options.heads >= 1 && d % options.heads == 0, "temporal_attention: ", options.heads,
                    " heads do not divide the width ", d);
  auto expect = [](const char* name, const at::Tensor& t, at::IntArrayRef shape) {
    TORCH_CHECK_VALUE(t.sizes() == shape, "temporal_attention: expected ", name, " ", shape, ", got ", t.sizes());
  };
  expect("w_t", w.w_t, {d, d + 1});
  expect("b_t", w.b_t, {d});
  expect("w_q", w.w_q, {d, d});
  expect("b_q", w.b_q, {d});
  expect("w_k", w.w_k, {2, d, d});
  expect("b_k", w.b_k, {2, d});
  expect("w_v", w.w_v, {2, d, d});
  expect("b_v", w.b_v, {2, d});
  TORCH_CHECK_VALUE(g.times.dim() == 1 && (g.times.numel() == x.size(0) ||
                                           (g.on_device != nullptr && padded_size(g.times.numel()) == x.size(0))),
                    "temporal_attention: expected times [", x.size(0), "], got ", g.times.sizes());
  const std::int64_t objects = g.observation_offsets.numel() - 1;
  TORCH_CHECK_VALUE(objects >= 0 && g.source_offsets.numel() == objects + 1 && g.system_offsets.numel() >= 1,
                    "temporal_attention: offsets of observations, sources and systems disagree");
  TORCH_CHECK_VALUE(g.log_weights.numel() == g.sources.numel(), "temporal_attention: expected one weight per source");
}

}  // namespace

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options, Impl impl) {
  check(x, weights, graph, options);
  const bool shape = x.scalar_type() == at::kFloat && fits(x.size(1));
  const bool on_cpu = shape && has_fused_attention() && x.is_cpu();
  const bool on_gpu = shape && x.is_cuda() && graph.on_device != nullptr;
  TORCH_CHECK_VALUE(impl != Impl::kFused || on_cpu || on_gpu,
                    "temporal_attention: the fused operator needs float32 and an even width up to 128; on the CPU a "
                    "build with Highway, on a GPU a graph that was moved there");
  if (impl != Impl::kReference && on_cpu) return cpu::temporal_attention(x, weights, graph, options);
  if (impl != Impl::kReference && on_gpu) return cuda::temporal_attention(x, weights, graph, options);
  return reference::temporal_attention(x, weights, graph, options);
}

at::Tensor attention_layer(const at::Tensor& h, const at::Tensor& norm_weight, const at::Tensor& norm_bias,
                           const AttentionWeights& weights, const TemporalGraph& graph, const AttentionOptions& options,
                           Impl impl) {
  if (impl != Impl::kReference && graph.on_device != nullptr && cuda::has_attention_layer(h, options)) {
    check(h, weights, graph, options);
    return cuda::attention_layer(h, norm_weight, norm_bias, weights, graph, options);
  }
  return h + at::relu(temporal_attention(layer_norm(h, norm_weight, norm_bias), weights, graph, options, impl));
}

void move_to_device(TemporalGraph& graph, Upload& upload, Shapes shapes) {
  graph.on_device = upload.device().is_cpu() ? nullptr : cuda::on_device(graph, upload, shapes);
}

bool has_fused_attention_on(at::Device device, std::int64_t width, Impl impl) {
  return impl != Impl::kReference && fits(width) && (device.is_cpu() ? has_fused_attention() : gpu_count() > 0);
}

}  // namespace lgode::ops
