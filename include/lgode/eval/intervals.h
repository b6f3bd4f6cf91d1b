// How good intervals are: coverage, width, interval score and CRPS. No LibTorch here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"
#include "lgode/eval/calibration.h"

namespace lgode::eval {

inline constexpr double kIntervalLevels[] = {0.5, 0.8, 0.9};

// Over values. Widths and scores in normalised units, of single features in original units; NaN without values.
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
  Part reached, beyond;  // of `all`: targets as near to the context as targets of the calibration, and farther ones
  double standard_error = 0;  // of reached.coverage of 90 %, with systems as the independent units
  std::vector<std::pair<std::string, Part>> recordings = {};  // by name, where the data has several

  nlohmann::json to_json(const std::vector<data::Feature>& features) const;
};

// Accumulates batch by batch, over targets that the encoder does not see. Objects without context, and so without a
// known distance, do not count.
class IntervalKeeper {
 public:
  // `range`: model time that is divided into bins, as in ScoreKeeper. `constant`: as ErrorFeatures::constant; such a
  // feature counts in its own numbers only. The calibration must outlive it.
  IntervalKeeper(const Calibration& calibration, data::Normalisation normalisation, double time_scale, double range,
                 bool forecast, int bins = 6, std::vector<std::uint8_t> constant = {});
  // predicted, spread: [T, D] normalised; null spread: ones. Without `counts`, all systems count.
  void add(const data::Batch& batch, const float* predicted, const float* spread,
           const std::function<bool(std::int64_t system)>& counts = {});
  IntervalScores scores() const;
  // The accumulated sums, and the sums of another keeper over other systems, to add.
  nlohmann::json state() const;
  void add(const nlohmann::json& state);
  // Sums of groups of systems.
  std::vector<std::pair<std::string, IntervalScores::Part>> by_group(
      const std::function<std::string(std::int64_t system)>& group) const;

 private:
  struct Sums {
    std::int64_t values = 0;
    double inside[3] = {}, width[3] = {}, score = 0, crps = 0;
  };
  static IntervalScores::Part part_of(const Sums& sums, double unit);
  static void merge(Sums& into, const Sums& other);
  static nlohmann::json to_json(const Sums& sums);
  static Sums from_json(const nlohmann::json& json);

  const Calibration& calibration_;
  data::Normalisation normalisation_;
  double time_scale_, range_;
  bool forecast_;
  std::vector<std::uint8_t> constant_;
  Sums all_, reached_, beyond_;
  std::map<std::int64_t, std::pair<Sums, Sums>> systems_;  // all and reached
  std::vector<Sums> features_, bins_;                      // the last bin is for targets beyond the range
  double latest_ = 0;
};

}  // namespace lgode::eval
