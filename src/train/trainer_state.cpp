// What a trainer keeps in addition to the weights in training: the average, the rate of `schedule` plateau,
// checkpoints, and the time that is left. The loop is in trainer.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lgode/core/clock.h"
#include "lgode/core/error.h"
#include "lgode/train/trainer.h"

namespace lgode::train {

void Trainer::add_to_average() {
  if (averaged_ == nullptr) return;
  at::NoGradGuard no_grad;
  averaged_->parameters().flat().lerp_(model_->parameters().flat(), newest_share(at_.step + 1));
}

bool Trainer::move_on(const Checked& checked, double epoch_seconds) {
  if (!plateau()) return false;
  const TrainOptions& train = prepared_.config.train;
  Plateau::Move move = Plateau::Move::kGoOn;
  if (checked.validation) {
    const double score = score_of(*checked.validation).value_or(checked.validation->error);
    move = at_.plateau.offer(score, at_.step, steps_.steps_per_epoch(), train.patience);
  }
  if (move == Plateau::Move::kLower) lower_rate();
  // An epoch that would end far beyond the limit is not begun.
  if (move != Plateau::Move::kEnd && train.minutes)
    at_.plateau.out_of_time = checked.spent + 0.5 * epoch_seconds >= 60.0 * *train.minutes;
  return move == Plateau::Move::kLower;
}

// Inputs that were made ahead have the earlier rate.
void Trainer::lower_rate() {
  inputs_.reset();
  steps_.scale_rate(at_.plateau.rate());
  at::NoGradGuard no_grad;
  if (!best_weights_.defined()) return;
  for (at::Tensor* weights : {&model_->parameters().flat(), &averaged_->parameters().flat()})
    weights->copy_(best_weights_);
}

void Trainer::save(const std::filesystem::path& path, const std::filesystem::path& previous) {
  collect();
  WeightsAside aside;
  if (averaged_ != nullptr) aside = {averaged_->parameters().flat(), best_weights_};
  save_training(path, prepared_.info, model_->parameters(), adam_, at_, aside, previous);
}

void Trainer::load(const std::filesystem::path& path) {
  TORCH_CHECK_VALUE(!inputs_, "load: steps were taken already");
  WeightsAside aside;
  const Progress progress = load_training(path, prepared_.maker.dataset(), model_->parameters(), adam_,
                                          averaged_ != nullptr ? &aside : nullptr);
  const std::optional<std::int64_t>& epochs = prepared_.config.train.epochs;
  const bool over = epochs && progress.epoch > *epochs;
  if (over || progress.step_in_epoch > steps_.steps_per_epoch() ||
      progress.step != progress.epoch * steps_.steps_per_epoch() + progress.step_in_epoch)
    throw DataError(fmt::format(
        "{}: its training progress does not fit the run: {} epochs, {} steps of the next one and {} steps in total, "
        "where the run has {} of {} steps",
        path.string(), progress.epoch, progress.step_in_epoch, progress.step,
        epochs ? fmt::format("{} epochs", *epochs) : "epochs", steps_.steps_per_epoch()));
  at_ = progress;
  if (averaged_ == nullptr) return;
  at::NoGradGuard no_grad;
  averaged_->parameters().flat().copy_(aside.average);
  if (aside.best.defined()) {
    best_weights_ = aside.best.to(context_.device);
    best_info_ = info();
    best_info_.epoch = at_.selection.epoch, best_info_.step = at_.selection.epoch * steps_.steps_per_epoch();
  }
  steps_.scale_rate(at_.plateau.rate());
}

void Trainer::tell_time(double& left, double& least) const {
  const auto done = static_cast<double>(at_.step - first_step_.value_or(at_.step));
  const double per_step = done > 0 ? seconds_since(started_) / done : 0.0;
  const TrainOptions& train = prepared_.config.train;
  left = std::numeric_limits<double>::infinity();
  if (train.epochs) left = per_step * static_cast<double>(steps_.steps() - at_.step);
  if (train.minutes) {
    const double spent = spent_ + (step_ends_.empty() || at_.step_in_epoch == 0 ? 0.0 : seconds_since(epoch_started_));
    left = std::min(left, std::max(0.0, 60.0 * *train.minutes - spent));
  }
  if (this->done()) left = 0;
  least = left;
  if (plateau() && validation_.systems() > 0)
    least = std::min(left, per_step * static_cast<double>(
                                          at_.plateau.least_left(at_.step, steps_.steps_per_epoch(), train.patience)));
}

}  // namespace lgode::train
