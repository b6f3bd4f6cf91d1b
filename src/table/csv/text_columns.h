// Recognises columns that hold text where numbers are expected, before every row of them is reported. Internal to the
// import.
#pragma once

#include <string>

#include "table/csv/layout.h"

namespace lgode::table {

// Throws TextColumnsError if in the first rows of a block most cells of a feature are text, ConfigError if most times
// are neither numbers nor dates.
void check_text_columns(const std::string& where, const std::string& block, const Layout& layout);

}  // namespace lgode::table
