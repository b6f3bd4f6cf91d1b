#include "lgode/ops/time_encoding.h"

#include <cmath>
#include <vector>

namespace lgode::ops {

at::Tensor time_encoding(const at::Tensor& times, std::int64_t width, double frequency,
                         const at::TensorOptions& options) {
  TORCH_CHECK_VALUE(times.dim() == 1 && times.scalar_type() == at::kDouble, "expected float64 times [M]");
  const std::int64_t pairs = (width + 1) / 2;
  std::vector<double> rate(static_cast<std::size_t>(pairs));
  for (std::int64_t i = 0; i < pairs; ++i)
    rate[i] = frequency / std::pow(10000.0, static_cast<double>(2 * i) / static_cast<double>(width));
  const at::Tensor angle = times.unsqueeze(1) * at::tensor(rate, at::TensorOptions(at::kDouble)).to(times.device());
  const auto dtype = c10::typeMetaToScalarType(options.dtype());
  return at::stack({angle.sin().to(dtype), angle.cos().to(dtype)}, 2)
      .flatten(1)
      .slice(1, 0, width)
      .to(options.device())
      .contiguous();
}

}  // namespace lgode::ops
