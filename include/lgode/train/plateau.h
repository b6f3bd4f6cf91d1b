// A training without a fixed length (`schedule` plateau): how long the learning rate stays, and when the training ends.
//
// The rate is constant after the warm-up. The weights that are validated, and kept, are an average over the last part
// of the steps, so that they need no falling rate to be good (polynomial-decay averaging: Shamir and Zhang, 2013). Once
// the validation error has not fallen clearly for some steps, training goes back to the best average and continues with
// a lower rate; after the last rate it ends. Nothing depends on a limit (`epochs`, `minutes`): a run that a limit ended
// and that is resumed is the run with a larger limit, bit by bit. No LibTorch here.
#pragma once

#include <cstdint>
#include <optional>

namespace lgode::train {

// All of it is in the checkpoint.
struct Plateau {
  std::int64_t lowered = 0;         // how often the rate was lowered
  std::optional<double> mark = {};  // the error that has to be undercut; none: nothing was validated yet
  std::int64_t mark_step = 0;       // when it was reached, or the rate lowered
  bool over = false;                // the training has ended by itself
  bool out_of_time = false;         // it has reached `minutes`

  enum class Move { kGoOn, kLower, kEnd };
  // After a validation. `patience`: of the first rate, in steps; unset: automatic.
  Move offer(const std::optional<double>& error, std::int64_t step, std::int64_t steps_per_epoch,
             const std::optional<std::int64_t>& patience);
  // Steps without a gain after which the rate is lowered, or the training ends.
  std::int64_t patience(std::int64_t steps_per_epoch, const std::optional<std::int64_t>& given) const;
  // The fewest steps after which the training can end.
  std::int64_t least_left(std::int64_t step, std::int64_t steps_per_epoch,
                          const std::optional<std::int64_t>& given) const;
  // The learning rate relative to the first one.
  double rate() const;
};

// The share of the newest weights in the average after `step` steps (from 1 up).
double newest_share(std::int64_t step);

}  // namespace lgode::train
