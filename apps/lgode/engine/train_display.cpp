// Formats the reports of a training for the terminal.
#include "engine/train_display.h"

#include <fmt/format.h>

#include <utility>

#include "lgode/data/task.h"
#include "lgode/use/format.h"
#include "text/start_text.h"

namespace lgode::app {

void TrainDisplay::centre(const train::CentreChoice& c) {
  const bool relative = c.centre == data::Centre::kSystem;
  const char* kind = relative ? "relative to each system's mean" : "as in the data";
  if (!c.none || !c.system) {
    progress_.line(
        fmt::format("positions: {}, because systems lie {} zero than they are wide; both kinds were not compared: {}",
                    kind, relative ? "farther from" : "no farther from",
                    c.too_few_steps ? "fewer than 100 steps are too few" : "no system validates"));
    return;
  }
  progress_.line(fmt::format(
      "positions: {}; root mean square validation error after {} steps: relative {:.4g}, absolute {:.4g} of the "
      "range",
      kind, c.steps, *c.system, *c.none));
}

void TrainDisplay::trial(const train::CentreTrial& t) {
  if (t.done > 0) {
    progress_.live(fmt::format("comparing positions: step {} of {}", t.done, 2 * t.steps));
    return;
  }
  progress_.line(fmt::format(
      "comparing positions as in the data with those relative to each system's mean: {} with each, about {} in total; "
      "--centre none or --centre system skips this",
      use::format_plural(t.steps, "step"), use::format_duration(t.seconds)));
}

void TrainDisplay::begin(const train::StartReport& r) {
  progress_.line(fmt::format("{}: {} to train on, {} to validate; {} of {} per epoch, {} in total", start_,
                             use::format_plural(r.train_systems, "system"), use::format_count(r.validation_systems),
                             use::format_plural(r.steps_per_epoch, "step"), use::format_count(r.batch),
                             use::format_count(r.steps)));
  if (!note_.empty()) progress_.line(note_);
  for (const std::string& line : start_lines(r)) progress_.line(line);
  if (r.steps > 0 && r.steps < 100)
    progress_.line("note: fewer than 100 steps train little; more --epochs or a smaller --batch give more steps");
}

void TrainDisplay::initial(double error, const std::string& start) {
  validation_ = use::format_error(error);
  progress_.line(fmt::format("step 0: validation {}, {}", validation_, start));
}

void TrainDisplay::step(const train::StepReport& r) {
  // The most important numbers come first: a narrow terminal cuts the line.
  progress_.live(fmt::format(
      "epoch {}/{}  step {}/{}  {} left  loss {:.4g}  validation {}  log-likelihood {:.4g}  KL {:.4g}", r.epoch,
      r.epochs, r.step, r.steps, use::format_duration(r.seconds_left), r.loss, validation_, r.reconstruction, r.kl));
}

void TrainDisplay::epoch(const train::EpochReport& r) {
  validation_ = r.validation ? use::format_error(*r.validation) : "-";
  // A log gets about fifty lines; metrics.jsonl has every epoch.
  const std::int64_t stride = progress_.terminal() ? 1 : (r.epochs + 49) / 50;
  if (std::exchange(first_, false) || r.epoch == r.epochs || r.epoch % stride == 0) print(r);
}

void TrainDisplay::print(const train::EpochReport& r) {
  progress_.line(fmt::format(
      "epoch {}/{}  step {}  loss {:.4g}  log-likelihood {:.4g}  KL {:.4g}  error {}  validation {}{}  {} "
      "({:.0f} ms per step)  {} left",
      r.epoch, r.epochs, r.steps, r.loss, r.reconstruction, r.kl, use::format_error(r.mse), validation_,
      r.best ? " (best)" : "", use::format_duration(r.seconds), r.step_ms, use::format_duration(r.seconds_left)));
}

}  // namespace lgode::app
