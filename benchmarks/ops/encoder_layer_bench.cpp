// One encoder layer, forward and backward.
#include <torch/csrc/autograd/autograd.h>

#include "lgode/core/random.h"
#include "workload.h"

namespace lgode::bench {
namespace {

constexpr std::int64_t kSystems = 64;

void encoder_layer(benchmark::State& state) {
  const model::LgOde model = make_model({});
  const model::BatchTensors batch = model.tensors(springs_batch(kSystems));
  const std::int64_t d = 64, observations = batch.batch.observations();
  Random random(1, RandomUse::kTest);
  auto leaf = [&](std::vector<std::int64_t> shape) {
    at::Tensor t = at::empty(shape);
    for (std::int64_t i = 0; i < t.numel(); ++i) t.data_ptr<float>()[i] = static_cast<float>(0.125 * random.normal());
    return t.requires_grad_(true);
  };
  const ops::AttentionWeights weights{leaf({d, d + 1}), leaf({d}),    leaf({d, d}),    leaf({d}),
                                      leaf({2, d, d}),  leaf({2, d}), leaf({2, d, d}), leaf({2, d})};
  const at::Tensor x = leaf({observations, d}), seed = at::ones({observations, d});
  for (auto _ : state) {
    const at::Tensor out = ops::temporal_attention(x, weights, batch.graph, {}, implementation(state));
    torch::autograd::backward({out}, {seed});
  }
  state.counters["edges"] = static_cast<double>(ops::temporal_edges(batch.graph).source.numel());
}
BENCHMARK(encoder_layer)->ArgName(kReferenceArgument)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lgode::bench
