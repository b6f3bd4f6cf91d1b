// Decides when the learning rate is lowered, and when a training ends. The numbers were chosen on validation parts.
#include "lgode/train/plateau.h"

#include <algorithm>
#include <cmath>

namespace lgode::train {
namespace {

constexpr double kGain = 0.01;                // an error that is lower by this share counts as a gain
constexpr double kFall = 0.25;                // of the rate, each time
constexpr std::int64_t kRates = 3;            // that a training has
constexpr std::int64_t kLeastPatience = 200;  // steps, of the first rate
constexpr std::int64_t kLeastEpochs = 3;      // that a decision needs
constexpr double kWaited = 0.3;               // patience as a share of the steps until the last gain
constexpr double kLater = 0.5;                // patience of lower rates, relative to the first one's
constexpr double kAverage = 8.0;              // the average spans about this part of the steps: 1 / 9

}  // namespace

double newest_share(std::int64_t step) {
  return std::min(1.0, (kAverage + 1.0) / (static_cast<double>(step) + kAverage));
}

double Plateau::rate() const { return std::pow(kFall, static_cast<double>(lowered)); }

std::int64_t Plateau::patience(std::int64_t steps_per_epoch, const std::optional<std::int64_t>& given) const {
  double steps = given ? static_cast<double>(*given)
                       : std::max(static_cast<double>(kLeastPatience), kWaited * static_cast<double>(mark_step));
  if (lowered > 0) steps *= kLater;
  return std::max<std::int64_t>(given ? 1 : kLeastEpochs * steps_per_epoch, std::llround(steps));
}

Plateau::Move Plateau::offer(const std::optional<double>& error, std::int64_t step, std::int64_t steps_per_epoch,
                             const std::optional<std::int64_t>& given) {
  const bool finite = error && std::isfinite(*error);
  if (finite && (!mark || *error < (1.0 - kGain) * *mark)) {
    mark = error, mark_step = step;
    return Move::kGoOn;
  }
  if (step - mark_step < patience(steps_per_epoch, given)) return Move::kGoOn;
  if (lowered + 1 >= kRates) {
    over = true;
    return Move::kEnd;
  }
  ++lowered, mark_step = step;
  return Move::kLower;
}

std::int64_t Plateau::least_left(std::int64_t step, std::int64_t steps_per_epoch,
                                 const std::optional<std::int64_t>& given) const {
  if (over) return 0;
  const std::int64_t first = std::max<std::int64_t>(0, mark_step + patience(steps_per_epoch, given) - step);
  Plateau next = *this;
  next.lowered = lowered + 1, next.mark_step = step + first;
  return first + (kRates - 1 - lowered) * next.patience(steps_per_epoch, given);
}

}  // namespace lgode::train
