// Checks a data set before training: gaps, lengths, outliers, objects that enter or leave, relations, windows, and
// differences between the parts. Warns and advises where a mistake is likely. Empty rows do not count as observations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgode/data/compare_parts.h"
#include "lgode/data/dataset.h"
#include "lgode/data/pair_count.h"
#include "lgode/data/presence.h"
#include "lgode/data/windows.h"

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
  // Gaps that are multiples of one step: at least 99 % of them, to within 1 % of the step.
  struct Grid {
    double step = 0;                      // 0: they are not, and the others are 0
    bool regular = false;                 // 99 % are one step
    std::vector<std::int64_t> multiples;  // gaps of 1, 2, 3 and 4 steps
    std::int64_t more = 0;                // of more steps
    std::int64_t others = 0;              // not multiples
    std::int64_t longer = 0;              // longer than one step
  };
  // All 0 for a derived feature.
  struct FeatureCheck {
    std::int64_t values = 0;  // that are not missing
    double mean = 0, deviation = 0;
    bool constant = false;      // one value everywhere in the training part
    bool absent = false;        // no value in the training part
    std::int64_t outliers = 0;  // farther from the middle half of all values than five times its width (where half of
                                // them are equal: the width of the others)
    double farthest = 0;        // of them
    std::string farthest_at;    // system, object and time
    double scale = 0;           // largest absolute value of the training part, which all are divided by
  };
  struct Warning {
    std::string what, advice;  // the finding, and what to do; options in backquotes
  };

  Spread gaps;     // between an object's neighbouring observations
  Grid grid;       // of them
  Spread lengths;  // observations per object
  std::vector<FeatureCheck> features;
  std::int64_t unobserved = 0, observed_once = 0;  // objects
  Presence presence;
  WindowCount windows;
  PairCount pairs;
  std::vector<PartDifference> differences;
  // Objects without any relation, in systems of two and more; where relations follow a rule, none.
  std::int64_t loose = 0;
  std::vector<std::string> loose_names;  // "object of system", the first few
  std::int64_t close_times = 0;          // gaps below a millionth of the time scale: likely one observation twice
  std::int64_t outliers = 0;             // observations that jump away and come back (data/outliers.h)
  double window = 0;                     // of the encoder at `observed` 0.6, in model time
  double window_length = 0;              // the same in physical time
  double shortest = 0, longest = 0;      // training systems, first to last observation
  bool goes_on = false;                  // test systems have observations after the first range
  std::vector<Warning> warnings;
};

Checkup check_up(const Dataset& dataset);

}  // namespace lgode::data
