// Training on a GPU: captured steps, and memory over a thousand steps.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <utility>
#include <vector>

#include "cuda/gpu.h"
#include "lgode/data/simulate.h"
#include "lgode/train/run.h"
#include "lgode/train/trainer.h"
#include "support/batches.h"

namespace lgode {
namespace {

using lgode::testing::kGpu;

train::RunConfig small_run(std::int64_t epochs) {
  train::RunConfig config;
  config.train.schedule = train::RateSchedule::kCosine;
  config.train.epochs = epochs, config.train.batch = 64, config.train.device = train::Device::kCuda;
  config.train.checkpoint_seconds = 0;
  config.model.dropout = 0.2;
  return config;
}

train::TrainResult train_on_gpu(const train::RunConfig& config, const data::Dataset& dataset,
                                const train::TrainHooks& hooks) {
  return train::Trainer(config, dataset, train::make_context(config.train)).run(hooks);
}

// A captured step gives the same results as one that is launched operation by operation. The second data set has
// everything that a step may read from a batch: missing values, objects without observations, weighted relations of two
// types, ragged systems.
TEST(GpuTrainingTest, CapturedStepsAreTheSame) {
  LGODE_NEEDS_GPU();
  const data::Dataset plain = data::simulate({.train = 700, .test = 4, .seed = 5});
  const data::Dataset odd = lgode::testing::random_dataset({.objects = std::vector<std::int64_t>(300, 4),
                                                            .min_length = 12,
                                                            .max_length = 20,
                                                            .missing = 0.2,
                                                            .blind_share = 0.2});
  for (const data::Dataset& dataset : {plain, odd})
    for (const auto& [kind, task] : {std::pair{model::ModelKind::kLgOde, data::Task::kInterpolate},
                                     {model::ModelKind::kLgOde, data::Task::kExtrapolate},
                                     {model::ModelKind::kAssimilate, data::Task::kInterpolate},
                                     {model::ModelKind::kAssimilate, data::Task::kExtrapolate}}) {
      auto run = [&](bool capture) {
        train::RunConfig config = small_run(4);
        config.model.kind = kind;
        config.task.task = task;
        config.train.capture_steps = capture;
        std::vector<double> losses;
        train::TrainHooks hooks;
        hooks.on_epoch = [&](const train::EpochReport& r) {
          losses.insert(losses.end(), {r.loss, r.validation.value()});
        };
        train_on_gpu(config, dataset, hooks);
        return losses;
      };
      const std::vector<double> captured = run(true), launched = run(false);
      ASSERT_EQ(captured.size(), 8U);
      // Products may be split differently: rounding makes the runs drift apart slowly.
      for (std::size_t i = 0; i < captured.size(); ++i)
        EXPECT_NEAR(captured[i], launched[i], 2e-2 * std::abs(launched[i])) << i;
      EXPECT_NEAR(captured[0], launched[0], 1e-4 * std::abs(launched[0]));
    }
}

TEST(GpuTrainingTest, MemoryDoesNotGrowOverAThousandSteps) {
  LGODE_NEEDS_GPU();
  const data::Dataset dataset = data::simulate({.train = 700, .test = 4, .seed = 5});
  std::int64_t steps = 0, early = 0, late = 0, early_host = 0, late_host = 0;
  auto host_bytes = [] {
    std::ifstream statm("/proc/self/statm");
    std::int64_t total = 0, resident = 0;
    statm >> total >> resident;
    return resident * 4096;
  };
  train::TrainHooks hooks;
  hooks.on_step = [&](const train::StepReport&) {
    if (++steps == 300) early = ops::gpu_memory(kGpu), early_host = host_bytes();
    if (steps == 1300) late = ops::gpu_memory(kGpu), late_host = host_bytes();
  };
  train_on_gpu(small_run(130), dataset, hooks);
  ASSERT_GE(steps, 1300);
  EXPECT_GT(early, 0);
  EXPECT_LE(late - early, 64 << 20);  // a batch size that first occurs late allocates memory once
  EXPECT_LE(late_host - early_host, 64 << 20);
}

}  // namespace
}  // namespace lgode
