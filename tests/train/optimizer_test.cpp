// Adam, AdamW, gradient clipping, learning rate schedule, KL weight, and the flat parameters.
#include "lgode/train/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/numeric.h"

namespace lgode::train {
namespace {

// Adam for a single number.
struct Scalar {
  double w = 0, m = 0, v = 0;
  int t = 0;
  void step(double g, double lr, double decay, bool decoupled) {
    if (decoupled)
      w *= 1 - lr * decay;
    else
      g += decay * w;
    ++t;
    m = 0.9 * m + 0.1 * g, v = 0.999 * v + 0.001 * g * g;
    w -= lr * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
  }
};

TEST(AdamTest, MatchesTheFormula) {
  for (Optimizer kind : {Optimizer::kAdamW, Optimizer::kAdam}) {
    model::Parameters p;
    p.add("w", {1}, 0, 2.0);
    p.finish(at::kDouble, at::kCPU, 1);
    AdamState adam(p);
    TrainOptions options;
    options.optimizer = kind, options.weight_decay = 0.1, options.clip = 0;
    Scalar expected{.w = 2.0};
    options.lr = 0.01, options.warmup = 0, options.schedule = RateSchedule::kConstant;
    std::int64_t step = 0;
    for (double g : {0.5, -2.0, 0.1}) {
      p.flat_grad().fill_(g);
      adam.update(options, step_rates(options, step++, 3));
      expected.step(g, 0.01, 0.1, kind == Optimizer::kAdamW);
      EXPECT_NEAR(p["w"].item<double>(), expected.w, 1e-12);
    }
  }
}

TEST(AdamTest, ClipsTheGradientsNorm) {
  model::Parameters p;
  p.add("w", {2}, 0, 0.0);
  p.finish(at::kDouble, at::kCPU, 1);
  AdamState adam(p);
  const at::Tensor gradient = at::tensor(std::vector<double>{30.0, 40.0}, at::kDouble);
  p.flat_grad().copy_(gradient);
  EXPECT_DOUBLE_EQ(adam.clip(100.0).item<double>(), 50.0);
  EXPECT_TRUE(p.flat_grad().equal(gradient));  // within the limit
  EXPECT_DOUBLE_EQ(adam.clip(0.0).item<double>(), 50.0);
  EXPECT_TRUE(p.flat_grad().equal(gradient));  // no limit
  EXPECT_DOUBLE_EQ(adam.clip(1.0).item<double>(), 50.0);
  lgode::testing::expect_close(p.flat_grad(), at::tensor(std::vector<double>{0.6, 0.8}, at::kDouble));
  p.flat_grad().zero_();
  EXPECT_DOUBLE_EQ(adam.clip(1.0).item<double>(), 0.0);
  EXPECT_TRUE(p.flat_grad().equal(at::zeros_like(gradient)));
}

TEST(ScheduleTest, WarmsUpThenFallsToZeroWithTheRun) {
  TrainOptions o;
  o.schedule = RateSchedule::kCosine, o.lr = 1.0, o.warmup = 10;
  EXPECT_DOUBLE_EQ(learning_rate(o, 0, 110), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate(o, 9, 110), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(o, 60, 110), 0.5);
  EXPECT_LT(learning_rate(o, 109, 110), 1e-3);
  EXPECT_DOUBLE_EQ(learning_rate(o, 4, 50), 1.0);  // a short run warms up over a tenth of its steps
  o.schedule = RateSchedule::kConstant;
  EXPECT_DOUBLE_EQ(learning_rate(o, 109, 110), 1.0);
}

// Ten steps per epoch: a run of eleven epochs, then four and five more.
TEST(ScheduleTest, StartsAgainWithoutChangingWhatWasBefore) {
  TrainOptions o;
  o.schedule = RateSchedule::kCosine, o.lr = 1.0, o.warmup = 10, o.epochs = 11;
  TrainOptions longer = o;
  longer.epochs = 20, longer.restarts = "11:0.1,15:0.5";
  for (std::int64_t step = 0; step < 110; ++step)
    EXPECT_EQ(learning_rate(longer, step, 200), learning_rate(o, step, 110)) << step;
  EXPECT_DOUBLE_EQ(learning_rate(longer, 110, 200), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate(longer, 130, 200), 0.05);
  EXPECT_LT(learning_rate(longer, 149, 200), 1e-3);
  EXPECT_DOUBLE_EQ(learning_rate(longer, 150, 200), 0.5);
  EXPECT_LT(learning_rate(longer, 199, 200), 1e-3);
  longer.schedule = RateSchedule::kConstant;
  EXPECT_DOUBLE_EQ(learning_rate(longer, 109, 200), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(longer, 149, 200), 0.1);
}

TEST(ScheduleTest, KlWeightRises) {
  TrainOptions o;
  o.kl_weight = 2.0, o.kl_warmup = 100;
  EXPECT_DOUBLE_EQ(kl_weight_at(o, 0), 0.0);
  EXPECT_DOUBLE_EQ(kl_weight_at(o, 50), 1.0);
  EXPECT_DOUBLE_EQ(kl_weight_at(o, 1000), 2.0);
  o.kl_warmup = 0;
  EXPECT_DOUBLE_EQ(kl_weight_at(o, 0), 2.0);
}

TEST(ParametersTest, AreViewsOfOneBufferWithLibTorchsInitialSize) {
  model::Parameters p;
  p.add_linear("a", 50, 16);
  p.add_linear("b", 3, 50, false);
  p.finish(at::kFloat, at::kCPU, 4);
  EXPECT_EQ(p.count(), 50 * 16 + 50 + 150);
  EXPECT_LE(p["a.weight"].abs().max().item<double>(), 0.25);
  EXPECT_GT(p["a.weight"].abs().max().item<double>(), 0.24);
  EXPECT_NEAR(p["a.weight"].mean().item<double>(), 0.0, 0.02);
  torch::autograd::backward({(p["a.bias"] * 2).sum()}, {});
  EXPECT_DOUBLE_EQ(p.flat_grad().sum().item<double>(), 100.0);
  p.flat().fill_(3.0);
  EXPECT_DOUBLE_EQ(p["b.weight"].sum().item<double>(), 450.0);
}

}  // namespace
}  // namespace lgode::train
