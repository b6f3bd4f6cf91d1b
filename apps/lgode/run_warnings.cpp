// Compares the data set with what the run was trained on.
#include "run_warnings.h"

#include <fmt/format.h>

namespace lgode::app {

void print_notes(const eval::RunInfo& info, const data::Dataset& dataset) {
  if (dataset.has_missing() && !info.shape.append_mask)
    fmt::print(stderr,
               "note: the data has missing values, the training data had none; the model takes them as zeros\n");
}

}  // namespace lgode::app
