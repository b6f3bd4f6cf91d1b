// The sizes of a model that come from its data. No LibTorch here.
#pragma once

#include <cstdint>

namespace lgode::model {

// Saved with the model.
struct ModelShape {
  std::int64_t features = 0;
  std::int64_t relation_types = 1;
  bool append_mask = false;  // the training data has missing values
  double window = 1.0;       // of the temporal graph, model time
  std::int64_t objects = 0;  // rnn-nri: of every system
  double grid_step = 0.0;    // rnn-nri: model time

  bool operator==(const ModelShape&) const = default;
};

}  // namespace lgode::model
