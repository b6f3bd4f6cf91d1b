// Checks the arguments of sequence_attention and picks the implementation.
#include "lgode/ops/sequence_attention.h"

#include "lgode/ops/temporal_attention.h"
#include "ops/cuda/temporal_attention.h"

namespace lgode::ops {
namespace {

void check(const at::Tensor& h, const SequenceWeights& w, const at::Tensor& times, const at::Tensor& offsets) {
  TORCH_CHECK_VALUE(h.dim() == 2, "sequence_attention: expected h [M, d], got ", h.sizes());
  TORCH_CHECK_VALUE(w.b_t.dim() == 1, "sequence_attention: expected b_t [u], got ", w.b_t.sizes());
  const std::int64_t d = h.size(1), u = w.b_t.size(0);
  auto expect = [](const char* name, const at::Tensor& t, at::IntArrayRef shape) {
    TORCH_CHECK_VALUE(t.sizes() == shape, "sequence_attention: expected ", name, " ", shape, ", got ", t.sizes());
  };
  expect("w_t", w.w_t, {u, d + 1});
  expect("w_a", w.w_a, {u, u});
  expect("times", times, {h.size(0)});
  TORCH_CHECK_VALUE(times.device() == h.device() && times.scalar_type() == at::kDouble,
                    "sequence_attention: expected float64 times on the device of h");
  // The last offset is checked on the CPU only: reading it from a GPU would wait for all queued work.
  TORCH_CHECK_VALUE(offsets.dim() == 1 && offsets.numel() >= 1 && offsets.scalar_type() == at::kLong &&
                        (!offsets.is_cpu() || offsets[-1].item<std::int64_t>() == h.size(0)),
                    "sequence_attention: expected int64 offsets [N+1] that end with ", h.size(0));
}

}  // namespace

at::Tensor sequence_attention(const at::Tensor& h, const SequenceWeights& weights, const at::Tensor& times,
                              const at::Tensor& offsets, double frequency, Impl impl) {
  check(h, weights, times, offsets);
  if (impl != Impl::kReference && cuda::has_sequence_attention(h, weights.b_t.size(0)))
    return cuda::sequence_attention(h, weights, times, offsets, frequency);
  const bool fits = has_fused_attention() && h.is_cpu() && h.scalar_type() == at::kFloat;
  TORCH_CHECK_VALUE(impl != Impl::kFused || fits,
                    "sequence_attention: the fused operator needs float32 on the CPU and a build with Highway");
  if (impl == Impl::kReference || !fits) return reference::sequence_attention(h, weights, times, offsets, frequency);
  return cpu::sequence_attention(h, weights, times, offsets, frequency);
}

}  // namespace lgode::ops
