// Chooses which systems train and which test. Internal to the import.
#pragma once

#include <string>
#include <vector>

#include "csv_assemble.h"

namespace lgode::data {

// Fills the parts. Returns the systems to leave out: windows that overlap the other part, or lie too near to it, and
// systems without an observation. Recordings without one (`observed`) are never drawn.
std::vector<bool> split_systems(const CsvImport& options, Systems& systems, const std::vector<std::string>& recordings,
                                const std::vector<bool>& observed, CsvImportReport& report);

}  // namespace lgode::data
