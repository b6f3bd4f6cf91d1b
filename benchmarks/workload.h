// Inputs that all benchmarks share: springs systems, 60 % observed, and a model of the default size. Fused and
// reference get the same inputs.
#pragma once

#include <benchmark/benchmark.h>

#include "lgode/data/batch_maker.h"
#include "lgode/model/lgode.h"

namespace lgode::bench {

// Name of the argument of benchmarks with two implementations; value 0: fused, 1: reference.
constexpr const char* kReferenceArgument = "reference";

inline ops::Impl implementation(const benchmark::State& state) {
  return state.range(0) == 0 ? ops::Impl::kAuto : ops::Impl::kReference;
}

// Springs systems for interpolation with targets over the whole range, and a batch of them.
const data::BatchMaker& springs();
data::Batch springs_batch(std::int64_t systems);
// One system of objects that move in circles, each observed at random times of its own, a target between any two.
data::Batch own_times_batch(std::int64_t objects, std::int64_t observations);

// Registers the benchmarks that depend on the machine's devices and instructions. Call it before benchmarks run.
void register_predictions();
void register_peaks();

// Precision of the products in training steps and solves (--precision); float32 unless set before benchmarks run.
ops::Precision& precision();

// A model of the default size with random weights.
model::LgOde make_model(const model::ModelOptions& options, at::Device device = at::kCPU);

}  // namespace lgode::bench
