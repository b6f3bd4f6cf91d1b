// Steps forward and backward over buffers of all steps, one step after the other.
#include "model/frames/solve.h"

#include <torch/csrc/autograd/custom_function.h>

#include <numeric>

namespace lgode::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// Columns of a row's state y = [w | v | r] and of its slope o = [dw/dt | a | dr/dt], and the rows of each step.
struct Layout {
  std::int64_t hidden, axes, others, starts;  // W, d, R, J
  std::vector<std::int64_t> active;
  double step;

  std::int64_t width() const { return hidden + axes + others; }
  std::int64_t rows(std::size_t k) const { return 2 * starts * active[k]; }
  std::int64_t all() const { return 2 * starts * std::accumulate(active.begin(), active.end(), std::int64_t{0}); }
  at::Tensor w(const at::Tensor& y) const { return y.narrow(1, 0, hidden); }
  at::Tensor v(const at::Tensor& y) const { return y.narrow(1, hidden, axes); }
  at::Tensor r(const at::Tensor& y) const { return y.narrow(1, hidden + axes, others); }
  // The third layer computes [a | dr/dt | dw/dt].
  at::Tensor ordered(const at::Tensor& third) const {
    return at::cat({third.narrow(0, axes + others, hidden), third.narrow(0, 0, axes + others)});
  }
  at::Tensor as_given(const at::Tensor& third) const {
    return at::cat({third.narrow(0, hidden, axes + others), third.narrow(0, 0, hidden)});
  }
};

