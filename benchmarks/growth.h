// Measures how time and memory of a training step grow with the data. One process per case, so that peak memory is that
// of the case.
#pragma once

#include <nlohmann/json.hpp>

namespace lgode::bench {

// Runs all cases and prints a Markdown table. It forks: call it before anything else starts threads.
nlohmann::json run_growth(int threads);

}  // namespace lgode::bench
