// Binds the kernels of attention_kernel.h to autograd: folds the weights, and does the matrix products before and after
// the edges with ATen.
#include "ops/cuda/temporal_attention.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <vector>

#include "lgode/ops/time_encoding.h"
#include "ops/attention_fold.h"
#include "ops/cuda/attention_kernel.h"
#include "ops/cuda/layer_kernel.h"
#include "ops/tensor_holder.h"

namespace lgode::ops {

struct TemporalGraphOnDevice {
  at::Tensor times;                                             // float64 [M]
  at::Tensor object, observation_offsets;                       // int32
  at::Tensor source_offsets, sources, target_offsets, targets;  // int32
  at::Tensor source_weights, target_weights;                    // float32, log w
  double reach_back = 0, reach_ahead = 0;
};

namespace cuda {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

AttentionProblem describe(const TemporalGraphOnDevice& g, std::int64_t heads, const at::Tensor& rows,
                          const at::Tensor& te, const at::Tensor& slope) {
  AttentionProblem pr;
  pr.observations = static_cast<int>(rows.size(0));
  pr.heads = static_cast<int>(heads);
  pr.stride = static_cast<int>(te.size(1));
  pr.wide = static_cast<int>(rows.size(1));
  pr.narrow = pr.wide - pr.stride;
  pr.reach_back = g.reach_back, pr.reach_ahead = g.reach_ahead;
  pr.times = g.times.data_ptr<double>();
  pr.object = g.object.data_ptr<int>();
  pr.observation_offsets = g.observation_offsets.data_ptr<int>();
  pr.source_offsets = g.source_offsets.data_ptr<int>(), pr.sources = g.sources.data_ptr<int>();
  pr.source_weights = g.source_weights.data_ptr<float>();
  pr.target_offsets = g.target_offsets.data_ptr<int>(), pr.targets = g.targets.data_ptr<int>();
  pr.target_weights = g.target_weights.data_ptr<float>();
  pr.rows = rows.data_ptr<float>(), pr.te = te.data_ptr<float>(), pr.slope = slope.data_ptr<float>();
  return pr;
}

// The work per edge: rows [M, wide], slope [stride], te [M, stride] -> [m | a] [M, narrow]. Gradients for rows and
// slope.
struct AttentionEdges : Function<AttentionEdges> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& rows_in, const at::Tensor& slope_in,
                            const at::Tensor& te, const std::shared_ptr<const TemporalGraphOnDevice>& graph,
                            std::int64_t heads) {
    const c10::cuda::CUDAGuard guard(rows_in.device());
    const at::Tensor rows = rows_in.contiguous(), slope = slope_in.contiguous();
    const AttentionProblem pr = describe(*graph, heads, rows, te, slope);
    const at::Tensor ma = at::empty({rows.size(0), pr.narrow}, rows.options());
    const at::Tensor lse = at::empty({rows.size(0), heads}, rows.options());
    C10_CUDA_CHECK(
        attention_forward(pr, ma.data_ptr<float>(), lse.data_ptr<float>(), at::cuda::getCurrentCUDAStream()));
    ctx->save_for_backward({rows, slope, te, ma, lse, tensor_holder(graph)});
    ctx->saved_data["heads"] = heads;
    return ma;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor &rows = saved[0], &slope = saved[1], &te = saved[2], &ma = saved[3], &lse = saved[4];
    const auto& graph = *static_cast<const TemporalGraphOnDevice*>(saved[5].data_ptr());
    TORCH_CHECK(graph.target_offsets.numel() > 0, "attention: a batch uploaded for prediction has no gradients");
    const c10::cuda::CUDAGuard guard(rows.device());
    const AttentionProblem pr = describe(graph, ctx->saved_data["heads"].toInt(), rows, te, slope);
    const at::Tensor dma = grad[0].contiguous(), drows = at::empty_like(rows), dslope = at::empty_like(te);
    const at::Tensor turned = at::empty({rows.size(0), 4 * pr.heads, pr.stride}, rows.options());
    const at::Tensor mean = at::empty_like(lse);
    C10_CUDA_CHECK(
        attention_backward(pr,
                           {ma.data_ptr<float>(), lse.data_ptr<float>(), dma.data_ptr<float>(), drows.data_ptr<float>(),
                            dslope.data_ptr<float>(), turned.data_ptr<float>(), mean.data_ptr<float>()},
                           at::cuda::getCurrentCUDAStream()));
    return {drows, dslope.sum(0), {}, {}, {}};
  }
};

}  // namespace

