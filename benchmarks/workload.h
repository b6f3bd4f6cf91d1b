// The work that all benchmarks share: springs systems, 60 % observed, and a model of the default size. Fused and
// reference get the same.
#pragma once

#include <benchmark/benchmark.h>

#include "lgode/data/task.h"
#include "lgode/model/lgode.h"

namespace lgode::bench {

// The argument of a benchmark that has two implementations: 0 fused, 1 reference.
constexpr const char* kReferenceArgument = "reference";

inline ops::Impl implementation(const benchmark::State& state) {
  return state.range(0) == 0 ? ops::Impl::kAuto : ops::Impl::kReference;
}

// A batch of springs systems for interpolation, targets over the whole range.
const data::BatchMaker& springs();
data::Batch springs_batch(std::int64_t systems);

// Benchmarks that depend on what the machine has: to be called before the others are run.
void register_predictions();

// A model of the default size with random weights.
model::LgOde make_model(const model::ModelOptions& options, at::Device device = at::kCPU);

}  // namespace lgode::bench
