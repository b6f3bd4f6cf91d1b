// Which implementation of an operator runs, and how precise it must be.
#pragma once

namespace lgode::ops {

enum class Impl {
  kAuto,       // fused where it is built and the tensors suit it, else the reference
  kReference,  // plain ATen in the paper's own form: the oracle and the baseline of every benchmark
  kFused,      // throws where unavailable
};

// What matrix products on a GPU may do to their factors; sums are float32 always, and so is everything on a CPU.
enum class Precision {
  kFloat32,
  kTf32,  // the tensor cores' 19 bits
  kBf16,  // the dynamics in bfloat16, the rest in float32
};

}  // namespace lgode::ops