std::shared_ptr<const TemporalGraphOnDevice> on_device(const TemporalGraph& g, Upload& upload, Shapes shapes) {
  auto out = std::make_shared<TemporalGraphOnDevice>();
  const double reach = g.window + TemporalGraph::kWindowMargin;
  out->reach_back = g.direction == Direction::kFuture ? 0.0 : reach;
  out->reach_ahead = g.direction == Direction::kPast ? 0.0 : reach;
  const std::int64_t objects = g.observation_offsets.numel() - 1, seen = g.times.numel(), links = g.sources.numel();
  const auto* observations = g.observation_offsets.data_ptr<std::int64_t>();
  const auto* offsets = g.source_offsets.data_ptr<std::int64_t>();
  const auto* sources = g.sources.data_ptr<std::int64_t>();
  const auto* weights = g.log_weights.data_ptr<double>();
  TORCH_CHECK_VALUE(objects >= 0 && observations[0] == 0 && observations[objects] == seen && offsets[0] == 0 &&
                        offsets[objects] == links,
                    "attention: offsets of ", objects, " objects do not cover ", seen, " observations and ", links,
                    " links from the first to the last");
  const std::int64_t rows = size_of(seen, shapes), pairs = size_of(links, shapes);
  out->times = upload.padded<double>(g.times.data_ptr<double>(), seen, rows);
  out->object = upload.written<int>({rows}, [&](int* to) {
    for (std::int64_t i = 0; i < objects; ++i)
      std::fill(to + observations[i], to + observations[i + 1], static_cast<int>(i));
    std::fill(to + seen, to + rows, -1);
  });
  out->observation_offsets = upload.padded<int>(observations, objects + 1, objects + 1);
  out->source_offsets = upload.padded<int>(offsets, objects + 1, objects + 1);
  out->sources = upload.padded<int>(sources, links, pairs);
  out->source_weights = upload.padded<float>(weights, links, pairs);

  std::vector<int> before, targets;  // offsets of each object's targets; only gradients need them
  std::vector<float> target_weights;
  if (upload.purpose() == Purpose::kTraining) {
    before.resize(static_cast<std::size_t>(objects) + 1, 0);
    for (std::int64_t e = 0; e < links; ++e) ++before[sources[e] + 1];
    for (std::int64_t i = 0; i < objects; ++i) before[i + 1] += before[i];
    std::vector<int> next(before.begin(), before.end());
    targets.resize(static_cast<std::size_t>(pairs), 0), target_weights.resize(targets.size(), 0.0F);
    for (std::int64_t i = 0; i < objects; ++i)
      for (std::int64_t e = offsets[i]; e < offsets[i + 1]; ++e) {
        const int at = next[sources[e]]++;
        targets[at] = static_cast<int>(i);
        target_weights[at] = static_cast<float>(weights[e]);
      }
  }
  out->target_offsets = upload(before), out->targets = upload(targets), out->target_weights = upload(target_weights);
  return out;
}

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& w, const TemporalGraph& graph,
                              const AttentionOptions& options) {
  const std::int64_t d = x.size(1), stride = d <= 64 ? 64 : 128, pad = stride - d;
  auto padded = [&](const at::Tensor& t) { return pad == 0 ? t : at::constant_pad_nd(t, {0, pad}); };
  const FoldedAttention folded = fold_attention(w, options.heads, stride);
  const at::Tensor te = padded(time_encoding(graph.on_device->times, d, options.frequency, x.options())).contiguous();
  const at::Tensor rows = at::addmm(folded.b_in, padded(x), folded.w_in);
  const at::Tensor ma = AttentionEdges::apply(rows, folded.slope, te, graph.on_device, options.heads);
  const at::Tensor y = at::mm(ma, folded.w_out);
  return pad == 0 ? y : y.slice(1, 0, d);
}

namespace {

// Of a fused layer: columns of h, of [p | q | c] and of [m | a].
constexpr std::int64_t kLayerWidth = 64, kLayerWide = 208, kLayerNarrow = 144;
constexpr std::int64_t kMostSequenceWidth = 256;

bool needs_no_gradient(const at::Tensor& h) {
  return !at::GradMode::is_enabled() && h.is_cuda() && h.scalar_type() == at::kFloat;
}

RowsProduct describe(const at::Tensor& x, const at::Tensor& weight) {
  RowsProduct p;
  p.rows = static_cast<int>(x.size(0)), p.inputs = static_cast<int>(x.size(1));
  p.outputs = static_cast<int>(weight.size(1));
  p.x = x.data_ptr<float>(), p.weight = weight.data_ptr<float>();
  return p;
}

at::Tensor product(const RowsProduct& p, const at::TensorOptions& options) {
  const at::Tensor y = at::empty({p.rows, p.outputs}, options);
  C10_CUDA_CHECK(rows_product(p, y.data_ptr<float>(), at::cuda::getCurrentCUDAStream()));
  return y;
}

}  // namespace

