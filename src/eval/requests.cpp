// Makes requests of options and checks them, many at a time.
#include "requests.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgode/core/error.h"
#include "lgode/core/parallel.h"
#include "lgode/data/time_text.h"

namespace lgode::eval {
namespace {

constexpr std::int64_t kDefaultSteps = 60;
constexpr std::int64_t kRequestsPerTask = 64;  // to check

}  // namespace

std::optional<double> too_far(const RunInfo& info, double start, const std::vector<double>& times) {
  const double most = kMostRanges * info.conditioning_length;
  const auto far = std::find_if(times.begin(), times.end(), [&](double t) { return t - start > most; });
  return far == times.end() ? std::nullopt : std::optional(*far);
}

std::string too_far_text(const RunInfo& info, const data::Description& about, const std::string& system, double start,
                         double time) {
  const double range = info.conditioning_length;
  const data::TimeText text(about);
  return fmt::format(
      "time {} of system {} is too far: {:.6g}{} after the prediction's start {}, but the model was trained on "
      "ranges of {:.6g}; ask for times up to {}, which is {:g} ranges ahead",
      text(time), system, time - start, about.time_unit.empty() ? "" : " " + about.time_unit, text(start), range,
      text(start + kMostRanges * range), kMostRanges);
}

void check_futures(const RunInfo& info, std::int64_t futures, Method method) {
  if (futures == 0) return;
  if (method != Method::kModel)
    throw ConfigError(
        fmt::format("`futures` {}: classical methods have one future; leave it out, or use the model", futures));
  const std::int64_t known = info.model.futures;
  if (known == 1)
    throw ConfigError(
        fmt::format("`futures` {}: the run was trained for the mean path only; train with `futures` {}, or "
                    "use `paths` of a prediction for scenarios from its intervals",
                    futures, std::max<std::int64_t>(futures, 2)));
  if (futures > known)
    throw ConfigError(fmt::format("`futures` {}: the run was trained for {}; ask for at most as many", futures, known));
}

data::BatchMaker::Request Requests::operator()(std::int64_t system, std::size_t at) const {
  const double shift = options_.relative ? maker_.dataset().origin(system) : 0.0;
  data::BatchMaker::Request r;
  r.system = system;
  r.relative = options_.relative;
  r.include_start = options_.include_start;
  if (options_.start) r.start = *options_.start + shift;
  if (!options_.own_times.empty()) {
    r.times = options_.own_times[at];
    return r;
  }
  for (double t : options_.times) r.times.push_back(t + shift);
  if (r.times.empty()) r.times = default_times(start_of(r));
  return r;
}

// The next frames, `count` of them at most, as far as `horizon` if it is given: whole counts where the table has them,
// else to the digits that all times have.
std::vector<double> Requests::frame_times(double start, const data::FrameWindows& frames) const {
  constexpr double kMargin = 1e-6, kMost = 1e6;  // more frames are too far for any model
  const double rate = maker_.dataset().description().rate;
  const std::int64_t count =
      options_.horizon
          ? static_cast<std::int64_t>(std::min(kMost, std::floor(options_.horizon->value / frames.step + kMargin)))
          : frames.asked;
  std::vector<double> times;
  for (std::int64_t k = 1; k <= count; ++k) {
    const double time = start + static_cast<double>(k) * frames.step, whole = std::round(time * rate);
    times.push_back(rate > 0 && std::abs(time * rate - whole) < kMargin ? whole / rate
                                                                        : std::stod(fmt::format("{:.15g}", time)));
  }
  if (times.empty()) times.push_back(start + options_.horizon->value);
  return times;
}

std::vector<double> Requests::default_times(double start) const {
  if (const data::FrameWindows& own = maker_.dataset().description().frames,
      &frames = own ? own : run_.info.table.frames;
      frames && run_.info.task.task == data::Task::kExtrapolate)
    return frame_times(start, frames);
  const double horizon = options_.horizon ? options_.horizon->value : trained_reach(run_.info);
  const double rate = maker_.dataset().description().rate;
  std::vector<double> times;
  if (!(rate > 0)) {
    for (std::int64_t k = 0; k <= kDefaultSteps; ++k)
      times.push_back(start + horizon * static_cast<double>(k) / kDefaultSteps);
    return times;
  }
  // Whole counts, from the first one that is not before the start.
  const double margin = 1e-6, first = std::ceil(start * rate - margin), last = (start + horizon) * rate + margin;
  const double step = std::max(1.0, std::round(horizon * rate / static_cast<double>(kDefaultSteps)));
  for (double count = first; count <= last; count += step) times.push_back(std::max(start, count / rate));
  if (times.empty()) times.push_back(start + horizon);
  return times;
}

Asked Requests::asked(std::int64_t system, std::size_t at) const {
  data::BatchMaker::Request r = (*this)(system, at);
  const double start = start_of(r);
  return {system, maker_.dataset().objects_of(system), start, std::move(r.times)};
}

Requests::Answer Requests::refusal(const data::BatchMaker::Request& request) const {
  const data::Dataset& set = maker_.dataset();
  if (const auto far = too_far(run_.info, start_of(request), request.times))
    return {too_far_text(run_.info, set.description(), set.system_id(request.system), start_of(request), *far),
            &Skipped::too_far};
  const auto refused = maker_.refusal(request);
  if (!refused) return {};
  return {refused->what,
          refused->kind == data::BatchMaker::Refusal::kBeforeStart ? &Skipped::before_start : &Skipped::nothing_seen};
}

std::vector<std::size_t> Requests::answerable(const std::vector<std::int64_t>& systems, Skipped& skipped) const {
  std::vector<Answer> answers(systems.size());
  const auto tasks = (static_cast<std::int64_t>(systems.size()) + kRequestsPerTask - 1) / kRequestsPerTask;
  parallel_tasks(tasks, at::get_num_threads(), [&](std::int64_t task) {
    const auto begin = static_cast<std::size_t>(task * kRequestsPerTask);
    const std::size_t end = std::min(begin + static_cast<std::size_t>(kRequestsPerTask), systems.size());
    for (std::size_t i = begin; i < end; ++i) answers[i] = refusal((*this)(systems[i], i));
  });
  std::vector<std::size_t> places;
  std::optional<std::string> first;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    if (!answers[i].refused) {
      places.push_back(i);
      continue;
    }
    ++(skipped.*answers[i].count);
    if (!options_.own_times.empty()) throw ConfigError(*answers[i].refused);
    if (!first) first = answers[i].refused;
  }
  if (places.empty() && first)
    throw ConfigError(systems.size() == 1 ? *first
                                          : fmt::format("none of the {} systems can be predicted; the first: {}",
                                                        systems.size(), *first));
  return places;
}

}  // namespace lgode::eval
