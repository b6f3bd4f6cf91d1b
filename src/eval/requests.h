// The options of a prediction of a data set's systems as requests, and which of them can be answered. Internal to
// predictions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lgode/data/batch_maker.h"
#include "lgode/eval/predict.h"

namespace lgode::eval {

// What a prediction is made for.
struct Asked {
  std::int64_t number = 0, objects = 0;
  double start = 0;  // physical, as the times
  std::vector<double> times;
};

// A time that is too far after the start to be predicted (kMostRanges); unset: there is none.
std::optional<double> too_far(const RunInfo& info, double start, const std::vector<double>& times);
std::string too_far_text(const RunInfo& info, const data::Description& about, const std::string& system, double start,
                         double time);

// ConfigError unless the run has so many futures.
void check_futures(const RunInfo& info, std::int64_t futures, Method method = Method::kModel);

class Requests {
 public:
  // All must outlive this object.
  Requests(const Run& run, const data::BatchMaker& maker, const PredictOptions& options)
      : run_(run), maker_(maker), options_(options) {}

  // For `system`, which is entry `at` of the list of systems.
  data::BatchMaker::Request operator()(std::int64_t system, std::size_t at) const;
  Asked asked(std::int64_t system, std::size_t at) const;
  // Places in `systems` whose requests can be answered; the others are counted. ConfigError if there is none, or if
  // each has times of its own and one cannot.
  std::vector<std::size_t> answerable(const std::vector<std::int64_t>& systems, Skipped& skipped) const;

 private:
  // Why a request cannot be answered, and where that is counted; unset: it can be.
  struct Answer {
    std::optional<std::string> refused;
    std::int64_t Skipped::*count = nullptr;
  };
  std::vector<double> default_times(double start) const;
  std::vector<double> frame_times(double start, const data::FrameWindows& frames) const;
  Answer refusal(const data::BatchMaker::Request& request) const;
  double start_of(const data::BatchMaker::Request& request) const {
    return request.start ? *request.start : maker_.default_start(request.system);
  }

  const Run& run_;
  const data::BatchMaker& maker_;
  const PredictOptions& options_;
};

}  // namespace lgode::eval
