// Binds the kernels of row_kernel.h to autograd.
#include "ops/cuda/row_operators.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include "ops/cuda/row_kernel.h"

namespace lgode::ops::cuda {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

struct LayerNorm : Function<LayerNorm> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x_in, const at::Tensor& weight_in,
                            const at::Tensor& bias_in) {
    const c10::cuda::CUDAGuard guard(x_in.device());
    const at::Tensor x = x_in.contiguous(), weight = weight_in.contiguous(), bias = bias_in.contiguous();
    const at::Tensor y = at::empty_like(x);
    const at::Tensor mean = at::empty({x.size(0)}, x.options()), scale = at::empty_like(mean);
    C10_CUDA_CHECK(norm_forward(x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(),
                                static_cast<int>(x.size(0)), static_cast<int>(x.size(1)), y.data_ptr<float>(),
                                mean.data_ptr<float>(), scale.data_ptr<float>(), at::cuda::getCurrentCUDAStream()));
    ctx->save_for_backward({x, weight, mean, scale});
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &mean = saved[2], &scale = saved[3];
    const c10::cuda::CUDAGuard guard(x.device());
    const at::Tensor dy = grad[0].contiguous(), dx = at::empty_like(x);
    const auto rows = static_cast<int>(x.size(0)), width = static_cast<int>(x.size(1));
    const at::Tensor sums = at::empty({norm_blocks(rows), 2, width}, x.options());
    C10_CUDA_CHECK(norm_backward(x.data_ptr<float>(), weight.data_ptr<float>(), mean.data_ptr<float>(),
                                 scale.data_ptr<float>(), dy.data_ptr<float>(), rows, width, dx.data_ptr<float>(),
                                 sums.data_ptr<float>(), at::cuda::getCurrentCUDAStream()));
    const at::Tensor sum = sums.sum(0);
    return {dx, sum[0], sum[1]};
  }
};

ReadProblem describe(const at::Tensor& index, const at::Tensor& weight, const at::Tensor& order,
                     const at::Tensor& row_offsets, std::int64_t dim, std::int64_t columns) {
  ReadProblem p;
  p.readings = static_cast<int>(index.size(1)), p.rows = static_cast<int>(row_offsets.numel()) - 1;
  p.dim = static_cast<int>(dim), p.columns = static_cast<int>(columns);
  p.index = index.data_ptr<std::int64_t>(), p.weight = weight.data_ptr<float>();
  p.order = order.data_ptr<int>(), p.row_offsets = row_offsets.data_ptr<int>();
  return p;
}

struct Read : Function<Read> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& states_in, const at::Tensor& slopes_in,
                            const at::Tensor& index_in, const at::Tensor& weight_in, const at::Tensor& order,
                            const at::Tensor& row_offsets, std::int64_t columns) {
    const c10::cuda::CUDAGuard guard(states_in.device());
    const at::Tensor states = states_in.contiguous(), slopes = slopes_in.contiguous();
    const at::Tensor index = index_in.contiguous(), weight = weight_in.contiguous();
    const at::Tensor out = at::empty({index.size(1), columns}, states.options());
    C10_CUDA_CHECK(read_forward(describe(index, weight, order, row_offsets, states.size(2), columns),
                                states.data_ptr<float>(), slopes.data_ptr<float>(), out.data_ptr<float>(),
                                at::cuda::getCurrentCUDAStream()));
    ctx->save_for_backward({index, weight, order, row_offsets});
    ctx->saved_data["shape"] = states.sizes().vec();
    ctx->saved_data["columns"] = columns;
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    const std::vector<std::int64_t> shape = ctx->saved_data["shape"].toIntVector();
    const at::Tensor gradient = grad[0].contiguous();
    const c10::cuda::CUDAGuard guard(gradient.device());
    const at::Tensor dstates = at::zeros(shape, gradient.options()), dslopes = at::zeros_like(dstates);
    C10_CUDA_CHECK(
        read_backward(describe(saved[0], saved[1], saved[2], saved[3], shape[2], ctx->saved_data["columns"].toInt()),
                      gradient.data_ptr<float>(), dstates.data_ptr<float>(), dslopes.data_ptr<float>(),
                      at::cuda::getCurrentCUDAStream()));
    return {dstates, dslopes, {}, {}, {}, {}, {}};
  }
};

}  // namespace

bool has_layer_norm(const at::Tensor& x) {
  return x.is_cuda() && x.scalar_type() == at::kFloat && x.size(1) <= kMaxNormWidth;
}

at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return LayerNorm::apply(x, weight, bias);
}

at::Tensor read(const at::Tensor& states, const at::Tensor& slopes, const LocatedReadings& readings,
                std::int64_t columns) {
  return Read::apply(states, slopes, readings.terms.index, readings.terms.weight, readings.order, readings.row_offsets,
                     columns);
}

at::Tensor read_places(const at::Tensor& states_in, const at::Tensor& slopes_in, const at::Tensor& places,
                       std::int64_t columns) {
  const c10::cuda::CUDAGuard guard(states_in.device());
  TORCH_CHECK(!states_in.requires_grad() || !at::GradMode::is_enabled(), "read: places are for prediction only");
  const at::Tensor states = states_in.contiguous(), slopes = slopes_in.contiguous();
  const at::Tensor out = at::empty({places.size(0), columns}, states.options());
  const PlacedReadings problem{static_cast<int>(places.size(0)), static_cast<int>(states.size(1)),
                               static_cast<int>(states.size(2)), static_cast<int>(columns), places.data_ptr()};
  C10_CUDA_CHECK(read_places(problem, states.data_ptr<float>(), slopes.data_ptr<float>(), out.data_ptr<float>(),
                             at::cuda::getCurrentCUDAStream()));
  return out;
}

}  // namespace lgode::ops::cuda
