// A training that takes a moment: a small data set and model, for tests of the loop and of what surrounds it.
#pragma once

#include "lgode/train/trainer.h"
#include "support/batches.h"

namespace lgode::train {

// Ten training systems, with an incomplete last batch, objects without observations, and missing values.
inline data::Dataset small_set() {
  return lgode::testing::random_dataset({.objects = {3, 2, 4, 1, 3, 2, 2, 3, 1, 2, 3}, .missing = 0.1, .blind = true});
}

inline RunConfig small_config(std::int64_t epochs = 3) {
  RunConfig config;
  config.train.schedule = RateSchedule::kCosine;
  config.train.epochs = epochs, config.train.batch = 4, config.train.kl_warmup = 5;
  config.task.validation = 0.2, config.task.centre = data::Centre::kNone;
  model::ModelOptions& m = config.model;
  m.encoder_width = 8, m.sequence_width = 8, m.latent = 4, m.augment = 4, m.hidden = 8, m.dropout = 0.2;
  return config;
}

inline at::Tensor weights(Trainer& trainer) { return trainer.model().parameters().flat().clone(); }

inline RunConfig assimilating_config() {
  RunConfig config = small_config();
  config.model.kind = model::ModelKind::kAssimilate;
  config.model.state = 4;
  return config;
}

}  // namespace lgode::train
