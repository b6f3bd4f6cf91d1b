// The sequence summary in its forms: attention (Eq. 6), mean, first, weighted.
#include "lgode/model/sequence_summary.h"

#include <algorithm>
#include <cmath>

#include "lgode/ops/segment.h"
#include "lgode/ops/sequence_attention.h"
#include "lgode/ops/time_encoding.h"
#include "model/layers.h"

namespace lgode::model {

SequenceSummary::SequenceSummary(const ModelOptions& options)
    : options_(options), kind_(encoder_pieces(options).summary) {}

void SequenceSummary::declare(Parameters& p) const {
  const std::int64_t d = options_.encoder_width, u = options_.sequence_width;
  p.add_linear("encoder.sequence.time", u, d + 1);
  if (kind_ == Summary::kAttention) p.add_linear("encoder.sequence.gate", u, u, /*bias=*/false);
  if (kind_ == Summary::kWeighted) p.add_linear("encoder.sequence.score", 1, u, /*bias=*/false);
}

at::Tensor SequenceSummary::operator()(const Parameters& p, const at::Tensor& h, const at::Tensor& times,
                                       const at::Tensor& offsets) const {
  if (kind_ == Summary::kAttention) {
    // Eq. 6, with sqrt(u) W_a as the parameter. The time encoding is nearly the same in all rows: an optimiser step
    // that moved every entry of W_a by the learning rate would change a . hat by several units and close all gates
    // permanently.
    const at::Tensor w_a = p["encoder.sequence.gate.weight"] / std::sqrt(static_cast<double>(options_.sequence_width));
    return ops::sequence_attention(h, {p["encoder.sequence.time.weight"], p["encoder.sequence.time.bias"], w_a}, times,
                                   offsets, options_.time_frequency, options_.impl);
  }
  if (h.size(0) == 0) return at::zeros({offsets.numel() - 1, options_.sequence_width}, h.options());
  const at::Tensor gap = times.to(h.scalar_type()).unsqueeze(1);
  at::Tensor hat = at::relu(linear(p, "encoder.sequence.time", at::cat({h, gap}, 1)));
  if (kind_ == Summary::kWeighted) {
    const at::Tensor score = at::linear(hat, p["encoder.sequence.score.weight"]);
    return ops::segment_sum(ops::segment_softmax(score, offsets) * hat, offsets);
  }
  hat = hat +
        ops::time_encoding(times, options_.sequence_width, options_.time_frequency, h.options().requires_grad(false));
  if (kind_ == Summary::kMean) return ops::segment_mean(hat, offsets);
  const at::Tensor begin = offsets.slice(0, 0, -1), seen = offsets.slice(0, 1).gt(begin);
  return ops::gather_rows(hat, begin.clamp_max(h.size(0) - 1)) * seen.to(hat.scalar_type()).unsqueeze(1);
}

}  // namespace lgode::model