bool has_attention_layer(const at::Tensor& h, const AttentionOptions& options) {
  return needs_no_gradient(h) && h.size(1) == kLayerWidth && options.heads == 1;
}

at::Tensor attention_layer(const at::Tensor& h_in, const at::Tensor& norm_weight, const at::Tensor& norm_bias,
                           const AttentionWeights& w, const TemporalGraph& graph, const AttentionOptions& options) {
  const c10::cuda::CUDAGuard guard(h_in.device());
  const at::Tensor h = h_in.contiguous(), scale = norm_weight.contiguous(), shift = norm_bias.contiguous();
  const AttentionWeights as_is{w.w_t.contiguous(), w.b_t.contiguous(), w.w_q.contiguous(), w.b_q.contiguous(),
                               w.w_k.contiguous(), w.b_k.contiguous(), w.w_v.contiguous(), w.b_v.contiguous()};
  const at::Tensor w_in = at::empty({kLayerWidth, kLayerWide}, h.options()),
                   b_in = at::empty({kLayerWide}, h.options());
  const at::Tensor w_out = at::empty({kLayerNarrow, kLayerWidth}, h.options());
  const at::Tensor slope = at::empty({kLayerWidth}, h.options());
  C10_CUDA_CHECK(
      fold_layer({as_is.w_t.data_ptr<float>(), as_is.b_t.data_ptr<float>(), as_is.w_q.data_ptr<float>(),
                  as_is.b_q.data_ptr<float>(), as_is.w_k.data_ptr<float>(), as_is.b_k.data_ptr<float>(),
                  as_is.w_v.data_ptr<float>(), as_is.b_v.data_ptr<float>()},
                 {w_in.data_ptr<float>(), b_in.data_ptr<float>(), slope.data_ptr<float>(), w_out.data_ptr<float>()},
                 at::cuda::getCurrentCUDAStream()));
  RowsProduct in = describe(h, w_in);
  in.bias = b_in.data_ptr<float>();
  in.norm_weight = scale.data_ptr<float>(), in.norm_bias = shift.data_ptr<float>();
  const at::Tensor rows = product(in, h.options());
  const at::Tensor te = time_encoding(graph.on_device->times, kLayerWidth, options.frequency, h.options()).contiguous();
  const AttentionProblem pr = describe(*graph.on_device, options.heads, rows, te, slope);
  const at::Tensor ma = at::empty({rows.size(0), pr.narrow}, rows.options());
  const at::Tensor lse = at::empty({rows.size(0), options.heads}, rows.options());
  C10_CUDA_CHECK(attention_forward(pr, ma.data_ptr<float>(), lse.data_ptr<float>(), at::cuda::getCurrentCUDAStream()));
  RowsProduct out = describe(ma, w_out);
  out.residual = h.data_ptr<float>();
  return product(out, h.options());
}

bool has_sequence_attention(const at::Tensor& h, std::int64_t width) {
  return needs_no_gradient(h) && width <= kMostSequenceWidth;
}

at::Tensor sequence_attention(const at::Tensor& h_in, const SequenceWeights& w, const at::Tensor& times_in,
                              const at::Tensor& offsets_in, double frequency) {
  const c10::cuda::CUDAGuard guard(h_in.device());
  const std::int64_t d = h_in.size(1), width = w.b_t.size(0);
  const at::Tensor h = h_in.contiguous(), times = times_in.contiguous(), offsets = offsets_in.contiguous();
  const at::Tensor weight = w.w_t.slice(1, 0, d).t().contiguous();  // [d, u]
  const at::Tensor slope = w.w_t.select(1, d).contiguous(), bias = w.b_t.contiguous();
  const at::Tensor hat = has_rows_product(static_cast<int>(d), static_cast<int>(width))
                             ? product(describe(h, weight), h.options())
                             : at::mm(h, weight);
  SequenceProblem p;
  p.objects = static_cast<int>(offsets.numel()) - 1, p.width = static_cast<int>(width);
  p.offsets = offsets.data_ptr<std::int64_t>(), p.times = times.data_ptr<double>();
  p.slope = slope.data_ptr<float>(), p.bias = bias.data_ptr<float>();
  p.frequency = frequency;
  const at::Tensor mean = at::empty({p.objects, width}, h.options()), u = at::empty_like(mean);
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  C10_CUDA_CHECK(sequence_hat(p, hat.data_ptr<float>(), mean.data_ptr<float>(), stream));
  // Eq. 6: a_i = tanh(W_a mean(hat))
  const at::Tensor a = at::tanh(at::linear(mean, w.w_a)).contiguous();
  C10_CUDA_CHECK(sequence_gate(p, hat.data_ptr<float>(), a.data_ptr<float>(), u.data_ptr<float>(), stream));
  return u;
}

}  // namespace cuda
}  // namespace lgode::ops
