// Windows and the recordings that they are cut from (Description::recordings).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

// The table's name of a system, or of the one that it is cut from; empty where the table had no such column.
std::string recording_of(const Dataset& set, std::int64_t system);

// Joins the windows of each recording again, recordings in the order of their first windows: every object and time
// once, however many windows hold it. Windows may hold different objects. A recording has the earliest origin of its
// windows and no listed relations. Rows outside all windows are lost.
Dataset join_recordings(const Dataset& set, const std::vector<std::int64_t>& systems);

}  // namespace lgode::data
