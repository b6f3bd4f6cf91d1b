// Systems of a data set as pages and figures show them, each predicted from the context that its evaluation gives it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/eval/metrics.h"
#include "lgode/eval/run.h"
#include "lgode/report/system_view.h"

namespace lgode::use {

// Collects the errors of single objects while a part is evaluated, which eval::Scores averages.
class ObjectErrors {
 public:
  explicit ObjectErrors(data::Normalisation normalisation) : keeper_(std::move(normalisation), 1, 1) {}
  void add(const data::Batch& batch, const float* predicted);

  // By system and object; only those with targets.
  const std::map<std::int64_t, std::map<std::int64_t, double>>& objects() const { return objects_; }
  // (error, system), ascending.
  std::vector<std::pair<double, std::int64_t>> systems() const;

 private:
  eval::ScoreKeeper keeper_;
  std::map<std::int64_t, std::map<std::int64_t, double>> objects_;
};

struct ViewOptions {
  data::View view = data::View::kTest;
  std::int64_t times = 121;  // of the predicted path
};

// The systems, each with its predicted path from the start to its last target. The context is the one of `view`, so
// that the path is the one that the evaluation measures. A system without context or without targets has no path.
// Errors
// (`mse`), ranks and parts are for the caller to set.
std::vector<report::SystemView> view_systems(const eval::Run& run, const data::Dataset& dataset,
                                             const std::vector<std::int64_t>& systems, const ViewOptions& options,
                                             const StopFlag* stop = nullptr);

}  // namespace lgode::use
