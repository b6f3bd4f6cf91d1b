// Binds the kernels of segment_kernel.h to tensors. Gradients are defined in ops/segment.cpp.
#include "ops/cuda/segment.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include "ops/cuda/segment_kernel.h"

namespace lgode::ops::cuda {

at::Tensor segment_sum(const at::Tensor& x, const at::Tensor& offsets) {
  const c10::cuda::CUDAGuard guard(x.device());
  const std::int64_t runs = offsets.numel() - 1;
  const at::Tensor in = x.contiguous(), out = at::empty({runs, x.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "segment_sum", [&] {
    C10_CUDA_CHECK(segment_sum(in.data_ptr<scalar_t>(), offsets.data_ptr<std::int64_t>(), runs, in.size(1),
                               out.data_ptr<scalar_t>(), at::cuda::getCurrentCUDAStream()));
  });
  return out;
}

at::Tensor segment_max(const at::Tensor& x, const at::Tensor& offsets) {
  const c10::cuda::CUDAGuard guard(x.device());
  const std::int64_t runs = offsets.numel() - 1;
  const at::Tensor in = x.contiguous(), out = at::empty({runs, x.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "segment_max", [&] {
    C10_CUDA_CHECK(segment_max(in.data_ptr<scalar_t>(), offsets.data_ptr<std::int64_t>(), runs, in.size(1),
                               out.data_ptr<scalar_t>(), at::cuda::getCurrentCUDAStream()));
  });
  return out;
}

at::Tensor segment_expand(const at::Tensor& x, const at::Tensor& offsets, std::int64_t rows) {
  const c10::cuda::CUDAGuard guard(x.device());
  const at::Tensor in = x.contiguous(), out = at::empty({rows, x.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "segment_expand", [&] {
    C10_CUDA_CHECK(segment_expand(in.data_ptr<scalar_t>(), offsets.data_ptr<std::int64_t>(), in.size(0), rows,
                                  in.size(1), out.data_ptr<scalar_t>(), at::cuda::getCurrentCUDAStream()));
  });
  return out;
}

at::Tensor time_encoding(const at::Tensor& times, std::int64_t width, double frequency, at::ScalarType dtype) {
  const c10::cuda::CUDAGuard guard(times.device());
  const at::Tensor in = times.contiguous(), out = at::empty({in.numel(), width}, in.options().dtype(dtype));
  AT_DISPATCH_FLOATING_TYPES(dtype, "time_encoding", [&] {
    C10_CUDA_CHECK(time_encoding(in.data_ptr<double>(), in.numel(), width, frequency, out.data_ptr<scalar_t>(),
                                 at::cuda::getCurrentCUDAStream()));
  });
  return out;
}

at::Tensor dropout_mask(const at::Tensor& names, const at::Tensor& begin, std::int64_t count, double rate) {
  const c10::cuda::CUDAGuard guard(names.device());
  const at::Tensor out = at::empty({count}, names.options().dtype(at::kFloat));
  C10_CUDA_CHECK(dropout_mask(reinterpret_cast<const std::uint32_t*>(names.data_ptr<int>()),
                              begin.data_ptr<std::int64_t>(), begin.numel() - 1,
                              static_cast<std::uint32_t>(rate * 4294967296.0), static_cast<float>(1.0 / (1.0 - rate)),
                              out.data_ptr<float>(), at::cuda::getCurrentCUDAStream()));
  return out;
}

}  // namespace lgode::ops::cuda
