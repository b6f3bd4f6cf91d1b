// Lists the jobs.
#include "lgode/benchmark/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgode/benchmark/paths.h"
#include "lgode/reproduce/plan.h"
#include "lgode/use/format.h"

namespace lgode::benchmark {

std::string Job::name() const {
  std::string text = fold + (task == Task::kImpute ? "-impute" : "") + "-" + row;
  return trains() ? fmt::format("{}-{}", text, seed) : text;
}

Selection select_rows(const std::string& text, std::int64_t seeds, const std::string& flag) {
  std::vector<std::string> words;
  for (const ClassicalMethod& method : classical_rows()) words.emplace_back(method.word);
  if (text.empty()) return {true, words, seeds};
  return {false, reproduce::choose(flag, text, words), seeds};
}

std::vector<Job> plan(const Protocol& protocol, const Selection& selection) {
  std::vector<Job> jobs;
  for (const Fold& fold : protocol.folds) {
    if (protocol.has(Task::kForecast))
      for (const std::string& row : selection.rows) jobs.push_back({fold.name, Task::kForecast, row});
    if (protocol.has(Task::kImpute)) jobs.push_back({fold.name, Task::kImpute, kLineRow});
  }
  if (!selection.model) return jobs;
  for (std::int64_t seed = 1; seed <= selection.seeds; ++seed)
    for (const Task task : {Task::kForecast, Task::kImpute})
      for (const Fold& fold : protocol.folds)
        if (protocol.has(task)) jobs.push_back({fold.name, task, kModelRow, static_cast<std::uint64_t>(seed)});
  return jobs;
}

std::string cost_text(const std::vector<Job>& left, std::optional<double> minutes, std::int64_t jobs) {
  const auto trainings = std::count_if(left.begin(), left.end(), [](const Job& job) { return job.trains(); });
  const auto classical = static_cast<std::int64_t>(left.size()) - trainings;
  std::string text;
  if (classical > 0) text = fmt::format("{}: seconds each\n", use::format_plural(classical, "classical row"));
  if (trainings == 0) return text;
  if (!minutes)
    return text + fmt::format(
                      "{}, whose options say how long they take, with the trials before and the forecasts after each\n",
                      use::format_plural(trainings, "training"));
  const std::int64_t rounds = (trainings + jobs - 1) / jobs;
  return text +
         fmt::format(
             "{} of at most {} each: at most {}, {} at a time, and the trials before and the forecasts after each\n",
             use::format_plural(trainings, "training"), use::format_duration(60 * *minutes),
             use::format_duration(60 * *minutes * static_cast<double>(rounds)), jobs);
}

}  // namespace lgode::benchmark
