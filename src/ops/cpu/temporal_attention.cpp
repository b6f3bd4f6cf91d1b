// The fused encoder layer on the CPU. The kernel of attention_kernel.h does all work per observation; autograd carries
// the gradients of the folded weights on to the layer's own.
#include "lgode/ops/temporal_attention.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "lgode/ops/time_encoding.h"
#include "ops/attention_fold.h"
#include "ops/cpu/attention_kernel.h"
#include "ops/cpu/panels.h"
#include "ops/parallel.h"

namespace lgode::ops {

bool has_fused_attention() { return true; }

namespace cpu {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

std::int64_t padded_width(std::int64_t d) {
  std::int64_t stride = 16;
  while (stride < d) stride *= 2;
  return stride;
}

std::vector<float> panels_of(const MatrixView& matrix) {
  std::vector<float> to(static_cast<std::size_t>(matrix.rows * matrix.columns));
  write_panels(matrix, matrix.rows, matrix.columns, 0, 0, to.data());
  return to;
}

// x [M, stride] -> [M, stride]. w_in [stride, wide], b_in [wide], slope [stride], w_out [narrow, stride].
struct AttentionLayer : Function<AttentionLayer> {
  // Owns the data that the problem of a call points to.
  struct Call {
    Call(const variable_list& inputs, const at::Tensor& te, const TemporalGraph& g, std::int64_t heads, bool gradient)
        : x(inputs[0].contiguous()), b_in(inputs[2].contiguous()), slope(inputs[3].contiguous()) {
      const at::Tensor w_in = inputs[1].contiguous(), w_out = inputs[4].contiguous();
      const MatrixView view_in{w_in.data_ptr<float>(), w_in.size(0), w_in.size(1), w_in.size(1)};
      const MatrixView view_out{w_out.data_ptr<float>(), w_out.size(0), w_out.size(1), w_out.size(1)};
      in = panels_of(view_in);
      if (gradient)
        in_transposed = panels_of(view_in.transposed()), out_transposed = panels_of(view_out.transposed());
      else
        out = panels_of(view_out);
      const double reach = g.window + TemporalGraph::kWindowMargin;
      problem.systems = g.system_offsets.numel() - 1;
      problem.system_offsets = g.system_offsets.data_ptr<std::int64_t>();
      problem.observation_offsets = g.observation_offsets.data_ptr<std::int64_t>();
      problem.source_offsets = g.source_offsets.data_ptr<std::int64_t>();
      problem.sources = g.sources.data_ptr<std::int64_t>();
      problem.log_weights = g.log_weights.data_ptr<double>();
      problem.times = g.times.data_ptr<double>();
      problem.reach_back = g.direction == Direction::kFuture ? 0.0 : reach;
      problem.reach_ahead = g.direction == Direction::kPast ? 0.0 : reach;
      problem.heads = heads;
      problem.stride = x.size(1);
      problem.x = x.data_ptr<float>();
      problem.te = te.data_ptr<float>();
      problem.slope = slope.data_ptr<float>();
      problem.in = in.data(), problem.in_transposed = in_transposed.data();
      problem.in_bias = b_in.data_ptr<float>();
      problem.out = out.data(), problem.out_transposed = out_transposed.data();
    }
    at::Tensor x, b_in, slope;
    std::vector<float> in, in_transposed, out, out_transposed;
    AttentionProblem problem;
  };

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& w_in, const at::Tensor& b_in,
                            const at::Tensor& slope, const at::Tensor& w_out, const at::Tensor& te,
                            const TemporalGraph& graph, std::int64_t heads) {
    const Call call({x, w_in, b_in, slope, w_out}, te, graph, heads, /*gradient=*/false);
    const AttentionProblem& pr = call.problem;
    const at::Tensor y = at::empty_like(call.x), ma = at::empty({x.size(0), pr.narrow()}, x.options()),
                     lse = at::empty({x.size(0), heads}, x.options());
    parallel_for(0, pr.systems, 1, [&](std::int64_t first, std::int64_t last) {
      attention_forward(pr, first, last, y.data_ptr<float>(), ma.data_ptr<float>(), lse.data_ptr<float>());
    });
    ctx->save_for_backward({x, w_in, b_in, slope, w_out, te, ma, lse, graph.times, graph.observation_offsets,
                            graph.system_offsets, graph.source_offsets, graph.sources, graph.log_weights});
    ctx->saved_data["window"] = graph.window;
    ctx->saved_data["direction"] = static_cast<std::int64_t>(graph.direction);
    ctx->saved_data["heads"] = heads;
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    TemporalGraph graph;
    graph.times = saved[8], graph.observation_offsets = saved[9], graph.system_offsets = saved[10];
    graph.source_offsets = saved[11], graph.sources = saved[12], graph.log_weights = saved[13];
    graph.window = ctx->saved_data["window"].toDouble();
    graph.direction = static_cast<Direction>(ctx->saved_data["direction"].toInt());
    const Call call({saved[0], saved[1], saved[2], saved[3], saved[4]}, saved[5], graph,
                    ctx->saved_data["heads"].toInt(), /*gradient=*/true);
    const AttentionProblem& pr = call.problem;
    const at::Tensor dy = grad[0].contiguous(), dx = at::empty_like(call.x);

    // One set of weight gradients per share of the systems, added up in order: the same bits for the same number of
    // threads.
    const std::int64_t shares =
        std::clamp<std::int64_t>(at::get_num_threads(), 1, std::max<std::int64_t>(pr.systems, 1));
    auto zeros = [&](const at::Tensor& like) {
      std::vector<std::int64_t> shape = like.sizes().vec();
      shape.insert(shape.begin(), shares);
      return at::zeros(shape, like.options());
    };
    const at::Tensor din = zeros(saved[1]), dbias = zeros(saved[2]), dslope = zeros(saved[3]), dout = zeros(saved[4]);
    parallel_for(0, shares, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t share = begin; share < end; ++share)
        attention_backward(pr, share * pr.systems / shares, (share + 1) * pr.systems / shares,
                           {saved[6].data_ptr<float>(), saved[7].data_ptr<float>(), dy.data_ptr<float>(),
                            dx.data_ptr<float>(), din[share].data_ptr<float>(), dbias[share].data_ptr<float>(),
                            dslope[share].data_ptr<float>(), dout[share].data_ptr<float>()});
    });
    return {dx, din.sum(0), dbias.sum(0), dslope.sum(0), dout.sum(0), {}, {}, {}};
  }
};

}  // namespace

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& w, const TemporalGraph& graph,
                              const AttentionOptions& options) {
  const std::int64_t d = x.size(1), stride = padded_width(d), pad = stride - d;
  auto padded = [&](const at::Tensor& t) { return pad == 0 ? t : at::constant_pad_nd(t, {0, pad}); };
  const FoldedAttention folded = fold_attention(w, options.heads, stride);
  const at::Tensor te = padded(time_encoding(graph.times, d, options.frequency, x.options())).contiguous();
  const at::Tensor y =
      AttentionLayer::apply(padded(x), folded.w_in, folded.b_in, folded.slope, folded.w_out, te, graph, options.heads);
  return pad == 0 ? y : y.slice(1, 0, d);
}

}  // namespace cpu
}  // namespace lgode::ops
