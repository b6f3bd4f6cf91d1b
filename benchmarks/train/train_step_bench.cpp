// A whole training step at the default settings: batch as tensors, forward, backward, update.
#include <torch/csrc/autograd/autograd.h>

#include "lgode/train/objective.h"
#include "lgode/train/optimizer.h"
#include "workload.h"

namespace lgode::bench {
namespace {

constexpr std::int64_t kSystems = 32;

void train_step_default(benchmark::State& state) {
  model::ModelOptions options;
  options.impl = implementation(state);
  model::LgOde model = make_model(options);
  train::AdamState adam(model.parameters());
  const train::TrainOptions training;
  std::uint64_t step = 0;
  for (auto _ : state) {
    const model::BatchTensors batch = model.tensors(springs_batch(kSystems));
    const at::Tensor noise = model::latent_noise(batch.batch, 1, options.latent, 1, RandomUse::kLatent, step,
                                                 model.parameters().flat().options());
    const train::Objective objective = train::elbo(model, batch, noise, 1, 1.0, model::DropoutKey{1, step});
    model.parameters().flat_grad().zero_();
    torch::autograd::backward({objective.loss}, {});
    adam.step(training, 1e-4);
    ++step;
  }
  state.counters["systems"] = static_cast<double>(kSystems);
}
BENCHMARK(train_step_default)
    ->ArgName(kReferenceArgument)
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace lgode::bench
