// How good intervals are: coverage, width, interval score and CRPS. No LibTorch here.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"
#include "lgode/eval/calibration.h"

namespace lgode::eval {

inline constexpr double kIntervalLevels[] = {0.5, 0.8, 0.9};

// Over values. Widths and scores in normalised units, those of single features in original ones; NaN without values.
struct IntervalScores {
  struct Part {
    std::int64_t values = 0;
    double coverage[3] = {}, width[3] = {};  // by kIntervalLevels
    double score = 0;                        // interval score of the 90 % intervals (Gneiting and Raftery 2007)
    double crps = 0;                         // continuous ranked probability score
  };
  struct Bin {
    double begin = 0, end = 0;  // physical time since the start
    Part part;
  };
  Part all;
  std::vector<Part> features;  // [D]
  std::vector<Bin> horizon;
  Part beyond;  // targets farther from what was seen than the calibration reaches; they are in `all`, too

  nlohmann::json to_json(const std::vector<data::Feature>& features) const;
};

// Accumulates batch by batch, over targets that the encoder does not see.
class IntervalKeeper {
 public:
  // `range`: model time that is divided into bins, as in ScoreKeeper. The calibration must outlive it.
  IntervalKeeper(const Calibration& calibration, data::Normalisation normalisation, double time_scale, double range,
                 bool forecast, int bins = 6);
  // predicted, spread: [T, D] normalised; null spread: ones.
  void add(const data::Batch& batch, const float* predicted, const float* spread);
  IntervalScores scores() const;

 private:
  struct Sums {
    std::int64_t values = 0;
    double inside[3] = {}, width[3] = {}, score = 0, crps = 0;
  };
  static IntervalScores::Part part_of(const Sums& sums, double unit);

  const Calibration& calibration_;
  data::Normalisation normalisation_;
  double time_scale_, range_;
  bool forecast_;
  Sums all_, beyond_;
  std::vector<Sums> features_, bins_;  // the last bin is for targets beyond the range
  double latest_ = 0;
};

}  // namespace lgode::eval
