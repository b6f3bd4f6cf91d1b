// The training loop: steps, validation, selection, stops. What follows from the data is made in prepare.cpp.
#include "lgode/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lgode/core/clock.h"
#include "lgode/core/error.h"
#include "lgode/core/evenly_spaced.h"
#include "lgode/core/json_text.h"
#include "lgode/core/median.h"
#include "lgode/ops/device.h"
#include "lgode/train/cost.h"
#include "lgode/train/ranks.h"

namespace lgode::train {
namespace {

constexpr std::int64_t kCollectEvery = 16;  // steps between two reads of the sums on a GPU, as each read waits for it

// With ranks: these steps end with a read on every rank, so that all stop after the same step on request.
constexpr std::int64_t kAgreeEvery = 4;

constexpr double kForwardShare = 0.4;  // of a step's time: its forward pass

// A model that a caller made from shape_for() has no base path.
RunConfig config_for(RunConfig config, const model::Model* own) {
  if (own != nullptr && !own->shape().base) config.model.base = model::Base::kOwn;
  return config;
}

// The caller's model, checked, or a new one where there is none.
std::unique_ptr<model::Model> model_for(std::unique_ptr<model::Model> own, const RunConfig& config,
                                        const model::ModelShape& shape, at::Device device) {
  if (own == nullptr) return model::make_model(config.model, shape, config.task.seed, at::kFloat, device);
  TORCH_CHECK_VALUE(own->options().kind == config.model.kind && own->shape() == shape,
                    "the model is of another kind or shape than the config and the data set ask for");
  TORCH_CHECK_VALUE(own->device() == device, "the model is on ", own->device(), ", the context on ", device);
  return own;
}

// The context of steps. Of a large data set a solve keeps a twelfth at most, so that the memory of the whole training
// stays below half of the set; without such a limit the default settings take 0.4 GiB beyond the program.
ops::Context step_context(const ops::Context& context, const RunConfig& config, const data::Dataset& dataset) {
  constexpr std::int64_t kLarge = std::int64_t{512} << 20, kShare = 12;
  ops::Context out = context.with_gradients(
      ops::pick_precision(config.model.precision, context.device, config.model.precision_is_saved));
  if (dataset.bytes() >= kLarge) out.spare = std::make_shared<ops::SpareMemory>(dataset.bytes() / kShare);
  return out;
}

// Some training systems, evenly spread: as many as validate, but few enough to cost little.
std::vector<std::int64_t> some_of(const data::Parts& parts) {
  constexpr std::size_t kMost = 256;
  const std::size_t all = parts.train.size(), like = parts.validation.empty() ? all / 10 : parts.validation.size();
  return evenly_spaced(parts.train, std::clamp<std::size_t>(like, 1, std::min(kMost, all)));
}

std::unique_ptr<model::Model> average_of(const model::Model& model, const RunConfig& config) {
  if (config.train.schedule != RateSchedule::kPlateau) return nullptr;
  at::NoGradGuard no_grad;
  std::unique_ptr<model::Model> average = model.fresh();
  average->parameters().flat().copy_(const_cast<model::Model&>(model).parameters().flat());
  return average;
}

// Number of steps whose input is prepared ahead.
std::int64_t inputs_ahead(const ops::Context& context) {
  return context.device.is_cpu() ? 2 : std::clamp<std::int64_t>(context.threads, 2, 12);
}

}  // namespace

Trainer::Trainer(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                 std::unique_ptr<model::Model> model, const eval::RunInfo* previous, Ranks* ranks)
    : ranks_(ranks),
      context_(step_context(context, config, dataset)),
      prepared_(prepare(config_for(config, model.get()), dataset, context_, previous, ranks)),
      model_(model_for(std::move(model), prepared_.config, prepared_.info.shape, context.device)),
      averaged_(average_of(*model_, prepared_.config)),
      adam_(model_->parameters()),
      steps_(*model_, prepared_.maker, prepared_.parts.train, *prepared_.config.train.batch, prepared_.config.train,
             context_, ranks != nullptr ? Share{ranks->rank(), ranks->size()} : Share{}),
      step_(make_step(*model_, adam_, prepared_.config.train, context_, ranks)),
      validation_(averaged_ != nullptr ? *averaged_ : *model_, prepared_.maker, prepared_.parts.validation, context_,
                  ranks),
      training_(averaged_ != nullptr ? *averaged_ : *model_, prepared_.maker, some_of(prepared_.parts), context_, ranks,
                data::View::kValidate) {}

StartReport Trainer::start() const {
  return {
      static_cast<std::int64_t>(prepared_.parts.train.size()),
      validation_.systems(),
      std::min(prepared_.config.train.batch.value(), static_cast<std::int64_t>(prepared_.parts.train.size())),
      steps_.steps_per_epoch(),
      steps_.steps(),
      plateau(),
      prepared_.config.train.minutes,
      at_.step,
      prepared_.left_out,
      prepared_.config.task.validation > 0 && validation_.systems() == 0,
      {},
      prepared_.config.task.hide_values ? 0.0 : data::hidden_share(prepared_.maker.dataset(), prepared_.config.task),
      prepared_.maker.dataset().has_missing() && !model_->shape().append_mask,
      prepared_.config.model.kind == model::ModelKind::kAssimilate ? std::optional(prepared_.base) : std::nullopt,
      prepared_.config.train.turn == Turn::kRandom};
}

Cost Trainer::estimate() {
  const ops::ContextScope scope(context_);
  std::optional<ops::Queue> queue;
  if (!in_queue_) queue.emplace(context_.device);
  Cost cost = estimate_step(*model_, steps_, context_);
  // A validation pass differentiates nothing.
  const double validation = kForwardShare * cost.step_seconds *
                            static_cast<double>(validation_.systems() + training_.systems()) /
                            static_cast<double>(start().batch);
  cost.epoch_seconds = static_cast<double>(steps_.steps_per_epoch()) * cost.step_seconds + validation;
  const TrainOptions& train = prepared_.config.train;
  const double per_step = cost.epoch_seconds / static_cast<double>(steps_.steps_per_epoch());
  cost.seconds = std::numeric_limits<double>::infinity();
  if (train.epochs)
    cost.seconds = static_cast<double>(steps_.steps() - at_.step) * cost.step_seconds +
                   static_cast<double>(*train.epochs - at_.epoch) * validation;
  if (train.minutes) cost.seconds = std::min(cost.seconds, std::max(0.0, 60.0 * *train.minutes - spent_));
  cost.least_seconds = cost.seconds;
  if (plateau() && validation_.systems() > 0)
    cost.least_seconds = std::min(cost.seconds, per_step * static_cast<double>(at_.plateau.least_left(
                                                               at_.step, steps_.steps_per_epoch(), train.patience)));
  return cost;
}

StepReport Trainer::step() {
  TORCH_CHECK_VALUE(!done() && !epoch_is_over(), "step: the ", done() ? "training" : "epoch", " is over");
  const ops::ContextScope scope(context_);
  std::optional<ops::Queue> queue;
  if (!in_queue_) queue.emplace(context_.device);
  if (!inputs_) {
    inputs_.emplace(
        ops::helpers(), [this](std::int64_t step) { return steps_.make(step); }, at_.step, steps_.steps(),
        inputs_ahead(context_));
    if (!first_step_) first_step_ = at_.step, started_ = Clock::now();
  }
  if (step_ends_.empty()) step_ends_ = {epoch_started_ = Clock::now()};
  inputs_->fill();
  StepInput input = inputs_->take();
  if (step_->will_capture(input))
    inputs_->settle();
  else
    inputs_->fill();
  std::unique_lock rest(rest_, std::defer_lock);
  if (at_.step == 0) leave_base();
  try {
    if (input.has_targets || ranks_ != nullptr)
      step_->take(std::move(input), rest);
    else
      rest.lock();
    const bool agreeing = ranks_ != nullptr && (context_.device.is_cpu() || (at_.step + 1) % kAgreeEvery == 0 ||
                                                at_.step_in_epoch + 1 == steps_.steps_per_epoch());
    if (agreeing || step_->uncollected() == 0 || step_->uncollected() >= kCollectEvery) collect();
    if (agreeing) stop_agreed_ = step_->asked_to_stop();
    add_to_average();
  } catch (const DivergedError& error) {
    throw DivergedError(fmt::format("{} at step {} of epoch {}", error.what(), at_.step_in_epoch + 1, at_.epoch + 1));
  }
  ++at_.step_in_epoch;
  ++at_.step;
  step_ends_.push_back(Clock::now());
  const StepSums& s = at_.sums;
  const auto n = static_cast<double>(std::max<std::int64_t>(s.steps, 1));
  StepReport report{at_.epoch + 1, prepared_.config.train.epochs, at_.step_in_epoch, steps_.steps_per_epoch(),
                    s.loss / n,    s.reconstruction / n,          s.kl / n,          s.mse / n};
  tell_time(report.seconds_left, report.least_seconds_left);
  return report;
}

void Trainer::leave_base() {
  if (!prepared_.base.left) return;
  const std::scoped_lock rest(rest_);
  model_->leave_base();
  if (averaged_ != nullptr) averaged_->leave_base();
}

void Trainer::collect() { at_.sums += step_->collect(); }

std::optional<double> Trainer::score_of(const Validation::Result& result) const {
  const bool own = prepared_.config.model.loss == model::Loss::kDistance ||
                   (plateau() && prepared_.config.task.task == data::Task::kInterpolate);
  return own ? std::optional(result.score) : std::nullopt;
}

std::optional<double> Trainer::select_initial(const StopFlag* stop) {
  const std::optional<Validation::Result> result = initial_error(stop);
  const std::scoped_lock rest(rest_);
  if (!result) return {};
  keep_initial(*result);
  return result->error;
}

std::optional<Validation::Result> Trainer::initial_error(const StopFlag* stop) {
  if (!model::starts_classical(prepared_.config.model.kind) || done() || at_.step > 0 || at_.selection.best) return {};
  const ops::ContextScope scope(context_.without_gradients());
  const std::optional<Validation::Result> result = validation_.result(stop);
  return result && std::isfinite(result->error) ? result : std::nullopt;
}

void Trainer::keep_initial(const Validation::Result& result) {
  at_.selection.offer(result.error, 0, score_of(result));
  keep_best();
}

void Trainer::keep_best() {
  best_weights_ = selectable().flat().detach().clone();
  best_info_ = info();
}

EpochReport Trainer::finish_epoch(const StopFlag* stop) {
  const Checked checked = validate(stop);
  const std::scoped_lock rest(rest_);
  return close_epoch(checked);
}

Trainer::Checked Trainer::validate(const StopFlag* stop) {
  TORCH_CHECK_VALUE(epoch_is_over(), "finish_epoch: steps of the epoch are left");
  const ops::ContextScope scope(context_.without_gradients());
  {
    const std::scoped_lock rest(rest_);
    collect();
  }
  agree();
  if (at_.sums.steps == 0)
    throw DataError(
        "no batch of the epoch has any targets; `start` random needs a `start_high` before the last observations");
  Checked checked;
  checked.validation = validation_.result(stop);
  checked.training = training_.result(stop)->error;
  checked.spent = spent_ + (step_ends_.empty() ? 0.0 : seconds_since(epoch_started_));
  if (ranks_ != nullptr) checked.spent = ranks_->sum(std::vector<double>{ranks_->rank() == 0 ? checked.spent : 0.0})[0];
  return checked;
}

EpochReport Trainer::close_epoch(const Checked& checked) {
  EpochReport report;
  const TrainOptions& train = prepared_.config.train;
  if (checked.validation) report.validation = checked.validation->error;
  report.mse = checked.training;
  const auto n = static_cast<double>(at_.sums.steps);
  report.step_ms = median_step_ms();
  report.loss = at_.sums.loss / n, report.reconstruction = at_.sums.reconstruction / n;
  report.kl = at_.sums.kl / n;
  if (model_->latent() > 0) kl_ = report.kl;
  ++at_.epoch;
  at_.step_in_epoch = 0;
  at_.sums = {};
  report.epoch = at_.epoch, report.epochs = train.epochs, report.steps = at_.step;
  report.lr = at_.plateau.rate() * learning_rate(train, at_.step - 1, steps_.steps());
  report.best = at_.selection.offer(report.validation, at_.epoch,
                                    checked.validation ? score_of(*checked.validation) : std::nullopt);
  if (report.best) keep_best();
  report.seconds = checked.spent - spent_;
  report.lowered = move_on(checked, report.seconds);
  spent_ = checked.spent;
  tell_time(report.seconds_left, report.least_seconds_left);
  step_ends_.clear();
  return report;
}

// Processors round differently; over many steps the weights of ranks must not drift apart.
void Trainer::agree() {
  if (ranks_ == nullptr) return;
  const std::scoped_lock rest(rest_);
  at::NoGradGuard no_grad;
  for (at::Tensor* tensor : {&model_->parameters().flat(), &adam_.first_moment(), &adam_.second_moment()})
    ranks_->broadcast(*tensor);
  if (averaged_ != nullptr) ranks_->broadcast(averaged_->parameters().flat());
}

void Trainer::agree_on_progress() {
  if (ranks_ == nullptr) return;
  at_ = Progress::from_json(parse_json(ranks_->broadcast(json_text(at_.to_json()))), "rank 0");
  agree();
}

// A larger limit lets a run go on that was out of time; the same one does not.
void Trainer::agree_on_time() {
  if (ranks_ != nullptr) {
    const bool first = ranks_->rank() == 0;
    const std::vector<double> times = ranks_->sum(std::vector<double>{first ? spent_ : 0.0, first ? last_epoch_ : 0.0});
    spent_ = times[0], last_epoch_ = times[1];
  }
  const std::optional<double>& minutes = prepared_.config.train.minutes;
  at_.plateau.out_of_time = at_.plateau.out_of_time && minutes && spent_ + 0.5 * last_epoch_ >= 60.0 * *minutes;
}

TrainResult Trainer::run(const TrainHooks& hooks, Keeper* keeper) {
  const ops::Queue queue(context_.device);
  struct Holding {
    explicit Holding(bool& flag) : held(flag) { held = true; }
    ~Holding() { held = false; }
    bool& held;
  } const holding(in_queue_);
  Keeper nobody;
  Keeper& keep = keeper != nullptr ? *keeper : nobody;
  const auto at_rest = [&](auto&& save) {
    const std::scoped_lock rest(rest_);
    return save();
  };
  if (ranks_ != nullptr) ranks_->watch(hooks.stop);
  agree_on_progress();
  at_rest([&] { keep.start(*this); });
  agree_on_time();
  if (hooks.on_start) {
    StartReport report = start();
    if (!done()) report.cost = estimate();
    hooks.on_start(report);
  }
  auto asked_to_stop = [&] {
    const bool asked = ranks_ != nullptr ? stop_agreed_ : hooks.stop != nullptr && hooks.stop->requested();
    return asked || (hooks.stop_after && at_.step >= *hooks.stop_after);
  };
  try {
    return run_to_the_end(hooks, keep, asked_to_stop);
  } catch (const RankLostError&) {
    at_rest([&] { keep.lost(*this); });
    throw;
  } catch (const Interrupted&) {  // other ranks have stopped already
    at_rest([&] { keep.stop(*this); });
    return result();
  }
}

TrainResult Trainer::run_to_the_end(const TrainHooks& hooks, Keeper& keep, const std::function<bool()>& asked_to_stop) {
  const auto at_rest = [&](auto&& save) {
    const std::scoped_lock rest(rest_);
    return save();
  };
  try {
    if (const std::optional<Validation::Result> found = initial_error(hooks.stop)) {
      at_rest([&] {
        keep_initial(*found);
        keep.initial(*this, found->error);
      });
      if (hooks.on_initial) hooks.on_initial(found->error);
    }
  } catch (const Interrupted&) {
    at_rest([&] { keep.stop(*this); });
    return result();
  }
  while (!done()) {
    if (!epoch_is_over()) {
      if (asked_to_stop()) {
        at_rest([&] { keep.stop(*this); });
        return result();
      }
      const StepReport report = step();
      if (hooks.on_step) hooks.on_step(report);
      if (!epoch_is_over()) at_rest([&] { keep.step(*this); });
      continue;
    }
    try {
      const Checked checked = validate(hooks.stop);
      const EpochReport report = at_rest([&] {
        EpochReport closed = close_epoch(checked);
        keep.epoch(*this, closed);
        return closed;
      });
      if (hooks.on_epoch) hooks.on_epoch(report);
    } catch (const Interrupted&) {
      at_rest([&] { keep.stop(*this); });
      return result();
    }
  }
  return result();
}

TrainResult Trainer::result() const {
  const End end = !done()                   ? End::kNotYet
                  : !plateau()              ? End::kFixed
                  : at_.plateau.over        ? End::kPlateau
                  : at_.plateau.out_of_time ? End::kMinutes
                                            : End::kEpochs;
  return {done(), at_.epoch, at_.step, at_.step_in_epoch, end, at_.selection.best, at_.selection.epoch, kl_};
}

std::optional<eval::Scores> Trainer::validation_scores(const StopFlag* stop) {
  const ops::ContextScope scope(context_.without_gradients());
  return validation_.scores(stop);
}

eval::RunInfo Trainer::info() const {
  eval::RunInfo info = prepared_.info;
  info.epoch = at_.epoch, info.step = at_.step;
  if (at_.selection.best) info.validation = *at_.selection.best;
  return info;
}

eval::Run Trainer::best() {
  at::NoGradGuard no_grad;
  eval::Run run;
  run.context = context_.without_gradients();
  run.info = best_weights_.defined() ? best_info_ : info();
  run.model = model_->fresh();
  run.model->parameters().flat().copy_(best_weights_.defined() ? best_weights_ : selectable().flat());
  return run;
}

// The host is at most two steps ahead of a GPU, so the times of its steps also measure the GPU's.
double Trainer::median_step_ms() const {
  std::vector<double> ms;
  for (std::size_t i = 1; i < step_ends_.size(); ++i)
    ms.push_back(std::chrono::duration<double, std::milli>(step_ends_[i] - step_ends_[i - 1]).count());
  return ms.empty() ? 0.0 : median(std::move(ms));
}

}  // namespace lgode::train
