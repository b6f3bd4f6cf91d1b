// The training step on a CPU, and on a GPU with captured steps.
#include "lgode/train/step.h"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/ops/device.h"
#include "lgode/train/ranks.h"

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

// What is summed over ranks behind the gradient.
enum Tail { kLoss, kReconstruction, kKl, kMse, kSystems, kStop, kTailNumbers };
static_assert(kTailNumbers <= model::Parameters::kTail);

// Each rank differentiates the sum over its systems. One sum over ranks, of the gradient and the numbers behind it,
// then makes it the gradient of the whole step: systems have equal weights however they are distributed.
class RankedCpuStep : public Step {
 public:
  RankedCpuStep(model::Model& model, AdamState& adam, const TrainOptions& options, Ranks& ranks)
      : model_(model), adam_(adam), options_(options), ranks_(ranks) {}

  void take(StepInput in, std::unique_lock<std::mutex>& rest) override {
    model::Parameters& parameters = model_.parameters();
    const at::Tensor own = at::zeros({model::Parameters::kTail}, at::kDouble);
    auto* numbers = own.data_ptr<double>();
    if (in.has_targets) {
      const Objective o = differentiate(model_, in, Over::kSum);
      numbers[kLoss] = o.loss.item<double>(), numbers[kReconstruction] = o.reconstruction.item<double>();
      numbers[kKl] = o.kl.item<double>(), numbers[kMse] = o.mse.item<double>();
      numbers[kSystems] = o.systems.item<double>();
    } else {
      parameters.flat_grad().zero_();
    }
    numbers[kStop] = ranks_.stop().requested() ? 1 : 0;
    parameters.reduced_tail().copy_(own);
    ranks_.sum(parameters.reduced());
    own.copy_(parameters.reduced_tail());
    stop_ = stop_ || numbers[kStop] > 0;
    const double systems = numbers[kSystems];
    if (systems == 0) {
      rest.lock();
      return;
    }
    at::NoGradGuard no_grad;
    parameters.flat_grad().mul_(1.0 / systems);
    check_finite(numbers[kLoss], adam_.clip(options_.clip).item<double>());
    rest.lock();
    adam_.update(options_, in.rates);
    sums_ += {1, numbers[kLoss] / systems, numbers[kReconstruction] / systems, numbers[kKl] / systems,
              numbers[kMse] / systems};
  }

  StepSums collect() override { return std::exchange(sums_, {}); }
  std::int64_t uncollected() const override { return 0; }
  bool asked_to_stop() const override { return stop_; }

 private:
  model::Model& model_;
  AdamState& adam_;
  TrainOptions options_;
  Ranks& ranks_;
  StepSums sums_;
  bool stop_ = false;
};

class GpuStep : public Step {
 public:
  GpuStep(model::Model& model, AdamState& adam, const TrainOptions& options, at::Device device, Ranks* ranks)
      : model_(model),
        adam_(adam),
        options_(options),
        device_(device),
        ranks_(ranks),
        inside_(ranks != nullptr && ranks->on_device() && reduces_inside()),
        sums_(at::zeros({kSums}, at::TensorOptions(at::kDouble).device(device))) {}

  bool will_capture(const StepInput& in) const override { return in.capturable && will_capture(in.uploaded.shape()); }

  void take(StepInput in, std::unique_lock<std::mutex>& rest) override {
    if (ranks_ == nullptr) rest.lock();
    if (!in.capturable) {
      perform(in, nullptr, rest);
    } else {
      const std::vector<std::int64_t> shape = in.uploaded.shape();
      const bool capture = will_capture(shape);
      ++steps_of_[shape];
      if (capture) {
        Captured made = captured(std::move(in));
        Captured& kept = captured_.emplace(shape, std::move(made)).first->second;
        perform(kept.input, &kept, rest);
        last_.emplace(device_);
        return;  // the input stays with the capture
      }
      const auto found = captured_.find(shape);
      if (found != captured_.end()) ops::copy_all(in.uploaded.tensors(), found->second.input.uploaded.tensors());
      perform(in, found != captured_.end() ? &found->second : nullptr, rest);
    }
    last_.emplace(device_);
    in_flight_.emplace_back(std::move(in), *last_);
    for (; in_flight_.size() > kMostInFlight; in_flight_.pop_front()) in_flight_.front().second.wait();
  }

  StepSums collect() override {
    if (uncollected_ == 0) return {};
    last_->wait();  // this thread's queue may not be the steps' queue
    const at::Tensor host = sums_.to(at::kCPU);
    sums_.zero_();
    const auto* s = host.data_ptr<double>();
    check_finite(s[0], s[4]);
    stop_ = stop_ || s[6] > 0;
    const std::int64_t steps = ranks_ != nullptr ? std::llround(s[5]) : uncollected_;
    uncollected_ = 0;
    return {steps, s[0], s[1], s[2], s[3]};
  }

  std::int64_t uncollected() const override { return uncollected_; }
  bool asked_to_stop() const override { return stop_; }

 private:
  static constexpr std::int64_t kSums = 7;

  // A captured step and the input that it was captured with; later inputs are copied into its tensors. With a sum
  // over ranks in between, the second part is captured separately.
  struct Captured {
    StepInput input;
    ops::CapturedWork work;
    std::optional<ops::CapturedWork> rest;
  };

