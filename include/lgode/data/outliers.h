// Observations that cannot be believed: a value that jumps away from its object's path farther than anything that
// training showed, and comes back. They are flagged, and neither shown to a model nor compared with. A jump is believed
// once three observations in a row agree with each other, or once one agrees with those before and after it.
//
// The bound of a change is wide: fifteen times what 95 % of the changes between neighbouring observations stay below,
// or more where training has larger lasting jumps; a velocity may also reverse. An observation is judged by earlier
// ones of its object alone, so that a stream and a table are judged alike, except an object's first one: in a table it
// is flagged where three agreeing ones contradict it, in a stream where it is far from everybody (`extent`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

enum class Outliers { kFlag, kUse };

// What is believed of changes.
struct OutlierGate {
  static constexpr double kAny = 1e20;  // reach of a feature whose changes are all believed

  std::vector<double> reach;  // [D] largest change of a feature over `gap`; over longer times proportionally more
  double gap = 0;             // physical time
  double forget = std::numeric_limits<double>::infinity();  // an object unseen for longer may be anywhere
  // [D] how far from the middle of its system a position may be that has nothing to be compared with, kAny for other
  // features; empty: anywhere.
  std::vector<double> extent = {};

  // Whether a change over a time is within the reach of a feature.
  bool allows(std::size_t feature, double elapsed, double change) const;
};

// Fitted on the training systems of a set; a feature without enough changes has kAny.
OutlierGate fit_outlier_gate(const Dataset& dataset, const std::vector<std::int64_t>& systems);

// Judges the observations of one object in the order of their times.
class OutlierTrack {
 public:
  struct Verdict {
    bool believed = true;
    int vindicated = 0;            // how many observations right before this one were flagged, and are believed now
    bool first_was_wrong = false;  // the only observation before those was believed, and is contradicted now
  };
  // `doubtful`: the values are not believed at once, even if there is nothing that contradicts them.
  Verdict judge(const OutlierGate& gate, double time, std::span<const double> values, bool doubtful = false);
  // Whether there is an observation to compare one at `time` with.
  bool knows(const OutlierGate& gate, double time) const;
  // Whether flagged observations may still be believed.
  bool waits(const OutlierGate& gate, double time) const;

  // Latest values, NaN: none yet.
  struct Seen {
    std::vector<double> value = {}, time = {};
  };
  Seen believed, pending;  // of believed observations, and of flagged ones that agree with each other
  int waiting = 0;         // how many those are
  int count = 0;           // of believed observations, at most 2
};

// A row of an object that was flagged.
struct FlaggedRow {
  std::int32_t row = 0;
  bool vindicated = false;  // by later ones; it may count where later ones are known
};
// Those of an object, in the order of rows: times [K] and values [K, D].
std::vector<FlaggedRow> flagged_rows(const OutlierGate& gate, std::span<const double> times,
                                     std::span<const double> values);

// An observation that no later one vindicates.
struct Outlier {
  std::int64_t system = 0, object = 0, row = 0;  // object and row within the system and the object
};
// Those of a set: how many, and the first few.
struct OutlierCount {
  std::int64_t count = 0;
  std::vector<Outlier> first = {};
};
// "3 observations jump away from their object's path and come back (the first: system 2, object 1, time 3.5)"; empty if
// there are none.
std::string outliers_text(const Dataset& dataset, const OutlierCount& outliers);
OutlierCount count_outliers(const Dataset& dataset, const OutlierGate& gate, std::size_t most = 3);

}  // namespace lgode::data
