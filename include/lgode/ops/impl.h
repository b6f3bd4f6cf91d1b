// Which implementation of an operator runs.
#pragma once

namespace lgode::ops {

enum class Impl {
  kAuto,       // fused where it is built and the tensors suit it, else the reference
  kReference,  // plain ATen in the paper's own form: the oracle and the baseline of every benchmark
  kFused,      // throws where unavailable
};

}  // namespace lgode::ops
