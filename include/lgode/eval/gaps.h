// Predicts values for the gaps of recordings. Each range of a recording is a scene (data/scene.h) of its rows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/eval/predict.h"

namespace lgode::eval {

// A recording is divided into ranges as long as the model's first range, counted from the recording's origin. The last
// range is moved back so that it ends with the last observation. Each gap is predicted once, from the observations in
// its range. Relations come from the window of the data set whose origin is nearest to the start of the range.
class Gaps {
 public:
  // A recording whose rows are not in its data set: names of recording and objects are the ones of `system` in
  // that set.
  struct Recording {
    std::int64_t system = 0;
    data::SceneSource rows;
  };
  // `source` has the relations, `whole` the observations; both must outlive this object. `all_times`: if an object has
  // no row at a time at which its system was observed, that is also a gap. Non-empty `recordings` replace
  // the systems of `whole`, and objects are counted over all of them.
  Gaps(const Run& run, const data::Dataset& source, const data::Dataset& whole, bool all_times,
       std::vector<Recording> recordings = {});

  // Finds the gaps of the given systems; systems that are not in `source` keep their gaps.
  void find(const std::vector<std::int64_t>& systems);
  // Predicts the gaps that were found. Of `predict` only seed and batch size are used. `progress`, if given,
  // is called after each batch of ranges with the number of ranges done and the total. Interrupted on a stop request.
  void predict(const PredictOptions& predict, const std::function<void(std::int64_t, std::int64_t)>& progress,
               const StopFlag* stop);

  // Times at which an object (index over all systems) has gaps, ascending.
  std::span<const double> times(std::int64_t object) const { return objects_[static_cast<std::size_t>(object)].times; }
  // The D values predicted for an object and time, NaN where there is no prediction: derived features, objects without
  // observations in the range (unless the model predicts those, too), ranges without any observation, or before
  // predict(). Empty without a gap.
  std::span<const double> values(std::int64_t object, double time) const;
  // The model's own standard deviations of those values, before calibration.
  std::span<const double> spreads(std::int64_t object, double time) const;
  // Number of rows (an object at a time) in ranges without any observation: the model cannot predict them.
  std::int64_t blind_times() const { return blind_times_; }

 private:
  struct Object {
    std::vector<double> times;
    std::vector<double> values, spreads;  // [times, D]
  };
  struct Range {
    std::int64_t system = 0;
    double start = 0;
    std::vector<double> times;
    bool blind = false;  // without any observation
  };

  void find_gaps(std::int64_t system);
  void add_ranges(std::int64_t system);
  data::SceneSource rows(std::int64_t system) const;
  std::int64_t first_object(std::int64_t system) const;
  std::int64_t named(std::int64_t system) const;  // the system of `whole` that has its names
  data::Scene scene_of(std::size_t range, const data::BatchMaker& maker) const;
  std::vector<data::Relation> relations_of(const Range& range) const;
  std::int64_t nearest_window(const Range& range) const;
  bool is_blind(const Range& range) const;
  std::int64_t rows_at(const Range& range) const;  // gaps at the range's times
  void take(const Range& range, const SystemPrediction& prediction);
  std::span<const double> row(std::int64_t object, double time, std::vector<double> Object::*of) const;

  const Run& run_;
  const data::Dataset& source_;
  const data::Dataset& whole_;
  std::vector<Recording> recordings_;       // empty: the systems of `whole`
  std::vector<std::int64_t> first_object_;  // of each recording
  bool all_times_;
  double length_;                    // of a range
  double shift_ = 0;                 // added to times of `source_` to convert them to times of `whole_`
  std::size_t width_;                // number of features, D
  std::vector<std::size_t> filled_;  // features that are not derived
  std::map<std::string, std::vector<std::int64_t>> windows_;  // systems of `source_` by recording
  std::vector<Object> objects_;
  std::vector<Range> ranges_;
  std::int64_t blind_times_ = 0;
};

}  // namespace lgode::eval
