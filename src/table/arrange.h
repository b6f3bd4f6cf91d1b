// Recordings become systems that train and test. Internal to the import.
#pragma once

#include <memory>

#include "lgode/table/import.h"
#include "table/assemble.h"

namespace lgode::table {

struct Arranged {
  std::shared_ptr<Systems> systems;
  double gap = 0;                  // typical one of the thinned recordings
  data::FrameWindows frames = {};  // of windows of frames
};

// Thins and cuts the recordings, and splits them into parts.
Arranged arrange(const Arrangement& arrangement, std::shared_ptr<Systems> systems, const ScratchPlace& place,
                 ImportReport& report);

}  // namespace lgode::table
