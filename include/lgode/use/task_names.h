// Names of tasks and protocols on the command line.
#pragma once

#include "lgode/data/task.h"

namespace lgode::use {

inline const char* task_name(data::Task task) {
  return task == data::Task::kInterpolate ? "interpolate" : "extrapolate";
}

inline const char* protocol_name(data::Protocol protocol) {
  return protocol == data::Protocol::kClean ? "clean" : "paper";
}

}  // namespace lgode::use
