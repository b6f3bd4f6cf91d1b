// A system as a figure for a publication, in the manner of the LG-ODE paper: ground truth next to the prediction;
// observations faint, predictions solid; of objects in space, poses side by side in a strip.
#pragma once

#include <string>
#include <vector>

#include "lgode/data/dataset.h"
#include "lgode/report/drawing.h"
#include "lgode/report/system_view.h"

namespace lgode::report {

struct FigureOptions {
  std::vector<int> features;            // to draw over time; empty: paths of the positions where there are two or three
  std::int64_t objects = 0;             // at most; 0: as many as readers can distinguish
  std::vector<std::string> names = {};  // of the objects to draw, instead; a strip of poses draws all
  std::string title;                    // above; empty: none
  int poses = 7;                        // of a strip
};

// Two position features: paths in the plane. Three: a strip of poses. Otherwise, and with `features`: values over time.
Drawing figure(const SystemView& system, const data::Description& data, const FigureOptions& options);

// The axis that points up: usually the one in which objects are farthest apart; 2 without a difference.
int up_axis(const SystemView& system, const std::vector<int>& positions);

}  // namespace lgode::report
