// Checks a data set before training: gaps, lengths, outliers, objects without relations. Gives a warning and advice
// where something is probably a mistake.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

struct Checkup {
  // Counts of numbers in [from, to); the last bin includes its upper end.
  struct Bin {
    double from = 0, to = 0;
    std::int64_t count = 0;
  };
  struct Spread {
    std::int64_t count = 0;
    double low = 0, median = 0, high = 0;  // 0 if there are none; of very many, the median of a sample
    std::vector<Bin> histogram;
  };
  struct FeatureCheck {
    std::int64_t values = 0;  // that are not missing
    double mean = 0, deviation = 0;
    bool constant = false;      // one value everywhere in the training part
    bool absent = false;        // no value in the training part
    std::int64_t outliers = 0;  // farther from the middle half of all values than five times its width (where half of
                                // them are equal: that of the others)
    double farthest = 0;        // of them
    std::string farthest_at;    // system, object and time
    double scale = 0;           // largest absolute value of the training part, which all are divided by
  };
  struct Warning {
    std::string what, advice;  // the finding, and what to do; options in backquotes
  };

  Spread gaps;     // between an object's neighbouring observations
  Spread lengths;  // observations per object
  std::vector<FeatureCheck> features;
  std::int64_t unobserved = 0, observed_once = 0;  // objects
  std::int64_t loose = 0;                          // objects without any relation, in systems of two and more
  std::vector<std::string> loose_names;            // "object of system", the first few
  std::int64_t close_times = 0;      // gaps below a millionth of the time scale: likely one observation twice
  double window = 0;                 // of the encoder at `observed` 0.6, in model time
  double window_length = 0;          // the same in physical time
  double shortest = 0, longest = 0;  // training systems, first to last observation
  bool goes_on = false;              // test systems go on beyond the first range
  std::vector<Warning> warnings;
};

Checkup check_up(const Dataset& dataset);

}  // namespace lgode::data
