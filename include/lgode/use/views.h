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

// Collects the errors of single objects while a part is evaluated, which eval::Scores averages, and the surprise of
// systems: their own minFDE.
class ObjectErrors {
 public:
  // `features`: with the positions that distances are measured in; without any, there are no surprises.
  explicit ObjectErrors(const data::Normalisation& normalisation, eval::ErrorFeatures features = {})
      : normalisation_(normalisation), features_(std::move(features)), keeper_(normalisation, 1, 1) {}
  void add(const data::Batch& batch, const eval::PredictedPaths& predicted);

  // By system and object; only those with targets.
  const std::map<std::int64_t, std::map<std::int64_t, double>>& objects() const { return objects_; }
  // (error, system), ascending.
  std::vector<std::pair<double, std::int64_t>> systems() const;
  // SystemView::surprise; NaN where it is not known.
  double surprise(std::int64_t system) const;

 private:
  data::Normalisation normalisation_;
  eval::ErrorFeatures features_;
  eval::ScoreKeeper keeper_;
  std::map<std::int64_t, std::map<std::int64_t, double>> objects_;
  std::map<std::int64_t, double> surprises_;  // by system
};

struct ViewOptions {
  data::View view = data::View::kTest;
  std::int64_t times = 121;   // of the predicted path
  std::int64_t futures = 20;  // of each object: the most probable ones, at most as many as the run has
};

// The systems, each with its predicted path from the start to its last target. The context is the one of `view`, so
// that the path is the one that the evaluation measures. A system without context or without targets has no path.
// Errors (`mse`, `surprise`), ranks and parts are for the caller to set.
std::vector<report::SystemView> view_systems(const eval::Run& run, const data::Dataset& dataset,
                                             const std::vector<std::int64_t>& systems, const ViewOptions& options,
                                             const StopFlag* stop = nullptr);

}  // namespace lgode::use