struct SolveAlone : Function<SolveAlone> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& start, const at::Tensor& fixed,
                            const at::Tensor& first, const at::Tensor& second, const at::Tensor& bias,
                            const at::Tensor& third, const at::Tensor& slopes, std::vector<std::int64_t> active,
                            double step, std::int64_t axes, std::int64_t others) {
    const std::int64_t objects = start.size(0), starts = start.size(1);
    const Layout at_{start.size(3), axes, others, starts, std::move(active), step};
    const std::int64_t all = at_.all(), hidden = second.size(0);
    const at::Tensor given = fixed.unsqueeze(1).expand({objects, starts, 2, hidden}).reshape({-1, hidden}).contiguous();
    const at::Tensor one = at::cat({first, at::zeros({hidden, others}, first.options())}, 1);
    const at::Tensor three = at_.ordered(third), end = at_.ordered(slopes);
    const at::Tensor y = at::empty({all, at_.width()}, start.options()), o = at::empty_like(y),
                     x = at::empty({all, axes}, start.options()), p = at::empty({all, hidden}, start.options()),
                     q = at::empty_like(p);
    std::int64_t from = 0;
    for (std::size_t k = 0; k < at_.active.size(); ++k) {
      const std::int64_t n = at_.rows(k);
      const auto part = [&](const at::Tensor& buffer) { return buffer.narrow(0, from, n); };
      at::Tensor yk = part(y), ok = part(o), xk = part(x), pk = part(p), qk = part(q);
      if (k == 0) {
        yk.zero_(), xk.zero_();
        at_.w(yk).copy_(start.reshape({-1, at_.hidden}).narrow(0, 0, n));
      }
      at::addmm_out(pk, given.narrow(0, 0, n), yk, one.t());
      at::addmm_out(qk, bias, at::silu(pk), second.t());
      at::addmm_out(ok, end, at::silu(qk), three.t());
      if (k + 1 < at_.active.size()) {
        const std::int64_t next = at_.rows(k + 1);
        at::Tensor later = y.narrow(0, from + n, next), moved = x.narrow(0, from + n, next);
        at::add_out(later, yk.narrow(0, 0, next), ok.narrow(0, 0, next), step);
        at::add_out(moved, xk.narrow(0, 0, next), at_.v(yk).narrow(0, 0, next), step);
        moved.add_(at_.v(ok).narrow(0, 0, next), 0.5 * step * step);
      }
      from += n;
    }
    context->save_for_backward({y, p, q, one, second, three});
    context->saved_data["active"] = at_.active;
    context->saved_data["step"] = step;
    context->saved_data["axes"] = axes;
    context->saved_data["others"] = others;
    context->saved_data["objects"] = objects;
    context->saved_data["starts"] = starts;
    return at::cat({x, at_.v(y), at_.v(o), at_.r(y), at_.r(o)}, 1)
        .view({all / (2 * starts), starts, 2, 3 * axes + 2 * others});
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &y = saved[0], &p = saved[1], &q = saved[2], &one = saved[3], &second = saved[4],
                     &three = saved[5];
    const std::int64_t axes = context->saved_data["axes"].toInt(), others = context->saved_data["others"].toInt(),
                       objects = context->saved_data["objects"].toInt(), starts = context->saved_data["starts"].toInt();
    const double step = context->saved_data["step"].toDouble();
    const Layout at_{
        y.size(1) - axes - others, axes, others, starts, context->saved_data["active"].toIntVector(), step};
    const std::int64_t all = at_.all();
    const at::Tensor grad = gradients[0].reshape({all, 3 * axes + 2 * others});
    const at::Tensor gx = grad.narrow(1, 0, axes).contiguous(), gy = at::zeros_like(y), go = at::zeros_like(y);
    at_.v(gy).copy_(grad.narrow(1, axes, axes)), at_.v(go).copy_(grad.narrow(1, 2 * axes, axes));
    at_.r(gy).copy_(grad.narrow(1, 3 * axes, others)), at_.r(go).copy_(grad.narrow(1, 3 * axes + others, others));
    const at::Tensor gp = at::empty_like(p), gq = at::empty_like(q);
    at::Tensor fixed = at::zeros({2 * starts * objects, p.size(1)}, p.options());
    std::int64_t from = all;
    for (std::size_t k = at_.active.size(); k-- > 0;) {
      const std::int64_t n = at_.rows(k);
      from -= n;
      const auto part = [&](const at::Tensor& buffer) { return buffer.narrow(0, from, n); };
      at::Tensor gyk = part(gy), gok = part(go), gxk = part(gx), gpk = part(gp), gqk = part(gq);
      if (k + 1 < at_.active.size()) {
        const std::int64_t next = at_.rows(k + 1);
        const at::Tensor after = gy.narrow(0, from + n, next), moved = gx.narrow(0, from + n, next);
        const auto first = [&](const at::Tensor& of) { return of.narrow(0, 0, next); };
        first(gok).add_(after, step), first(gyk).add_(after), first(gxk).add_(moved);
        at_.v(first(gok)).add_(moved, 0.5 * step * step), at_.v(first(gyk)).add_(moved, step);
      }
      at::silu_backward_out(gqk, at::mm(gok, three), part(q));
      at::silu_backward_out(gpk, at::mm(gqk, second), part(p));
      gyk.addmm_(gpk, one);
      fixed.narrow(0, 0, n).add_(gpk);
    }
    at::Tensor start = at::zeros({2 * starts * objects, at_.hidden}, y.options());
    if (!at_.active.empty()) start.narrow(0, 0, at_.rows(0)).copy_(at_.w(gy.narrow(0, 0, at_.rows(0))));
    return {start.view({objects, starts, 2, at_.hidden}),
            fixed.view({objects, starts, 2, p.size(1)}).sum(1),
            at::mm(gp.t(), y).narrow(1, 0, at_.hidden + axes),
            at::mm(gq.t(), at::silu(p)),
            gq.sum(0),
            at_.as_given(at::mm(go.t(), at::silu(q))),
            at_.as_given(go.sum(0)),
            at::Tensor(),
            at::Tensor(),
            at::Tensor(),
            at::Tensor()};
  }
};

}  // namespace

at::Tensor solve_alone(const FramesDynamics& d) {
  return SolveAlone::apply(d.start, d.context, d.first, d.second, d.bias, d.third, d.slopes, d.active, d.step, d.axes,
                           d.others);
}

}  // namespace lgode::model
