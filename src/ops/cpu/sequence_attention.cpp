// The fused sequence attention on the CPU: pads and packs the weights, runs sequence_kernel.h on all threads and adds
// up their weight gradients.
#include "lgode/ops/sequence_attention.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <vector>

#include "lgode/ops/time_encoding.h"
#include "ops/cpu/panels.h"
#include "ops/cpu/sequence_kernel.h"
#include "ops/parallel.h"

namespace lgode::ops::cpu {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// Appends zero columns up to a multiple of 16.
at::Tensor padded_columns(const at::Tensor& x) {
  const std::int64_t missing = padded16(x.size(1)) - x.size(1);
  return missing == 0 ? x.contiguous() : at::constant_pad_nd(x, {0, missing});
}

std::vector<float> panels_of(const MatrixView& from) {
  std::vector<float> to(static_cast<std::size_t>(padded16(from.rows) * padded16(from.columns)), 0.0F);
  write_panels(from, padded16(from.rows), padded16(from.columns), 0, 0, to.data());
  return to;
}

// Owns the data that the problem of a call points to.
struct Call {
  Call(const variable_list& inputs, const at::Tensor& time, const at::Tensor& offset, double frequency, bool gradient)
      : times(time),
        offsets(offset),
        h(padded_columns(inputs[0])),
        w_t(inputs[1].contiguous()),
        w_a(inputs[3].contiguous()),
        te(padded_columns(time_encoding(time, w_t.size(0), frequency, h.options()))) {
    const std::int64_t u = w_t.size(0), d = w_t.size(1) - 1;
    // w_t is stored outputs by inputs: the product h W needs its transpose.
    const MatrixView transposed{w_t.data_ptr<float>(), u, d, d + 1}, v_transposed{w_a.data_ptr<float>(), u, u, u};
    w = panels_of(transposed.transposed()), v = panels_of(v_transposed.transposed());
    if (gradient) wt = panels_of(transposed), vt = panels_of(v_transposed);
    const at::Tensor b_t = inputs[2].contiguous();
    bias.assign(b_t.data_ptr<float>(), b_t.data_ptr<float>() + u);
    bias.resize(static_cast<std::size_t>(padded16(u)), 0.0F);
    slope.assign(bias.size(), 0.0F);
    for (std::int64_t c = 0; c < u; ++c) slope[c] = w_t.data_ptr<float>()[c * (d + 1) + d];
    problem.in = padded16(d), problem.out = padded16(u);
    problem.offsets = offsets.data_ptr<std::int64_t>(), problem.times = times.data_ptr<double>();
    problem.h = h.data_ptr<float>(), problem.te = te.data_ptr<float>();
    problem.w = w.data(), problem.bias = bias.data(), problem.slope = slope.data(), problem.v = v.data();
    problem.w_transposed = wt.data(), problem.v_transposed = vt.data();
  }
  std::int64_t objects() const { return offsets.numel() - 1; }

  at::Tensor times, offsets, h, w_t, w_a, te;
  std::vector<float> w, v, wt, vt, bias, slope;
  SequenceProblem problem;
};

// h [M, d], w_t [u, d+1], b_t [u], w_a [u, u] -> [N, u]
struct SequenceAttention : Function<SequenceAttention> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& h, const at::Tensor& w_t, const at::Tensor& b_t,
                            const at::Tensor& w_a, const at::Tensor& times, const at::Tensor& offsets,
                            double frequency) {
    const Call call({h, w_t, b_t, w_a}, times, offsets, frequency, /*gradient=*/false);
    const at::Tensor out = at::empty({call.objects(), call.problem.out}, h.options()), mean = at::empty_like(out),
                     a = at::empty_like(out);
    parallel_for(0, call.objects(), 1, [&](std::int64_t first, std::int64_t last) {
      sequence_forward(call.problem, first, last, out.data_ptr<float>(), mean.data_ptr<float>(), a.data_ptr<float>());
    });
    ctx->save_for_backward({h, w_t, b_t, w_a, times, offsets, mean, a});
    ctx->saved_data["frequency"] = frequency;
    return out.size(1) == w_t.size(0) ? out : out.slice(1, 0, w_t.size(0)).contiguous();
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    const Call call({saved[0], saved[1], saved[2], saved[3]}, saved[4], saved[5],
                    ctx->saved_data["frequency"].toDouble(), /*gradient=*/true);
    const SequenceProblem& pr = call.problem;
    const at::Tensor du = padded_columns(grad[0]), dh = at::empty_like(call.h);

    // One set of weight gradients per share of the objects, added up in order: the same bits for the same number of
    // threads. Each is [dw | dbias | dslope | dv].
    const std::int64_t objects = call.objects();
    const std::int64_t shares = std::clamp<std::int64_t>(at::get_num_threads(), 1, std::max<std::int64_t>(objects, 1));
    const std::int64_t bias_at = pr.in * pr.out, slope_at = bias_at + pr.out, v_at = slope_at + pr.out,
                       total = v_at + pr.out * pr.out;
    const at::Tensor dweights = at::zeros({shares, total}, dh.options());
    parallel_for(0, shares, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t share = begin; share < end; ++share) {
        float* to = dweights.data_ptr<float>() + share * total;
        sequence_backward(pr, share * objects / shares, (share + 1) * objects / shares,
                          {saved[6].data_ptr<float>(), saved[7].data_ptr<float>(), du.data_ptr<float>(),
                           dh.data_ptr<float>(), to, to + bias_at, to + slope_at, to + v_at});
      }
    });
    const at::Tensor sum = dweights.sum(0);
    const std::int64_t d = saved[0].size(1), u = saved[1].size(0);
    auto part = [&](std::int64_t at, std::int64_t rows, std::int64_t columns) {  // [columns, rows]
      return sum.as_strided({rows, columns}, {pr.out, 1}, at).t();
    };
    return {dh.slice(1, 0, d),
            at::cat({part(0, d, u), part(slope_at, 1, u)}, 1),
            sum.slice(0, bias_at, bias_at + u),
            part(v_at, u, u).contiguous(),
            {},
            {},
            {}};
  }
};

}  // namespace

at::Tensor sequence_attention(const at::Tensor& h, const SequenceWeights& weights, const at::Tensor& times,
                              const at::Tensor& offsets, double frequency) {
  return SequenceAttention::apply(h, weights.w_t, weights.b_t, weights.w_a, times.contiguous(), offsets.contiguous(),
                                  frequency);
}

}  // namespace lgode::ops::cpu
