#include "lgode/ops/dropout.h"

#include <ATen/Parallel.h>

#include "ops/cuda/segment.h"

namespace lgode::ops {

at::Tensor dropout_mask(const std::vector<Random>& streams, const std::vector<std::int64_t>& begin, double rate,
                        at::Device device) {
  const auto count = static_cast<std::int64_t>(streams.size());
  if (!device.is_cpu()) {
    const at::Tensor names = at::empty({count, 4}, at::TensorOptions(at::kInt));
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t k = 0; k < 4; ++k)
        names.data_ptr<int>()[4 * i + k] = static_cast<int>(streams[i].id()[static_cast<std::size_t>(k)]);
    return cuda::dropout_mask(names, at::tensor(begin, at::TensorOptions(at::kLong)), rate, device);
  }
  const at::Tensor mask = at::empty({begin.back()}, at::TensorOptions(at::kFloat));
  float* out = mask.data_ptr<float>();
  const auto keep = static_cast<float>(1.0 / (1.0 - rate));
  const auto threshold = static_cast<std::uint32_t>(rate * 4294967296.0);
  at::parallel_for(0, count, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      Random random = streams[i];
      for (std::int64_t k = begin[i]; k < begin[i + 1]; ++k) out[k] = random.next_u32() < threshold ? 0.0F : keep;
    }
  });
  return mask;
}

}  // namespace lgode::ops
