// Compares the data set with what the run was trained on.
#include "run_warnings.h"

#include <fmt/format.h>

namespace lgode::app {

void print_notes(const eval::RunInfo& info, const data::Dataset& dataset) {
  for (const std::string& note : eval::notes_on(info, dataset)) fmt::print(stderr, "note: {}\n", note);
}

}  // namespace lgode::app
