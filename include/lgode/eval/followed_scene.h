// What a follower keeps of a scene (eval/follower.h). A copy is the scene as it was.
//
// Shapes: M rows, D features.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lgode/data/outliers.h"
#include "lgode/model/assimilate/filter.h"

namespace lgode::eval {

struct FollowedObject {
  std::int64_t number = 0;          // in the order of first rows
  std::vector<double> value, time;  // [D] the latest values and their times, physical; NaN: none yet
  data::OutlierTrack outliers = {};
  std::vector<double> row_times, row_values;  // model frames: [M], [M, D] the rows that count, physical
};

struct FollowedScene {
  bool begun = false;          // whether any row was taken
  double origin = 0;           // of its times
  std::vector<double> centre;  // [D]
  std::vector<bool> centred;   // [D] whether the centre is known; features that are not centred: true
  std::int64_t next = 0;       // number of the next object
  std::map<std::string, FollowedObject> objects;
  model::SceneState state;           // model assimilate
  std::vector<std::string> flagged;  // objects whose observations of the latest time are not believed
  std::int64_t outliers = 0;         // all observations that were not
};

}  // namespace lgode::eval
