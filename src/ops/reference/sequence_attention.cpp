// Eq. 6 in plain ATen operations, gradients by autograd: the definition that the fused form is tested against.
#include "lgode/ops/sequence_attention.h"

#include "lgode/ops/segment.h"
#include "lgode/ops/time_encoding.h"

namespace lgode::ops::reference {

at::Tensor sequence_attention(const at::Tensor& h, const SequenceWeights& w, const at::Tensor& times,
                              const at::Tensor& offsets, double frequency) {
  // Eq. 6: hat = ReLU(W_t [h | D] + b_t) + TE(D)   [M, u]
  const at::Tensor gap = times.to(h.scalar_type()).unsqueeze(1);
  const at::Tensor hat = at::relu(at::linear(at::cat({h, gap}, 1), w.w_t, w.b_t)) +
                         time_encoding(times, w.w_t.size(0), frequency, h.options().requires_grad(false));
  // Eq. 6: a_i = tanh(W_a mean(hat)),  u_i = mean(sigmoid(a_i . hat) hat)   [N, u]
  const at::Tensor a = at::tanh(at::linear(segment_mean(hat, offsets), w.w_a));
  const at::Tensor gate = at::sigmoid((segment_expand(a, offsets, hat.size(0)) * hat).sum(1, /*keepdim=*/true));
  return segment_mean(gate * hat, offsets);
}

}  // namespace lgode::ops::reference
