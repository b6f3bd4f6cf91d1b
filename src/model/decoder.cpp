// Declares the decoder's parameters and computes its two forms.
#include "lgode/model/decoder.h"

#include "model/layers.h"

namespace lgode::model {

Decoder::Decoder(const ModelOptions& options, std::int64_t features)
    : kind_(options.decoder), latent_(options.latent), hidden_(options.hidden), features_(features) {}

void Decoder::declare(Parameters& p) const {
  if (kind_ == DecoderKind::kMlp) {
    p.add_linear("decoder.layer1", hidden_, latent_);
    p.add_linear("decoder.layer2", features_, hidden_);
  } else {
    p.add_linear("decoder", features_, latent_);
  }
}

at::Tensor Decoder::operator()(const Parameters& p, const at::Tensor& z) const {
  if (kind_ == DecoderKind::kLinear) return linear(p, "decoder", z);
  return linear(p, "decoder.layer2", at::relu(linear(p, "decoder.layer1", z)));
}

}  // namespace lgode::model
