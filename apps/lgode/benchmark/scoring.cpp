// Gives every track's errors to the groups that it counts in.
#include "benchmark/scoring.h"

#include <algorithm>
#include <functional>

namespace lgode::app {
namespace {

using namespace benchmark;

bool counts_in(const Protocol& protocol, const Group& group, const Asked& asked) {
  return asked.track->people >= group.least &&
         (!protocol.hides() || (group.fewest_hidden <= asked.count && asked.count <= group.most_hidden));
}

// `add` is called for every track and group of the task that it counts in.
Scores gather(const Protocol& protocol, Task task, const std::vector<Asked>& asked,
              const std::function<void(ScoreSum&, std::size_t)>& add) {
  Scores scores;
  for (const Group& group : protocol.groups) {
    if (group.task != task) continue;
    ScoreSum sum;
    for (std::size_t k = 0; k < asked.size(); ++k)
      if (counts_in(protocol, group, asked[k])) add(sum, k);
    scores[group.name] = sum.mean();
  }
  return scores;
}

}  // namespace

Scores score_classical(const Protocol& protocol, const std::vector<Asked>& asked, Classical method,
                       const Fitted& fitted) {
  const ClassicalForecast forecast(method, protocol.seconds(1), fitted);
  return gather(protocol, Task::kForecast, asked, [&](ScoreSum& sum, std::size_t k) {
    sum.add(*asked[k].track, forecast(*asked[k].track, asked[k].hidden));
  });
}

Scores score_line(const Protocol& protocol, const std::vector<Asked>& asked) {
  return gather(protocol, Task::kImpute, asked, [&](ScoreSum& sum, std::size_t k) {
    sum.add(*asked[k].track, asked[k].hidden, line(*asked[k].track, asked[k].hidden));
  });
}

Scores score_predictions(const Protocol& protocol, Task task, const std::vector<Asked>& asked,
                         const Predictions& predictions) {
  std::vector<Path> futures(static_cast<std::size_t>(predictions.futures()));
  return gather(protocol, task, asked, [&](ScoreSum& sum, std::size_t k) {
    const std::span<const Point> one = predictions.path(k);
    if (task == Task::kImpute) {
      Past past = {};
      std::copy(one.begin(), one.end(), past.begin());
      sum.add(*asked[k].track, asked[k].hidden, past);
      return;
    }
    Path path = {};
    std::copy(one.begin(), one.end(), path.begin());
    for (std::size_t f = 0; f < futures.size(); ++f) {
      const std::span<const Point> future = predictions.path(k, static_cast<std::int64_t>(f) + 1);
      std::copy(future.begin(), future.end(), futures[f].begin());
    }
    sum.add(*asked[k].track, path, futures);
  });
}

}  // namespace lgode::app
