// Formats the reports of a training for the terminal.
#include "engine/train_display.h"

#include <fmt/format.h>

#include <utility>

#include "lgode/data/task.h"
#include "lgode/use/format.h"
#include "text/start_text.h"

namespace lgode::app {

namespace {

// "3/30", or "3" where the training ends by itself
std::string epoch_text(std::int64_t epoch, const std::optional<std::int64_t>& epochs) {
  return epochs ? fmt::format("{}/{}", epoch, *epochs) : fmt::format("{}", epoch);
}

// The terms of the loss, where it has two.
std::string terms(double reconstruction, double kl) {
  return kl == 0 ? "" : fmt::format("  log-likelihood {:.4g}  KL {:.4g}", reconstruction, kl);
}

// "40 s left", "40 s to 5 min 00 s left"
std::string time_left(double most, double least) {
  const std::string until = use::format_duration(most);
  const std::string from = use::format_duration(least);
  return from == until ? until + " left" : fmt::format("{} to {} left", from, until);
}

}  // namespace

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

void TrainDisplay::place(const train::PlaceChoice& c) {
  const char* kind = c.on ? "inputs" : "not inputs, so that forecasts turn and move with the scene";
  if (!c.without || !c.with) {
    progress_.line(fmt::format("place: position and heading in the world are {}; not compared: {}", kind,
                               c.too_few_steps ? "fewer than 100 steps are too few" : "no system validates"));
    return;
  }
  progress_.line(fmt::format(
      "place: position and heading in the world are {}; root mean square validation error after {} steps: with them "
      "{:.4g}, without {:.4g} of the range",
      kind, c.steps, *c.with, *c.without));
}

void TrainDisplay::trial(const train::Trial& t) {
  const bool place = t.kind == train::Trial::Kind::kPlace;
  if (t.done > 0) {
    progress_.live(fmt::format("comparing {}: step {} of {}", place ? "inputs" : "positions", t.done, 2 * t.steps));
    return;
  }
  progress_.line(fmt::format("comparing {}: {} with each, about {} in total; {} skips this",
                             place ? "forecasts with and without position and heading in the world as inputs"
                                   : "positions as in the data with those relative to each system's mean",
                             use::format_plural(t.steps, "step"), use::format_duration(t.seconds),
                             place ? "--place on or --place off" : "--centre none or --centre system"));
}

void TrainDisplay::begin(const train::StartReport& r) {
  limited_ = r.steps < train::kNoEnd;
  const std::string length = !r.open    ? fmt::format("{} in total", use::format_count(r.steps))
                             : limited_ ? fmt::format("at most {} in total", use::format_count(r.steps))
                                        : "until the validation error no longer falls";
  progress_.line(fmt::format("{}: {} to train on, {} to validate; {} of {} per epoch, {}", start_,
                             use::format_plural(r.train_systems, "system"), use::format_count(r.validation_systems),
                             use::format_plural(r.steps_per_epoch, "step"), use::format_count(r.batch), length));
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
  progress_.live(fmt::format("epoch {}  step {}/{}  {}  loss {:.4g}  validation {}{}", epoch_text(r.epoch, r.epochs),
                             r.step, r.steps, time_left(r.seconds_left, r.least_seconds_left), r.loss, validation_,
                             terms(r.reconstruction, r.kl)));
}

void TrainDisplay::epoch(const train::EpochReport& r) {
  validation_ = r.validation ? use::format_error(*r.validation) : "-";
  // A log gets about fifty lines, without a limit as many for each doubling of the epochs; metrics.jsonl has them all.
  const std::int64_t all = r.epochs.value_or(r.epoch);
  const std::int64_t stride = progress_.terminal() ? 1 : (all + 49) / 50;
  if (std::exchange(first_, false) || r.seconds_left <= 0 || r.lowered || r.epoch % stride == 0) print(r);
}

void TrainDisplay::print(const train::EpochReport& r) {
  progress_.line(
      fmt::format("epoch {}  step {}  loss {:.4g}{}  training {}  validation {}{}  {} "
                  "({:.0f} ms per step)  {}{}",
                  epoch_text(r.epoch, r.epochs), r.steps, r.loss, terms(r.reconstruction, r.kl),
                  use::format_error(r.mse), validation_, r.best ? " (best)" : "", use::format_duration(r.seconds),
                  r.step_ms, time_left(r.seconds_left, r.least_seconds_left),
                  r.lowered ? "; back to the best weights, with a lower learning rate" : ""));
}

}  // namespace lgode::app
