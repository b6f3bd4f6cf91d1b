// The training step on a CPU, and on a GPU with captured steps.
#include "lgode/train/step.h"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/ops/device.h"

namespace lgode::train {
namespace {

constexpr std::int64_t kStepsBeforeCapture = 2;  // of the same shape: by then kernels and workspaces are loaded
constexpr std::size_t kMostCaptures = 12;
constexpr std::size_t kMostInFlight = 2;  // steps whose inputs the GPU may still be using

void check_finite(double loss, double norm) {
  if (!std::isfinite(loss)) throw DivergedError("training diverged: the loss is not finite");
  if (!std::isfinite(norm)) throw DivergedError("training diverged: the gradient is not finite");
}

class CpuStep : public Step {
 public:
  CpuStep(model::Model& model, AdamState& adam, const TrainOptions& options)
      : model_(model), adam_(adam), options_(options) {}

  void take(StepInput in, std::unique_lock<std::mutex>& rest) override {
    const Objective o = differentiate(model_, in);
    const double loss = o.loss.item<double>();
    check_finite(loss, adam_.clip(options_.clip).item<double>());
    rest.lock();
    adam_.update(options_, in.rates);
    sums_ += {1, loss, o.reconstruction.item<double>(), o.kl.item<double>(), o.mse.item<double>()};
  }

  StepSums collect() override { return std::exchange(sums_, {}); }
  std::int64_t uncollected() const override { return 0; }

 private:
  model::Model& model_;
  AdamState& adam_;
  TrainOptions options_;
  StepSums sums_;
};

class GpuStep : public Step {
 public:
  GpuStep(model::Model& model, AdamState& adam, const TrainOptions& options, at::Device device)
      : model_(model),
        adam_(adam),
        options_(options),
        device_(device),
        sums_(at::zeros({5}, at::TensorOptions(at::kDouble).device(device))) {}

  bool will_capture(const StepInput& in) const override { return in.capturable && will_capture(in.uploaded.shape()); }

  void take(StepInput in, std::unique_lock<std::mutex>& rest) override {
    rest.lock();
    ++uncollected_;
    if (!in.capturable) {
      launch(in);
    } else {
      const std::vector<std::int64_t> shape = in.uploaded.shape();
      const bool capture = will_capture(shape);
      ++steps_of_[shape];
      if (capture) {
        ops::CapturedWork work(device_, [&] { launch(in); });
        captured_.emplace(shape, Captured{std::move(in), std::move(work)}).first->second.work.replay();
        last_.emplace(device_);
        return;  // the input stays with the capture
      }
      if (const auto found = captured_.find(shape); found != captured_.end()) {
        ops::copy_all(in.uploaded.tensors(), found->second.input.uploaded.tensors());
        found->second.work.replay();
      } else {
        launch(in);
      }
    }
    last_.emplace(device_);
    in_flight_.emplace_back(std::move(in), *last_);
    for (; in_flight_.size() > kMostInFlight; in_flight_.pop_front()) in_flight_.front().second.wait();
  }

  StepSums collect() override {
    if (uncollected_ == 0) return {};
    last_->wait();  // this thread's queue may be another one than that of the steps
    const at::Tensor host = sums_.to(at::kCPU);
    sums_.zero_();
    const auto* s = host.data_ptr<double>();
    check_finite(s[0], s[4]);
    return {std::exchange(uncollected_, 0), s[0], s[1], s[2], s[3]};
  }

  std::int64_t uncollected() const override { return uncollected_; }

 private:
  // A captured step and the input that it was captured with; later inputs are copied into its tensors.
  struct Captured {
    StepInput input;
    ops::CapturedWork work;
  };

  bool will_capture(const std::vector<std::int64_t>& shape) const {
    if (!options_.capture_steps || captured_.size() >= kMostCaptures) return false;
    const auto taken = steps_of_.find(shape);
    return taken != steps_of_.end() && taken->second >= kStepsBeforeCapture && !captured_.contains(shape);
  }

  // Launches a whole step without waiting for the device.
  void launch(const StepInput& in) {
    const Objective o = differentiate(model_, in);
    const at::Tensor norm = adam_.clip(options_.clip);
    adam_.update(options_, in.rates);
    at::NoGradGuard no_grad;
    sums_.add_(at::stack({o.loss, o.reconstruction, o.kl, o.mse, norm}));
  }

  model::Model& model_;
  AdamState& adam_;
  TrainOptions options_;
  at::Device device_;
  at::Tensor sums_;  // loss, reconstruction, KL, error and gradient norm of the uncollected steps
  std::int64_t uncollected_ = 0;
  std::optional<ops::DeviceMark> last_;  // after the last step
  std::deque<std::pair<StepInput, ops::DeviceMark>> in_flight_;
  std::map<std::vector<std::int64_t>, Captured> captured_;
  std::map<std::vector<std::int64_t>, std::int64_t> steps_of_;  // by shape
};

}  // namespace

Objective differentiate(model::Model& model, const StepInput& in) {
  const Objective o = elbo(model, in.batch, *in.rollout, in.noise, in.rates[kKlWeight], in.dropout);
  model.parameters().flat_grad().zero_();
  torch::autograd::backward({o.loss}, {});
  return o;
}

std::unique_ptr<Step> make_step(model::Model& model, AdamState& adam, const TrainOptions& options,
                                const ops::Context& context) {
  if (context.device.is_cpu()) return std::make_unique<CpuStep>(model, adam, options);
  return std::make_unique<GpuStep>(model, adam, options, context.device);
}

}  // namespace lgode::train
