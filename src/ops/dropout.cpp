// Dropout masks: on the CPU a loop over the random streams, on a GPU the kernel of ops/cuda/segment_kernel.cu. Both
// draw the same masks bit for bit.
#include "lgode/ops/dropout.h"

#include <ATen/Parallel.h>

#include <utility>

#include "ops/cuda/segment.h"

namespace lgode::ops {

DropoutStreams dropout_streams(std::vector<Random> streams, std::vector<std::int64_t> begin, Upload& upload) {
  DropoutStreams out{std::move(streams), std::move(begin), {}, {}};
  if (upload.device().is_cpu()) return out;
  const auto count = static_cast<std::int64_t>(out.streams.size());
  const at::Tensor names = at::empty({count, 4}, at::TensorOptions(at::kInt));
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t k = 0; k < 4; ++k)
      names.data_ptr<int>()[4 * i + k] = static_cast<int>(out.streams[i].id()[static_cast<std::size_t>(k)]);
  out.names = upload(names);
  out.begin_on_device = upload(out.begin);
  upload.shaped_by(out.count());
  return out;
}

at::Tensor dropout_mask(const DropoutStreams& streams, double rate) {
  if (streams.names.defined()) return cuda::dropout_mask(streams.names, streams.begin_on_device, streams.count(), rate);
  const at::Tensor mask = at::empty({streams.count()}, at::TensorOptions(at::kFloat));
  float* out = mask.data_ptr<float>();
  const auto keep = static_cast<float>(1.0 / (1.0 - rate));
  const auto threshold = static_cast<std::uint32_t>(rate * 4294967296.0);
  at::parallel_for(0, static_cast<std::int64_t>(streams.streams.size()), 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      Random random = streams.streams[i];
      for (std::int64_t k = streams.begin[i]; k < streams.begin[i + 1]; ++k)
        out[k] = random.next_u32() < threshold ? 0.0F : keep;
    }
  });
  return mask;
}

}  // namespace lgode::ops
