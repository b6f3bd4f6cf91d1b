// The validation error after each epoch, and the selection of the best weights.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/batch_maker.h"
#include "lgode/eval/evaluate.h"
#include "lgode/model/model.h"
#include "lgode/ops/context.h"

namespace lgode::train {

class Ranks;

// The model and the batch maker must outlive it. The systems are seen as validation systems are (eval::validation_view)
// or, if they train the model, as one of these: protocol=paper validates on later observations, which they lack.
class Validation {
 public:
  struct Result {
    double error = 0;  // mean squared error of the mean path
    // What decides which weights are best: with `loss` distance the square of the mean distance, as training minimises
    // the distance, plus that of the best future where there are several; of an interpolation the geometric mean over
    // the sixths of the range, so that the sixth with the largest error, most often the first one, does not decide
    // alone. Otherwise the error.
    double score = 0;
  };
  static double score_of(const eval::Scores& scores, data::Task task, model::Loss loss = model::Loss::kSquared);

  Validation(const model::Model& model, const data::BatchMaker& maker, std::vector<std::int64_t> systems,
             const ops::Context& context, Ranks* ranks = nullptr, std::optional<data::View> view = {});

  std::int64_t systems() const { return static_cast<std::int64_t>(systems_.size()); }
  // None if no systems are held out. Throws Interrupted; with ranks, all of them do.
  std::optional<Result> result(const StopFlag* stop = nullptr);
  std::optional<eval::Scores> scores(const StopFlag* stop = nullptr);

 private:
  std::vector<std::int64_t> own_systems() const;

  const model::Model& model_;
  const data::BatchMaker& maker_;
  std::vector<std::int64_t> systems_;
  data::View view_;
  ops::Context context_;
  Ranks* ranks_;                           // each evaluates a part of the systems; null: this process evaluates all
  std::vector<eval::PreparedBatch> kept_;  // on a GPU, which would wait for batches that never change
};

}  // namespace lgode::train
