// How time and memory of a training step grow with the data: one process a case, so that its peak memory is its own.
#pragma once

#include <nlohmann/json.hpp>

namespace lgode::bench {

// Runs all cases, printing a table as Markdown. Must be called before anything else uses threads.
nlohmann::json run_growth(int threads);

}  // namespace lgode::bench
