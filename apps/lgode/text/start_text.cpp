// Words for size, cost and left-out systems of a training.
#include "text/start_text.h"

#include <fmt/format.h>

#include "lgode/use/format.h"
#include "text/flag_text.h"

namespace lgode::app {
namespace {

std::string format_short(double seconds) {
  if (seconds >= 0.9995) return use::format_duration(seconds);
  return seconds < 0.00995 ? fmt::format("{:.1f} ms", 1e3 * seconds) : fmt::format("{:.0f} ms", 1e3 * seconds);
}

// "1 system is", "3 systems are"
std::string systems_are(std::int64_t number) {
  return fmt::format("{} {}", use::format_plural(number, "system"), number == 1 ? "is" : "are");
}

// "5 min 00 s", or from the earliest end to the limit.
std::string span_text(const train::StartReport& report, const train::Cost& cost) {
  const std::string most = format_short(cost.seconds), least = format_short(cost.least_seconds);
  return !report.open || least == most ? most : fmt::format("{} to {}", least, most);
}

// The cause, and what keeps the systems; a warning where many of them are lost.
void add_skipped(const train::StartReport& report, std::vector<std::string>& lines) {
  const train::LeftOut& l = report.left_out;
  const std::int64_t left = report.train_systems + report.validation_systems;
  const std::int64_t all = left + l.without_targets + l.unseen + l.between;
  const auto add = [&](std::int64_t count, const char* cause, const char* advice) {
    if (count == 0) return;
    constexpr std::int64_t kMany = 4;  // a quarter
    lines.push_back(fmt::format("{}: {} skipped: {}; {} of {} are left; {}", kMany * count >= all ? "warning" : "note",
                                systems_are(count), cause, use::format_count(left), use::format_count(all), advice));
  };
  add(l.without_targets, "no observation to predict in the range that training uses",
      "longer windows keep them (--window and --first-range at the import)");
  add(l.unseen, "no observation to show to the model",
      "a larger --observed keeps them, or longer windows (--window at the import)");
  add(l.between, "windows of the same recording as the validating ones, which they overlap",
      "--validation 0 keeps them, without a best epoch, and a larger --stride at the import loses fewer");
  if (!l.outliers.empty()) lines.push_back(fmt::format("note: {}; not used (--outliers use takes them)", l.outliers));
}

// The base path, and the errors that decided.
std::string base_text(const train::BaseChoice& base) {
  if (!base.kind) return "base path: none; training starts at what observations make of the state alone";
  const std::string name(classical_method(*base.kind).name);
  const std::string left =
      base.left
          ? "; observations show the whole state, so training starts from that and keeps the path only if it does "
            "not get below it"
          : "";
  if (base.errors.empty()) return fmt::format("base path: {}{}", name, left);
  std::string rows;
  for (const auto& [kind, error] : base.errors)
    rows += fmt::format("{}{} {}", rows.empty() ? "" : ", ", classical_method(kind).name, use::format_error(error));
  return fmt::format("base path: {}, of the lowest error on {} ({}; --base names another){}", name,
                     base.validated ? "the validation part" : "training systems", rows, left);
}

}  // namespace

std::string format_memory(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string format_stop(const train::TrainResult& r) {
  const std::string steps = use::format_plural(r.steps_in_epoch, "step");
  if (r.epochs == 0) return steps;
  return fmt::format("{}{} ({} in total)", use::format_plural(r.epochs, "whole epoch"),
                     r.steps_in_epoch > 0 ? " and " + steps : "", use::format_plural(r.steps, "step"));
}

std::vector<std::string> start_lines(const train::StartReport& report) {
  std::vector<std::string> lines;
  add_skipped(report, lines);
  for (const std::string& line : report.left_out.chosen) lines.push_back(with_flags(line));
  if (report.none_held_out)
    lines.push_back(
        "note: no system is held out to validate, because only one can be used, or all windows overlap; the last "
        "epoch counts as the best");
  if (report.base) lines.push_back(base_text(*report.base));
  if (report.turned)
    lines.push_back(
        "turn: random; positions are relative to each system's mean, and each step turns and mirrors every system; "
        "--turn none if a direction matters");
  if (report.hidden_values > 0)
    lines.push_back(fmt::format(
        "hidden values: {} of the context, drawn again in each epoch, because the training part lacks values "
        "(--hide-values)",
        use::format_percent(report.hidden_values)));
  if (report.will_lack_values)
    lines.push_back(
        "warning: the data lacks values outside its training part only; a model trained like this cannot take such "
        "observations, and lgode evaluate will refuse the data: train with --hide-values 0.2");
  if (report.done > 0) lines.push_back(fmt::format("resuming after {}", use::format_plural(report.done, "step")));
  if (!report.cost) return lines;
  const train::Cost& c = *report.cost;
  lines.push_back(fmt::format("size: {}, {} and {} in a typical batch; {}", use::format_plural(c.objects, "object"),
                              use::format_plural(c.observations, "observation"),
                              use::format_plural(c.relations, "relation"),
                              use::format_plural(c.parameters, "parameter")));
  if (c.step_seconds <= 0) return lines;
  lines.push_back(
      fmt::format("cost: about {} per step, {} per epoch, {} {}{}", format_short(c.step_seconds),
                  format_short(c.epoch_seconds), span_text(report, c), report.done > 0 ? "for the rest" : "in total",
                  c.memory > 0 ? fmt::format("; at most about {} of memory", format_memory(c.memory)) : ""));
  if (c.memory > 0 && c.machine > 0 && c.memory > c.machine)
    lines.push_back(
        fmt::format("warning: that is more memory than there is ({}); a smaller --batch needs less, as do fewer "
                    "relations: lgode import csv --edges k-nearest=K, and --interaction neighbours",
                    format_memory(c.machine)));
  return lines;
}

}  // namespace lgode::app
