// Which implementation of an operator runs, and how precise it must be.
#pragma once

namespace lgode::ops {

enum class Impl {
  kAuto,       // fused if it is built and supports the tensors, else the reference
  kReference,  // plain ATen in the paper's own form: what tests and benchmarks compare with
  kFused,      // throws if unavailable
};

// How far matrix products on a GPU may round their factors. Sums are always float32, as is everything on a CPU.
enum class Precision {
  kFloat32,
  kTf32,  // the tensor cores' 19 bits
  kBf16,  // the dynamics in bfloat16, the rest in float32
};

}  // namespace lgode::ops
