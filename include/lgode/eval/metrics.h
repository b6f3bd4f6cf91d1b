// Errors of predictions on targets, averaged as in the paper.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"

namespace lgode::eval {

struct HorizonBin {
  double begin = 0, end = 0;  // physical time since the start
  double mse = 0;             // normalised, mean over values
  std::int64_t values = 0;
};

// Mean squared errors in normalised units: averaged per object over its targets, then over features, objects and
// systems. NaN if there is nothing to average (JSON: null).
struct Scores {
  double mse = 0;                    // all targets, including seen ones
  double mse_unseen = 0;             // targets that the encoder does not see
  double mse_first_half = 0;         // over values, targets in the first half of the range
  std::vector<double> feature_mse;   // [D] all targets
  std::vector<double> feature_rmse;  // [D] original units, over all values
  std::vector<HorizonBin> horizon;
  std::int64_t systems = 0, objects = 0, values = 0;

  // Targets of objects of which nothing was shown. They are in none of the numbers above; these are the errors of the
  // mean of what was shown of their system, over all values.
  struct NeverSeen {
    std::int64_t objects = 0, values = 0;
    double mse = 0;                    // NaN if there are none
    std::vector<double> feature_rmse;  // [D] original units
  };
  NeverSeen never_seen;

  nlohmann::json to_json(const std::vector<data::Feature>& features) const;
  nlohmann::json horizon_json() const;
};

// Accumulates errors batch by batch.
class ScoreKeeper {
 public:
  // `time_scale`: physical time of one model unit. `range`: model time that is divided into bins; targets beyond it
  // have a bin of their own.
  ScoreKeeper(data::Normalisation normalisation, double time_scale, double range, int bins = 6);
  // predicted: [T, D] normalised, in the order of the batch's targets. `counts`: whether a system of the data set is
  // added, without its never seen objects; empty: all are, with them. `each_object`: called with the system, the object
  // (index within the system) and the error of each object that has targets.
  void add(const data::Batch& batch, const float* predicted, const std::function<bool(std::int64_t)>& counts = {},
           const std::function<void(std::int64_t, std::int64_t, double)>& each_object = {});
  Scores scores() const;

  // All that was accumulated, as numbers that add up over keepers of different systems, and the latest target, of which
  // the largest counts. Sums of several keepers make one of all their systems.
  std::vector<double> sums() const;
  double latest() const { return latest_; }
  void set(const std::vector<double>& sums, double latest);
  // The same as JSON, and added to this one.
  nlohmann::json state() const;
  void add(const nlohmann::json& state);

 private:
  void add_unseen(const data::Batch& batch);

  data::Normalisation normalisation_;
  double time_scale_;
  double range_;
  struct Sums {
    double total = 0;
    std::int64_t count = 0;
  };
  Sums all_, unseen_;                     // over systems
  std::vector<Sums> feature_, physical_;  // per feature, over systems; over values
  std::vector<Sums> bins_;                // the last one is for targets beyond the range
  std::vector<Sums> never_seen_;          // per feature, over values
  std::int64_t never_seen_objects_ = 0;
  double latest_ = 0;
  std::int64_t objects_ = 0, values_ = 0;
  // Calls `use` with every sum, as (total, count).
  template <class Self, class Use>
  static void each(Self& self, const Use& use);
};

}  // namespace lgode::eval