  // Whether the sum over ranks is part of a captured step (LGODE_REDUCE=inside) or takes place between its two parts.
  // docs/scaling.md compares them.
  static bool reduces_inside() {
    const char* place = std::getenv("LGODE_REDUCE");
    return place != nullptr && std::string_view(place) == "inside";
  }

  bool will_capture(const std::vector<std::int64_t>& shape) const {
    if (!options_.capture_steps || captured_.size() >= kMostCaptures) return false;
    const auto taken = steps_of_.find(shape);
    return taken != steps_of_.end() && taken->second >= kStepsBeforeCapture && !captured_.contains(shape);
  }

  Captured captured(StepInput in) {
    const bool apart = ranks_ != nullptr && !inside_;
    ops::CapturedWork work(device_, [&] { apart ? first_part(in) : launch(in); });
    std::optional<ops::CapturedWork> rest;
    if (apart) rest.emplace(device_, [&] { second_part(in.rates); });
    return {std::move(in), std::move(work), std::move(rest)};
  }

  // Launches a step, by replaying a captured one if there is one that fits.
  void perform(const StepInput& in, Captured* captured, std::unique_lock<std::mutex>& rest) {
    if (ranks_ != nullptr) note_stop();
    const auto begin_change = [&] {
      if (!rest.owns_lock()) rest.lock();
      ++uncollected_;
    };
    if (ranks_ == nullptr || inside_) {
      begin_change();
      captured != nullptr ? captured->work.replay() : launch(in);
      return;
    }
    captured != nullptr ? captured->work.replay() : first_part(in);
    ranks_->sum(model_.parameters().reduced());
    begin_change();
    captured != nullptr ? captured->rest->replay() : second_part(in.rates);
  }

  // Launches a whole step without waiting for the device.
  void launch(const StepInput& in) {
    if (ranks_ != nullptr) {
      first_part(in);
      ranks_->sum(model_.parameters().reduced());
      second_part(in.rates);
      return;
    }
    const Objective o = differentiate(model_, in);
    const at::Tensor norm = adam_.clip(options_.clip);
    adam_.update(options_, in.rates);
    at::NoGradGuard no_grad;
    sums_.narrow(0, 0, 5).add_(at::stack({o.loss, o.reconstruction, o.kl, o.mse, norm}));
  }

  // Not captured: it changes from step to step.
  void note_stop() {
    at::NoGradGuard no_grad;
    model_.parameters().reduced_tail().narrow(0, kStop, 1).fill_(ranks_->stop().requested() ? 1.0 : 0.0);
  }

  // With ranks, until the sum over them: gradient and sums of this rank's systems.
  void first_part(const StepInput& in) {
    model::Parameters& parameters = model_.parameters();
    at::NoGradGuard no_grad;
    if (!in.has_targets) {
      parameters.reduced().narrow(0, 0, parameters.count() + kStop).zero_();
      return;
    }
    Objective o;
    {
      const at::AutoGradMode gradients(true);
      o = differentiate(model_, in, Over::kSum);
    }
    parameters.reduced_tail()
        .narrow(0, 0, kStop)
        .copy_(at::stack({o.loss, o.reconstruction, o.kl, o.mse, o.systems.to(o.loss.scalar_type())}));
  }

  // With ranks, after it.
  void second_part(const at::Tensor& rates) {
    at::NoGradGuard no_grad;
    model::Parameters& parameters = model_.parameters();
    const at::Tensor tail = parameters.reduced_tail().to(at::kDouble);
    const at::Tensor systems = tail[kSystems].clamp_min(1.0), active = tail[kSystems].clamp_max(1.0);
    parameters.flat_grad().div_(systems);
    const at::Tensor norm = adam_.clip(options_.clip);
    adam_.update(options_, rates, active);
    sums_.add_(
        at::cat({tail.narrow(0, 0, kSystems) / systems, at::stack({norm.to(at::kDouble), active, tail[kStop]})}));
  }

  model::Model& model_;
  AdamState& adam_;
  TrainOptions options_;
  at::Device device_;
  Ranks* ranks_;
  bool inside_, stop_ = false;
  // Of the uncollected steps: loss, reconstruction, KL, error, gradient norm; with ranks also steps with targets and
  // requests to stop.
  at::Tensor sums_;
  std::int64_t uncollected_ = 0;
  std::optional<ops::DeviceMark> last_;  // after the last step
  std::deque<std::pair<StepInput, ops::DeviceMark>> in_flight_;
  std::map<std::vector<std::int64_t>, Captured> captured_;
  std::map<std::vector<std::int64_t>, std::int64_t> steps_of_;  // by shape
};

}  // namespace

Objective differentiate(model::Model& model, const StepInput& in, Over over) {
  const Objective o = elbo(model, in.batch, *in.rollout, in.noise, in.rates[kKlWeight], in.dropout, over);
  model.parameters().flat_grad().zero_();
  torch::autograd::backward({o.loss}, {});
  return o;
}

std::unique_ptr<Step> make_step(model::Model& model, AdamState& adam, const TrainOptions& options,
                                const ops::Context& context, Ranks* ranks) {
  if (!context.device.is_cpu()) return std::make_unique<GpuStep>(model, adam, options, context.device, ranks);
  if (ranks != nullptr) return std::make_unique<RankedCpuStep>(model, adam, options, *ranks);
  return std::make_unique<CpuStep>(model, adam, options);
}

}  // namespace lgode::train
