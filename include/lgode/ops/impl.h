// Which implementation of an operator runs, and how precise it must be.
#pragma once

namespace lgode::ops {

enum class Impl {
  kAuto,       // fused if it is built and supports the tensors, else the reference
  kReference,  // plain ATen in the paper's own form: what tests and benchmarks compare with
  kFused,      // throws if unavailable
};

// How far matrix products may round their factors. Sums are always float32.
enum class Precision {
  kFloat32,
  kTf32,  // the 19 bits of a GPU's tensor cores; on a CPU float32
  kBf16,  // the dynamics in bfloat16, the rest in float32
  kAuto,  // as an option only: bf16 on a GPU, float32 on a CPU (pick_precision() in context.h)
};

}  // namespace lgode::ops
