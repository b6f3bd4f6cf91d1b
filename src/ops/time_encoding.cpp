// Time encodings: SIMD kernel on the CPU in float32, CUDA kernel on a GPU, plain ATen for the rest.
#include "lgode/ops/time_encoding.h"

#include <cmath>
#include <vector>

#include "ops/cpu/time_encoding_kernel.h"
#include "ops/cuda/segment.h"
#include "ops/parallel.h"

namespace lgode::ops {
namespace {

constexpr std::int64_t kGrain = 256;  // rows per task

// Eq. 5, the factors of t in TE: c / 10000^(2i/d), one per pair of sine and cosine
std::vector<double> rates(std::int64_t width, double frequency) {
  std::vector<double> rate(static_cast<std::size_t>((width + 1) / 2));
  for (std::size_t i = 0; i < rate.size(); ++i)
    rate[i] = frequency / std::pow(10000.0, static_cast<double>(2 * i) / static_cast<double>(width));
  return rate;
}

}  // namespace

at::Tensor time_encoding(const at::Tensor& times, std::int64_t width, double frequency,
                         const at::TensorOptions& options) {
  TORCH_CHECK_VALUE(times.dim() == 1 && times.scalar_type() == at::kDouble, "expected float64 times [M]");
  const std::vector<double> rate = rates(width, frequency);
  const auto dtype = c10::typeMetaToScalarType(options.dtype());
  if (times.is_cpu() && options.device().is_cpu() && dtype == at::kFloat) {
    const at::Tensor in = times.contiguous();
    at::Tensor out = at::empty({in.numel(), width}, options.requires_grad(false));
    const double* t = in.data_ptr<double>();
    float* to = out.data_ptr<float>();
    parallel_for(0, in.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      cpu::encode_times(t + begin, end - begin, rate.data(), width, to + begin * width);
    });
    return out;
  }
  if (!times.is_cpu() && times.device() == options.device()) return cuda::time_encoding(times, width, frequency, dtype);
  // Eq. 5: TE(t)_2i = sin(c t / 10000^(2i/d)), TE(t)_2i+1 = cos(same)
  const at::Tensor angle = times.unsqueeze(1) * at::tensor(rate, at::TensorOptions(at::kDouble)).to(times.device());
  return at::stack({angle.sin().to(dtype), angle.cos().to(dtype)}, 2)
      .flatten(1)
      .slice(1, 0, width)
      .to(options.device())
      .contiguous();
}

}  // namespace lgode::ops
