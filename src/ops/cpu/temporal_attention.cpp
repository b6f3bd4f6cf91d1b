// The fused encoder layer on the CPU. Everything that is linear in a node is folded into products over nodes:
//   p = W_h x + b_t,   q^y = W_k^yT (W_q x + b_q) / sqrt(d/heads),   c^y = b_k^y . (W_q x + b_q) / sqrt(d/heads)
//   out = sum_y W_v^y m^y + a^y b_v^y
// so that an edge costs O(d) and is never stored. The kernel supplies m and a with their gradients.
#include "lgode/ops/temporal_attention.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

#include "attention_kernel.h"
#include "lgode/ops/time_encoding.h"

namespace lgode::ops {

bool has_fused_attention() { return true; }
const char* simd_name() { return cpu::simd_name(); }

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

AttentionProblem describe(const TemporalGraph& g, std::int64_t heads, const at::Tensor& p, const at::Tensor& te,
                          const at::Tensor& slope, const at::Tensor& q, const at::Tensor& c) {
  const double reach = g.window + TemporalGraph::kWindowMargin;
  AttentionProblem pr;
  pr.systems = g.system_offsets.numel() - 1;
  pr.system_offsets = g.system_offsets.data_ptr<std::int64_t>();
  pr.observation_offsets = g.observation_offsets.data_ptr<std::int64_t>();
  pr.source_offsets = g.source_offsets.data_ptr<std::int64_t>();
  pr.sources = g.sources.data_ptr<std::int64_t>();
  pr.log_weights = g.log_weights.data_ptr<double>();
  pr.times = g.times.data_ptr<double>();
  pr.reach_back = g.direction == Direction::kFuture ? 0.0 : reach;
  pr.reach_ahead = g.direction == Direction::kPast ? 0.0 : reach;
  pr.heads = heads;
  pr.stride = p.size(1);
  pr.p = p.data_ptr<float>();
  pr.te = te.data_ptr<float>();
  pr.slope = slope.data_ptr<float>();
  pr.q = q.data_ptr<float>();
  pr.c = c.data_ptr<float>();
  return pr;
}

// Inputs p [M, stride], slope [stride], q [M, G, stride], c [M, G]; outputs m [M, G, stride], a [M, G].
struct AttentionCore : Function<AttentionCore> {
  static variable_list forward(AutogradContext* ctx, const at::Tensor& p_in, const at::Tensor& slope_in,
                               const at::Tensor& q_in, const at::Tensor& c_in, const at::Tensor& te,
                               const std::shared_ptr<const TemporalGraph>& graph) {
    const at::Tensor p = p_in.contiguous(), slope = slope_in.contiguous(), q = q_in.contiguous(), c = c_in.contiguous();
    const std::int64_t heads = q.size(1) / 2;
    at::Tensor m = at::empty_like(q), a = at::empty_like(c), lse = at::empty({p.size(0), heads}, p.options());
    const AttentionProblem pr = describe(*graph, heads, p, te, slope, q, c);
    at::parallel_for(0, pr.systems, 1, [&](std::int64_t first, std::int64_t last) {
      attention_forward(pr, first, last, m.data_ptr<float>(), a.data_ptr<float>(), lse.data_ptr<float>());
    });
    ctx->save_for_backward({p, slope, q, c, te, lse, graph->times, graph->observation_offsets, graph->system_offsets,
                            graph->source_offsets, graph->sources, graph->log_weights});
    ctx->saved_data["window"] = graph->window;
    ctx->saved_data["direction"] = static_cast<std::int64_t>(graph->direction);
    return {m, a};
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor &p = saved[0], &slope = saved[1], &q = saved[2], &c = saved[3], &te = saved[4], &lse = saved[5];
    TemporalGraph graph{saved[6], saved[7], saved[8], saved[9], saved[10], saved[11]};
    graph.window = ctx->saved_data["window"].toDouble();
    graph.direction = static_cast<Direction>(ctx->saved_data["direction"].toInt());
    const at::Tensor dm = grad[0].defined() ? grad[0].contiguous() : at::zeros_like(q);
    const at::Tensor da = grad[1].defined() ? grad[1].contiguous() : at::zeros_like(c);
    at::Tensor dp = at::zeros_like(p), dq = at::empty_like(q), dc = at::empty_like(c);
    const AttentionProblem pr = describe(graph, q.size(1) / 2, p, te, slope, q, c);
    at::Tensor dslope = at::zeros({pr.systems, pr.stride}, p.options());
    const AttentionGradient gr{lse.data_ptr<float>(), dm.data_ptr<float>(),     da.data_ptr<float>(),
                               dp.data_ptr<float>(),  dslope.data_ptr<float>(), dq.data_ptr<float>(),
                               dc.data_ptr<float>()};
    at::parallel_for(0, pr.systems, 1,
                     [&](std::int64_t first, std::int64_t last) { attention_backward(pr, first, last, gr); });
    return {dp, dslope.sum(0), dq, dc, {}, {}};
  }
};

}  // namespace

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& w, const TemporalGraph& graph,
                              const AttentionOptions& options) {
  const std::int64_t observations = x.size(0), d = x.size(1), heads = options.heads, width = d / heads;
  const std::int64_t pad = padded_width(d) - d;
  auto padded = [&](const at::Tensor& t) { return pad == 0 ? t : at::constant_pad_nd(t, {0, pad}); };

  const at::Tensor p = at::linear(x, w.w_t.slice(1, 0, d), w.b_t);
  const double scale = 1.0 / std::sqrt(static_cast<double>(width));
  const at::Tensor query = at::linear(x, w.w_q, w.b_q) * scale;
  // Per head and type: rows of W_k that make the head's keys.  [M, G, d]
  std::vector<at::Tensor> q, c;
  for (std::int64_t h = 0; h < heads; ++h) {
    const at::Tensor part = query.slice(1, h * width, (h + 1) * width);
    for (std::int64_t y = 0; y < 2; ++y) {
      q.push_back(at::matmul(part, w.w_k[y].slice(0, h * width, (h + 1) * width)));
      c.push_back(at::mv(part, w.b_k[y].slice(0, h * width, (h + 1) * width)));
    }
  }
  const at::Tensor te = padded(time_encoding(graph.times, d, options.frequency, x.options())).contiguous();
  const variable_list core = AttentionCore::apply(padded(p), padded(w.w_t.select(1, d)), padded(at::stack(q, 1)),
                                                  at::stack(c, 1), te, std::make_shared<const TemporalGraph>(graph));
  const at::Tensor m = core[0].slice(2, 0, d);
  const at::Tensor& a = core[1];
  std::vector<at::Tensor> out;
  for (std::int64_t h = 0; h < heads; ++h) {
    at::Tensor sum;
    for (std::int64_t y = 0; y < 2; ++y) {
      const at::Tensor wv = w.w_v[y].slice(0, h * width, (h + 1) * width);
      const at::Tensor part = at::matmul(m.select(1, 2 * h + y), wv.t()) +
                              a.select(1, 2 * h + y).unsqueeze(1) * w.b_v[y].slice(0, h * width, (h + 1) * width);
      sum = y == 0 ? part : sum + part;
    }
    out.push_back(sum);
  }
  return heads == 1 ? out[0] : at::cat(out, 1).view({observations, d});
}

}  // namespace cpu
}  // namespace lgode::ops
