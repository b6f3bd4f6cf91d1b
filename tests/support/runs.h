// Small models in memory, with everything that a run stores about its data, but without a run folder.
#pragma once

#include "lgode/data/normalisation.h"
#include "lgode/data/task.h"
#include "lgode/eval/run.h"

namespace lgode::testing {

// An untrained model with random weights that fits `set`.
inline eval::Run run_on(const data::Dataset& set, const data::TaskOptions& task = {}) {
  eval::Run run;
  run.info.task = task;
  model::ModelOptions& m = run.info.model;
  m.encoder_width = 4, m.sequence_width = 3, m.latent = 2, m.augment = 1, m.hidden = 3;
  const data::Description& about = set.description();
  run.info.shape = {set.features(), static_cast<std::int64_t>(about.relation_types.size()), set.has_missing(), 0.4};
  run.info.normalisation = data::fit_normalisation(set, data::normalisation_systems(set, task));
  run.info.features = about.features;
  run.info.relation_types = about.relation_types;
  run.info.time_scale = about.time_scale;
  run.info.conditioning_length = about.conditioning_length;
  run.model = model::make_model(m, run.info.shape, 7);
  return run;
}

}  // namespace lgode::testing
