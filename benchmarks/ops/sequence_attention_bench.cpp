// The attention over each object's sequence, forward and backward.
#include <torch/csrc/autograd/autograd.h>

#include "lgode/core/random.h"
#include "lgode/ops/sequence_attention.h"
#include "workload.h"

namespace lgode::bench {
namespace {

constexpr std::int64_t kSystems = 64;

void sequence_attention(benchmark::State& state) {
  const model::ModelOptions options;
  const model::LgOde model = make_model(options);
  const model::BatchTensors batch = model.tensors(springs_batch(kSystems));
  const std::int64_t d = options.encoder_width, u = options.sequence_width;
  Random random(1, RandomUse::kTest);
  auto leaf = [&](std::vector<std::int64_t> shape) {
    at::Tensor t = at::empty(shape);
    for (std::int64_t i = 0; i < t.numel(); ++i) t.data_ptr<float>()[i] = static_cast<float>(0.125 * random.normal());
    return t.requires_grad_(true);
  };
  const ops::SequenceWeights weights{leaf({u, d + 1}), leaf({u}), leaf({u, u})};
  const at::Tensor h = leaf({batch.batch.observations(), d}), seed = at::ones({batch.batch.objects(), u});
  for (auto _ : state) {
    const at::Tensor out = ops::sequence_attention(h, weights, batch.graph.times, batch.observation_offsets,
                                                   options.time_frequency, implementation(state));
    torch::autograd::backward({out}, {seed});
  }
}
BENCHMARK(sequence_attention)
    ->ArgName(kReferenceArgument)
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace lgode::bench
