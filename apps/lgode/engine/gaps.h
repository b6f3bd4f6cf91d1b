// What a model says of the gaps of recordings.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/eval/predict.h"

namespace lgode::app {

// A recording is filled one first range of the model after another, from its origin on; the last range is moved back so
// that it ends with the last observation. Each gap is told once, from the observations in its range. Relations are
// those of the window of the data set that lies nearest.
class Gaps {
 public:
  // `source` has the relations, `whole` the observations; both outlive this. `all_times`: a row that an object lacks at
  // a time at which its system was observed is a gap, too.
  Gaps(const eval::Run& run, const data::Dataset& source, const data::Dataset& whole, bool all_times);

  // Predicts all gaps of some systems of `whole`; systems that the source does not know keep theirs. `predict`:
  // samples, seed and batch count.
  void fill(const std::vector<std::int64_t>& systems, const eval::PredictOptions& predict,
            const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop);

  // Times at which an object (of all of `whole`) has gaps, ascending, and the D values there; none: not predicted.
  std::span<const double> times(std::int64_t object) const { return objects_[static_cast<std::size_t>(object)].times; }
  std::span<const float> values(std::int64_t object, double time) const;
  // Objects and times in ranges without any observation: what is predicted there comes from nothing.
  std::int64_t blind_times() const { return blind_times_; }

 private:
  struct Object {
    std::vector<double> times;
    std::vector<float> values;  // [times, D]
  };
  struct Range {
    std::int64_t system = 0;  // of `whole`
    double start = 0;
    std::vector<double> times;
  };

  void find_gaps(std::int64_t system);
  void add_ranges(std::int64_t system);
  data::Dataset range_set() const;
  void add_observations(const Range& range, data::DatasetBuilder& builder) const;
  void add_relations(const Range& range, data::DatasetBuilder& builder) const;
  std::int64_t nearest_window(const Range& range) const;
  void take(const Range& range, const eval::SystemPrediction& prediction, bool blind);

  const eval::Run& run_;
  const data::Dataset& source_;
  const data::Dataset& whole_;
  bool all_times_;
  double length_;      // of a range
  double shift_ = 0;   // added to times of `source_`, so that they count as those of `whole_`
  std::size_t width_;  // features
  std::map<std::string, std::vector<std::int64_t>> windows_;  // systems of `source_` by recording
  std::vector<Object> objects_;
  std::vector<Range> ranges_;
  std::int64_t blind_times_ = 0;
};

}  // namespace lgode::app
